package adapterstest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/llm"
)

// Fuzz lets a server answer anything. It begins with these bodies, with those of the Adapter and with a few that are
// none.
func Fuzz(f *testing.F, a Adapter, bodies ...string) {
	const marker = "the secret plan of the company"
	for _, body := range []any{a.Reply("hi", true), a.Failure("oops " + Key)} {
		text, err := json.Marshal(body)
		require.NoError(f, err)
		bodies = append(bodies, string(text))
	}
	for _, body := range append(bodies, "", "null", `"text"`, "{}", "<html>"+Key, strings.Repeat("[", 1000)) {
		for _, status := range []int{200, 400, 429} {
			f.Add(status, body)
		}
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		if status < 200 || status > 599 || strings.Contains(body, marker) {
			return // what http.Server never answers, and what is asked
		}
		m := a.Model(t, "http://host.test", nil, func(r *http.Request) (*http.Response, error) {
			answer := answered(r, strings.NewReader(body))
			answer.StatusCode = status
			return answer, nil
		})
		resp, err := m.Complete(t.Context(), Structured(t, marker))
		var call *llm.CallError
		switch {
		case err == nil:
			assert.Less(t, status, 300)
			assert.GreaterOrEqual(t, resp.Usage.InputTokens, 0)
			assert.GreaterOrEqual(t, resp.Usage.OutputTokens, 0)
		case assert.ErrorAs(t, err, &call):
			assert.NotContains(t, err.Error(), Key)
			assert.NotContains(t, err.Error(), marker)
			assert.LessOrEqual(t, len(err.Error()), 4*clip.Message)
			assert.True(t, errors.Is(err, llm.ErrSlow) || call.Kind != nil, "whatever a server says has a kind: %v", err)
		}
	})
}
