package adapterstest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// plain answers with a text, as small servers do.
func plain(status int, words string) http.HandlerFunc {
	return Raw(status, "text/plain; charset=utf-8", words)
}

// A short text is the message of an error. Pages, broken JSON and what is no text are not.
func testPlainBodies(t *testing.T, a Adapter) {
	secret := "this is the secret plan of the company"
	for body, want := range map[string]string{
		"no such thing\n  at all\n":              "no such thing at all",
		`"no such thing"`:                        "no such thing",
		`{"errors": [{"msg": "no such thing"}]}`: "no such thing",
		`{"msg": "no such thing"}`:               "no such thing",
		"red \x1b[31m and \u202eturned":          `red \u001b[31m and \u202eturned`,
		"the key " + Key + " is odd":             "the key *** is odd",
		"what is '" + secret + "'?":              "(it quotes the request)",
		"":                                       "Bad Request",
		"\n<!DOCTYPE html><p>no such thing":      "Bad Request",
		`{"message": "no su`:                     "Bad Request",
		`{"other": "no such thing"}`:             "Bad Request",
		"\xff\xfe\x00no such thing":              "Bad Request",
		strings.Repeat("a trace of it ", 1000):   "Bad Request",
	} {
		call := CallError(t, a.at(t, Serve(t, plain(400, body))), Ask(secret+", keep it"))
		require.ErrorIs(t, call, llm.ErrRejected)
		assert.Equal(t, want, call.Message)
	}
	long := CallError(t, a.at(t, Serve(t, plain(400, strings.Repeat("a trace of it ", 250)))), Ask("hello"))
	assert.Contains(t, long.Error(), ": a trace of it a trace")
	assert.Less(t, len(long.Error()), 400)
}

// others are errors that another form of the request cannot help.
var others = []struct {
	status int
	words  string
}{
	{400, "This model's maximum context length is 8192 tokens, and 500 of yours are in the functions. Send less tools."},
	{400, "prompt is too long: 210000 tokens > 200000 maximum, tools and json_schema included"},
	{400, "the request exceeds the available context size, try a smaller json schema"},
	{422, "input tokens exceed the limit: leave out response_format, output_format or tool_choice"},
	{400, "Rate limit: too many requests with tool_choice"},
	{429, "Rate limit reached for requests with response_format json_schema, output_format, strict or cache_control"},
	{400, "Invalid API key for structured outputs"},
	{401, "json_schema: no such key"},
	{403, "strict: tool_choice and cache_control are not for you"},
	{400, "You exceeded your quota of structured output"},
	{400, "Your credit balance is too low for strict tools"},
	{400, "The prompt was blocked by our strict content policy"},
	{400, "The tools were filtered by the content management policy, not by json_schema"},
	{400, "your account is restricted"},
	{422, "top_k must be strictly between 0 and 2"},
	{503, "overloaded: tool_choice, cache_control, strict and json_schema wait"},
	{404, "no such model"},
}

// Whatever an error mentions that is about something else, it is asked for nothing twice, and nothing is remembered.
func testOtherErrors(t *testing.T, a Adapter) {
	for _, c := range others {
		for name, answer := range map[string]http.HandlerFunc{"plain": plain(c.status, c.words), "JSON": JSON(c.status, a.Failure(c.words))} {
			t.Run(c.words+", "+name, func(t *testing.T) {
				s := Serve(t, answer)
				m := a.at(t, s)
				cached := Strict(t, "how much?", "Answer")
				cached.Messages = append([]llm.Message{{Role: llm.System, Parts: []llm.Part{{Text: "Count.", CacheBreakpoint: true}}}}, cached.Messages...)
				for range 2 {
					call := CallError(t, m, cached)
					assert.NotContains(t, call.Message, "SchemaInPrompt")
				}
				tooled := CallError(t, m, Tooled("click it"))
				assert.NotContains(t, tooled.Message, "does not take these tools")
				sent := s.Sent()
				require.Len(t, sent, 3)
				assert.Equal(t, sent[0], sent[1])
				assert.NotContains(t, sent[1], "fits this JSON Schema")
				assert.Contains(t, sent[2], a.Must)
				assert.Contains(t, sent[2], `"strict":true`)
			})
		}
	}
}

// Where another form does not help, or is not tried, the error names the option.
func testHints(t *testing.T, a Adapter) {
	const may, tried = "Config.SchemaInPrompt may help: ", "also with the schema in the prompt, as Config.SchemaInPrompt sends it: "
	for _, c := range []struct {
		status int
		words  string
		want   string // of the message
	}{
		{500, "template: anyOf has no type", may + "template: anyOf has no type"},
		{500, "response_format crashed me", may + "response_format crashed me"},
		{400, "", may + "Bad Request"},
		{404, "", "Not Found"},
		{500, "out of memory", "out of memory"},
		{400, "json_schema is not supported, and nothing else is", tried + "json_schema is not supported, and nothing else is"},
	} {
		m := a.at(t, Serve(t, plain(c.status, c.words)))
		assert.Equal(t, c.want, CallError(t, m, Strict(t, "how much?", "Answer")).Message)
		assert.NotContains(t, CallError(t, m, Ask("how much?")).Message, "SchemaInPrompt", "there is no schema")
	}
}

// What a server says in a plain text is understood as in JSON, with tools and without, and each reply says what was
// left out.
func testPlainRefusals(t *testing.T, a Adapter) {
	for _, status := range []int{400, 404, 422, 501} {
		for _, words := range []string{ // what servers say
			"json_schema is not supported", "Unknown parameter: " + a.Format, "structured outputs: not implemented", "JSONSchema?", "strict: unknown",
		} {
			s := Serve(t, Refuses(a.Format, plain(status, words), a.says(`{"Answer": "42"}`)))
			m := a.at(t, s)
			for range 2 {
				resp, err := m.Complete(t.Context(), Strict(t, "how much?", "Answer"))
				require.NoError(t, err, words)
				assert.Equal(t, []llm.Repair{{Kind: repair.InPrompt, Count: 1}}, resp.Repairs)
			}
			sent := s.Sent()
			assert.NotContains(t, sent[len(sent)-1], `"`+a.Format+`"`)
			assert.NotContains(t, sent[len(sent)-2], `"`+a.Format+`"`, "it is remembered")
		}
		called := JSON(http.StatusOK, a.Called("", clicks(), ""))
		for field, words := range map[string]string{`"` + a.Choice + `"`: "Unknown parameter: tool_choice", `"strict"`: "Unknown parameter: strict"} {
			s := Serve(t, RefusesWord(field, plain(status, words), called))
			m := a.at(t, s)
			for range 2 {
				resp, err := m.Complete(t.Context(), Tooled("click it"))
				require.NoError(t, err, words)
				assert.Len(t, resp.Repairs, 1)
			}
			assert.Len(t, s.Sent(), 3)
		}
	}
}
