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

// A server that does not hold models to tools is asked once more with the open ones. That is remembered, for these
// tools alone where it was about their schemas, and each response says so.
func testStrictTools(t *testing.T, a Adapter) {
	const strict = `"strict":true`
	good := JSON(http.StatusOK, a.Called("", clicks(), ""))
	refuses := func(word, words string) http.HandlerFunc {
		return RefusesWord(word, RefusesWord(strict, JSON(http.StatusBadRequest, a.Failure(words)), good), good)
	}
	odd := Tooled("click it")
	odd.Tools[0].Strict = []byte(strings.Replace(string(odd.Tools[0].Strict), `"z"`, `"Odd"`, 2))
	for name, c := range map[string]struct {
		server http.HandlerFunc
		asked  []*llm.Request
		sent   string // of each request
		noted  string // of each response
	}{
		"taken":          {good, []*llm.Request{Tooled("a"), Tooled("b")}, "++", "++"},
		"unknown field":  {refuses(strict, "tools.0.custom.strict: Extra inputs are not permitted"), []*llm.Request{Tooled("a"), odd}, "+--", "--"},
		"no such schema": {refuses("Odd", "Invalid schema for function 'click'"), []*llm.Request{odd, odd, Tooled("a")}, "+--+", "--+"},
		"too complex":    {refuses("Odd", "The compiled grammar is too large"), []*llm.Request{odd, odd, Tooled("a")}, "+--+", "--+"},
	} {
		t.Run(name, func(t *testing.T) {
			s := Serve(t, c.server)
			m := a.at(t, s)
			noted, sent := "", ""
			mark := func(open bool) string {
				if open {
					return "-"
				}
				return "+"
			}
			for _, req := range c.asked {
				resp, err := m.Complete(t.Context(), req)
				require.NoError(t, err)
				assert.Equal(t, clicks(), resp.Calls)
				if len(resp.Repairs) > 0 {
					assert.Equal(t, []llm.Repair{{Kind: repair.NotStrict, Count: 1}}, resp.Repairs)
				}
				noted += mark(len(resp.Repairs) > 0)
			}
			for _, body := range s.Sent() {
				open := !strings.Contains(body, strict)
				assert.Equal(t, open, strings.Contains(body, `{"type":"object","properties":{"z":{"type":"string"},`), "the open form")
				sent += mark(open)
			}
			assert.Equal(t, c.sent, sent)
			assert.Equal(t, c.noted, noted)
		})
	}

	// Where the open form does not help, the next request is strict again.
	s := Serve(t, JSON(http.StatusBadRequest, a.Failure("invalid schema, whatever it is")))
	m := a.at(t, s)
	for range 2 {
		assert.Contains(t, CallError(t, m, Tooled("click it")).Message, "does not take these tools: ")
	}
	require.Len(t, s.Sent(), 4)
	assert.Contains(t, s.Sent()[2], strict)
}
