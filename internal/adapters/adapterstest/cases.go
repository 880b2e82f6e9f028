package adapterstest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// Broken is an answer that is no reply, and what an adapter makes of it.
type Broken struct {
	Answer http.HandlerFunc
	Kind   error
	Text   string // of the error, whole
}

// RunBroken asks once for each case. The request quotes what no error may have.
func RunBroken(t *testing.T, a Adapter, cases map[string]Broken) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := Serve(t, c.Answer)
			call := CallError(t, a.at(t, s), Ask("this is the secret plan of the company, keep it"))
			require.ErrorIs(t, call, c.Kind)
			assert.EqualError(t, call, c.Text)
			assert.Len(t, s.Sent(), 1, "the SDK does not try again")
		})
	}
}

// How often a server is asked for two replies.
const (
	Remembered = 3 // it refuses any schema, which is remembered
	Repeated   = 4 // it refuses this schema
	Final      = 2 // it refuses something else
)

// RunFormat tests what an adapter does without the help of the server. The cases are what servers answer to a request
// with a schema, by how often they are asked. A model behind refusal would not answer.
func RunFormat(t *testing.T, a Adapter, refusal http.HandlerFunc, cases map[int]map[string]http.HandlerFunc) {
	t.Helper()
	const good = `{"Answer": "42"}`
	field := `"` + a.Format + `"`
	refused := a.fails(http.StatusBadRequest, "json_schema is not supported, and nothing else is")
	ask := func(t *testing.T, server http.HandlerFunc, each func(*llm.Response, error)) (sent []string) {
		t.Helper()
		s := Serve(t, server)
		m := a.at(t, s)
		for range 2 {
			each(llm.Complete(t.Context(), m, Structured(t, "how much?")))
		}
		return s.Sent()
	}
	cases[Remembered]["plain text"] = Raw(http.StatusNotImplemented, "text/plain", "JSONSchema?")
	for asked, answers := range cases {
		for name, answer := range answers {
			t.Run(name, func(t *testing.T) {
				sent := ask(t, Refuses(field, answer, a.says(good)), func(resp *llm.Response, err error) {
					if asked == Final {
						require.Error(t, err)
						return
					}
					require.NoError(t, err)
					assert.Equal(t, good, resp.Text)
					assert.Equal(t, []llm.Repair{{Kind: repair.InPrompt, Count: 1}}, resp.Repairs)
				})
				require.Len(t, sent, asked)
				assert.Contains(t, sent[0], field)
				if asked == Final {
					assert.Equal(t, sent[0], sent[1])
					return
				}
				assert.NotContains(t, sent[1], field)
				assert.Contains(t, sent[1], "fits this JSON Schema")
			})
		}
	}
	t.Run("in vain", func(t *testing.T) {
		sent := ask(t, refused, func(_ *llm.Response, err error) {
			require.ErrorIs(t, err, llm.ErrRejected)
			require.ErrorContains(t, err, "also with the schema in the prompt, as Config.SchemaInPrompt sends it: ")
		})
		require.Len(t, sent, 4, "it was not the format")
	})
	t.Run("before a refusal", func(t *testing.T) {
		sent := ask(t, Refuses(field, refused, refusal), func(_ *llm.Response, err error) {
			require.ErrorIs(t, err, llm.ErrRefused)
		})
		require.Len(t, sent, 3, "the model was asked all the same")
	})
	t.Run("without a schema", func(t *testing.T) {
		s := Serve(t, refused)
		require.ErrorIs(t, CallError(t, a.at(t, s), Ask("how much?")), llm.ErrRejected)
		assert.Len(t, s.Sent(), 1)
	})
}
