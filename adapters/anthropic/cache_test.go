package anthropic_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// cached is a request that says what to cache.
func cached(t *testing.T) *llm.Request {
	t.Helper()
	req := adapterstest.Strict(t, "how much?", "Answer")
	req.Messages = append([]llm.Message{{Role: llm.System, Parts: []llm.Part{{Text: "Count.", CacheBreakpoint: true}}}}, req.Messages...)
	return req
}

// A server that does not know cache_control is asked once more without it. That is remembered, and each response that
// goes without says so.
func TestCacheControlIsForgone(t *testing.T) {
	const cache, format = `"cache_control"`, `"output_config"`
	good := says(`{"Answer": "42"}`, "end_turn")
	refuses := func(word string, status int, words string, otherwise http.HandlerFunc) http.HandlerFunc {
		return adapterstest.Refuses(word, fails(status, "invalid_request_error", words), otherwise)
	}
	words := "system.0.cache_control: Extra inputs are not permitted"
	for name, c := range map[string]struct {
		server http.HandlerFunc
		sent   string // with cache_control, of each request
		noted  []string
	}{
		"taken":       {good, "++", nil},
		"refused":     {refuses(cache, 400, words, good), "+--", []string{repair.NoCache}},
		"and formats": {refuses(cache, 400, words, refuses(format, 400, "output_config: Extra inputs are not permitted", good)), "+---", []string{repair.NoCache, repair.InPrompt}},
		"a router":    {refuses(cache, 422, "prompt caching is not supported here", good), "+--", []string{repair.NoCache}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.server)
			m := s.model(t, nil)
			for range 2 {
				resp, err := m.Complete(t.Context(), cached(t))
				require.NoError(t, err)
				var noted []string
				for _, r := range resp.Repairs {
					noted = append(noted, r.Kind)
				}
				assert.Equal(t, c.noted, noted)
			}
			sent := ""
			for _, body := range s.Sent() {
				sent += map[bool]string{true: "+", false: "-"}[strings.Contains(body, cache)]
				assert.Contains(t, body, "Count.")
			}
			assert.Equal(t, c.sent, sent)
			resp, err := m.Complete(t.Context(), adapterstest.Ask("how much?"))
			require.NoError(t, err)
			assert.Empty(t, resp.Repairs, "nothing was to be cached")
		})
	}

	for _, words := range []string{"cache_control: whatever you send", "overloaded by cache_control"} {
		status := map[bool]int{true: 400, false: 529}[strings.HasPrefix(words, "cache")]
		s := serve(t, fails(status, "invalid_request_error", words))
		m := s.model(t, nil)
		for range 2 {
			require.Error(t, adapterstest.CallError(t, m, cached(t)))
		}
		sent := s.Sent()
		require.Len(t, sent, map[int]int{400: 4, 529: 2}[status])
		assert.Contains(t, sent[len(sent)/2], cache, "it was not that")
	}
}
