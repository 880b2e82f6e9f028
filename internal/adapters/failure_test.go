package adapters_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/internal/adapters"
)

// The forms are those of servers.
func TestParseFailure(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want adapters.Failure
	}{
		"object": {
			`{"error": {"message": "no", "type": "invalid_request_error", "param": "response_format", "code": "bad"}}`,
			adapters.Failure{Message: "no", Kind: "invalid_request_error", Param: "response_format", Code: "bad"},
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
