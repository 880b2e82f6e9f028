package adapters_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// The forms are those of servers.
func TestParseFailure(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want adapters.Failure
	}{
		"object": {
			`{"error": {"message": "no", "type": "invalid_request_error", "param": "response_format", "code": "bad"}}`,
			adapters.Failure{Message: "no", Status: 400, Kind: "invalid_request_error", Param: "response_format", Code: "bad"},
		},
		"code that is a status":  {`{"error": {"message": "no", "code": 429}}`, adapters.Failure{Message: "no", Code: "429", Status: 429}},
		"code that is text":      {`{"error": {"message": "no", "code": "502"}}`, adapters.Failure{Message: "no", Code: "502", Status: 502}},
		"code that is no status": {`{"error": {"message": "no", "code": 1234}}`, adapters.Failure{Message: "no", Code: "1234"}},
		"text":                   {`{"error": "model not found"}`, adapters.Failure{Message: "model not found"}},
		"text and message":       {`{"error": "Bad Request", "message": "no such route", "statusCode": 400}`, adapters.Failure{Message: "Bad Request: no such route"}},
		"at the top":             {`{"object": "error", "message": "too long", "type": "BadRequestError", "code": 400}`, adapters.Failure{Message: "too long", Kind: "BadRequestError", Code: "400", Status: 400}},
		"in a list":              {`[{"error": {"message": "no", "status": "INVALID_ARGUMENT"}}]`, adapters.Failure{Message: "no", Kind: "INVALID_ARGUMENT"}},
		"of a filter":            {`{"error": {"message": "no", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}`, adapters.Failure{Message: "no", Inner: "ResponsibleAIPolicyViolation"}},
		"detail":                 {`{"detail": "Method Not Allowed"}`, adapters.Failure{Message: "Method Not Allowed"}},
		"list of complaints": {
			`{"detail": [{"type": "missing", "loc": ["body", "messages", 0], "msg": "Field required", "input": "the prompt"}, {"msg": "and more"}, 7, {"msg": "too much"}]}`,
			adapters.Failure{Message: "body.messages.0: Field required; and more; 7"},
		},
		"complaint inside of a message": {`{"message": {"detail": [{"loc": ["body"], "msg": "bad"}]}}`, adapters.Failure{Message: "body: bad"}},
		"deeper than anybody writes":    {`{"message": [[[[["hello"]]]]]}`, adapters.Failure{}},
		"a reply of one protocol":       {`{"choices": [], "message": "hi"}`, adapters.Failure{}},
		"a reply of another":            {`{"content": [], "message": "hi"}`, adapters.Failure{}},
		"an empty one":                  {`{"type": "message", "message": "hi"}`, adapters.Failure{}},
		"no error":                      {`{"choices": [], "error": null}`, adapters.Failure{}},
		"an error of something":         {`{"error": [1]}`, adapters.Failure{}},
		"HTML":                          {`<html>`, adapters.Failure{}},
		"nothing":                       {``, adapters.Failure{}},
		"an empty list":                 {`[]`, adapters.Failure{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := adapters.ParseFailure([]byte(c.body))
			assert.Equal(t, c.want, *got)
			assert.Equal(t, c.want != adapters.Failure{}, got.Said())
		})
	}
}

func TestWordsOfAFailure(t *testing.T) {
	f := &adapters.Failure{Code: "a", Kind: "b", Inner: "c", Message: "The Schema", Param: "Format"}
	for word, want := range map[string]bool{"a": true, "b": true, "c": true, "The Schema": false, "d": false} {
		assert.Equal(t, want, f.Is("x", word), word)
	}
	for word, want := range map[string]bool{"schema": true, "format": true, "c": true, "other": false} {
		assert.Equal(t, want, f.Mentions("x", word), word)
	}
	for status, want := range map[int]bool{400: true, 404: true, 422: true, 501: true, 401: false, 429: false, 500: false, 200: false, 0: false} {
		f.Status = status
		assert.Equal(t, want, f.MayRefuseFormat(), status)
	}
}

// A short text is the message of an error. Pages, broken JSON and what is no text are not.
func TestPlainBodies(t *testing.T) {
	for body, want := range map[string]string{
		"no such thing\n  at all\n":              "no such thing at all",
		`"no such thing"`:                        "no such thing",
		`{"errors": [{"msg": "no such thing"}]}`: "no such thing",
		`{"msg": "no such thing"}`:               "no such thing",
		"red \x1b[31m and \u202eturned":          `red \u001b[31m and \u202eturned`,
		"":                                       "Bad Request",
		"\n<!DOCTYPE html><p>no such thing":      "Bad Request",
		`{"message": "no su`:                     "Bad Request",
		`{"other": "no such thing"}`:             "Bad Request",
		"\xff\xfe\x00no such thing":              "Bad Request",
		strings.Repeat("a trace of it ", 1000):   "Bad Request",
	} {
		a := &adapters.Answer{Head: &http.Response{StatusCode: http.StatusBadRequest}}
		a.Body.WriteString(body)
		assert.Equal(t, want, a.Failure().Public("", "", &llm.Request{}))
	}
}

// Another form of the request does not help against these errors, whatever they mention.
func TestOtherErrors(t *testing.T) {
	for words, status := range map[string]int{
		"This model's maximum context length is 8192 tokens, and 500 of yours are in the functions. Send less tools.": 400,
		"prompt is too long: 210000 tokens > 200000 maximum, tools and json_schema included":                          400,
		"the request exceeds the available context size, try a smaller json schema":                                   400,
		"input tokens exceed the limit: leave out response_format, output_format or tool_choice":                      422,
		"Rate limit: too many requests with tool_choice":                                                              400,
		"Rate limit reached for requests with response_format json_schema, strict or cache_control":                   429,
		"Invalid API key for structured outputs":                                                                      400,
		"json_schema: no such key":                                                                                    401,
		"strict: tool_choice and cache_control are not for you":                                                       403,
		"You exceeded your quota of structured output":                                                                400,
		"Your credit balance is too low for strict tools":                                                             400,
		"The prompt was blocked by our strict content policy":                                                         400,
		"The tools were filtered by the content management policy, not by json_schema":                                400,
		"overloaded: tool_choice, cache_control, strict and json_schema wait":                                         503,
	} {
		f := &adapters.Failure{Status: status, Message: words}
		assert.False(t, f.MayRefuseFormat(), words)
	}
	for _, words := range []string{"your account is restricted", "top_k must be strictly between 0 and 2"} {
		assert.False(t, (&adapters.Failure{Message: words}).MentionsStrict(), words)
	}
}

// If another form does not help, or is not tried, the error names the option.
func TestHint(t *testing.T) {
	const may, tried = "Config.SchemaInPrompt may help: ", "also with the schema in the prompt, as Config.SchemaInPrompt sends it: "
	for _, c := range []struct {
		status  int
		words   string
		refusal adapters.Refusal
		want    string
	}{
		{500, "template: anyOf has no type", adapters.NotRefused, may},
		{500, "response_format crashed me", adapters.NotRefused, may},
		{400, "", adapters.NotRefused, may},
		{404, "", adapters.NotRefused, ""},
		{500, "out of memory", adapters.NotRefused, ""},
		{400, "You exceeded your quota of structured output", adapters.NotRefused, ""},
		{400, "json_schema is not supported", adapters.FormatRefused, tried},
	} {
		f := &adapters.Failure{Status: c.status, Message: c.words}
		assert.Equal(t, c.want+"!", f.Hint("!", c.refusal, c.refusal != adapters.NotRefused), c.words)
	}
}

// What is parsed was said, whatever it is, and what is too deep is left out.
func FuzzParseFailure(f *testing.F) {
	for _, body := range []string{
		`{"error": {"message": {"detail": [{"loc": ["a", 1], "msg": "b"}]}, "code": 429, "innererror": [{"code": "x"}]}}`,
		`[[{"error": "x"}]]`, `{"error": "x", "message": ["y", {"msg": "z"}]}`, `{"detail": null}`, strings.Repeat(`{"message":`, 2000),
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got := adapters.ParseFailure(body)
		if got.Said() {
			assert.True(t, json.Valid(body))
		}
		assert.True(t, got.Status == 0 || got.Status >= 400 && got.Status < 600)
		assert.LessOrEqual(t, len(got.Message), 2*len(body)+8, "nothing is made up")
	})
}
