package deciding_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// A reply that is empty or cut is fed back, with words that help.
func TestAskFeedsBackWhatIsNoReply(t *testing.T) {
	whole := &llm.Response{Text: `{"Status": "FINISH", "Count": 1}`, FinishReason: "length"}
	for name, c := range map[string]struct {
		reply     any
		maxTokens int
		told      string
		shown     string
	}{
		"empty":                    {"", 0, "the reply is empty", ""},
		"an empty one, as error":   {&llm.CallError{Kind: llm.ErrEmpty}, 0, "the reply is empty", ""},
		"cut":                      {&llm.Response{Text: `{"Status": "FIN`, FinishReason: "max_tokens"}, 0, "the reply was cut by length; be shorter", `{"Status": "FIN`},
		"cut, by a bound of ours":  {&llm.Response{FinishReason: "length"}, 99, "the reply was cut by length; be shorter: it can have 99 tokens", ""},
		"cut, and whole by chance": {whole, 0, "the reply was cut by length; be shorter", whole.Text},
	} {
		t.Run(name, func(t *testing.T) {
			var record sink
			model := llmtest.Script(t, c.reply, `{"Status": "CONTINUE"}`)
			d, err := deciding.Ask(trace.With(t.Context(), &record), deciding.Inquiry[decision]{Model: model, Allowed: allowed, MaxTokens: c.maxTokens})
			require.NoError(t, err)
			assert.Equal(t, decision{fsm.Continue, 0}, d)
			assert.Len(t, record.refused, 1)
			assert.Equal(t, c.told, llmtest.Section[string](t, model.Last(), "last_error"))
			assert.Equal(t, c.shown, llmtest.Section[string](t, model.Last(), "refused_reply"))
		})
	}
}

// Secrets of a reply that was cut are announced: it stays in the prompt.
func TestAskShowsACutReplyToSeen(t *testing.T) {
	var seen []int
	cut := &llm.Response{Text: `{"Status": "FINISH", "Count": 4}`, FinishReason: "length"}
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{
		Model: llmtest.Script(t, cut, `{"Status": "FINISH", "Count": 5}`), Allowed: allowed,
		Seen: func(_ context.Context, d decision) { seen = append(seen, d.Count) },
		Check: func(d decision) error {
			assert.Equal(t, 5, d.Count, "what was cut is not checked further")
			return nil
		},
	})
	require.NoError(t, err)
	assert.Equal(t, []int{4, 5}, seen)
}

// Other errors of a model end the inquiry, also where an earlier model of a
// fallback was the one that said nothing.
func TestAskStopsAtARefusal(t *testing.T) {
	empty, gone := &llm.Response{}, &llm.CallError{Kind: llm.ErrRejected}
	for name, c := range map[string]struct {
		model llm.Model
		is    error
	}{
		"refused":              {llmtest.Script(t, &llm.Response{Text: "no", FinishReason: "refusal"}), llm.ErrRefused},
		"empty, then rejected": {llm.Fallback(llmtest.Script(t, empty), llmtest.Script(t, gone)), llm.ErrRejected},
		"empty, then unknown":  {llm.Fallback(llmtest.Script(t, empty), llmtest.Script(t, io.EOF)), io.EOF},
		"nested":               {llm.Fallback(llmtest.Script(t, empty), llm.Fallback(llmtest.Script(t, empty), llmtest.Script(t, io.EOF))), io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{Model: c.model, Allowed: allowed})
			require.ErrorIs(t, err, c.is)
			require.NotErrorIs(t, err, deciding.ErrReply)
		})
	}
	slow := &llm.CallError{Kind: llm.ErrSlow}
	_, err := deciding.Ask(t.Context(), deciding.Inquiry[decision]{
		Model: llm.Fallback(llmtest.Script(t, slow, slow), llmtest.Script(t, empty, empty)), Allowed: allowed, MaxReasks: 1,
	})
	require.ErrorIs(t, err, llm.ErrEmpty)
	require.ErrorIs(t, err, deciding.ErrReply, "the last one said nothing, so it is asked again")
}
