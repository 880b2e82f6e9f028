package scenarios_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

var (
	used = llm.Usage{InputTokens: 10, OutputTokens: 5} // what every reply of a script costs

	emptyReply = &llm.Response{FinishReason: "stop", Usage: used}
	cutReply   = &llm.Response{Text: `{"Status": "FINISH", "Result": "half of it"}`, FinishReason: "max_tokens", Usage: used}
	refusal    = &llm.Response{Text: "I would rather not: s3cret", FinishReason: "content_filter", Usage: used}
)

// badReplies are what cannot be used, and what the model is told about each.
var badReplies = map[string]struct {
	reply any
	told  string
}{
	"no JSON":          {"I will do it.", "there is no JSON object in it"},
	"forbidden status": {map[string]any{"Status": "MAYBE"}, `"MAYBE" is not allowed`},
	"empty":            {emptyReply, "the reply is empty"},
	"cut by length":    {cutReply, "the reply was cut by length; be shorter"},
}

// a token costs 2, so that a cost is not taken for a number of tokens.
func price(_ string, u llm.Usage) float64 { return 2 * float64(u.Total()) }

// Asking again is a call and no step. Two bad replies are made good; after four the agent is at ERROR.
func TestScenario27_BadReplies(t *testing.T) {
	for name, bad := range badReplies {
		for agent, before := range map[string][]any{"host": nil, "app": {assign("1", "extract")}} {
			for _, times := range []int{2, 4} {
				t.Run(fmt.Sprintf("%s, %s, %d times", name, agent, times), func(t *testing.T) {
					replies := append(slices.Clone(before), slices.Repeat([]any{bad.reply}, times)...)
					if times == 2 {
						replies = append(replies, slices.Repeat([]any{finish("done")}, 1+len(before))...)
					}
					s := onStage(t, replies...)
					s.Options.Price = price
					res, err := s.run("do it")
					assert.Equal(t, len(replies), res.Calls)
					assert.Equal(t, 15*len(replies), res.Usage.Total())
					assert.InDelta(t, 30*len(replies), res.Cost, 1e-9)
					step := s.Steps[2*len(before)]
					assert.Equal(t, min(times+1, 4), step.Calls)
					assert.InDelta(t, 30*step.Calls, step.Cost, 1e-9)
					for i := range min(times, 3) {
						assert.Contains(t, prompt[string](s, len(before)+1+i, "last_error"), bad.told)
						assert.NotEmpty(t, prompt[[]string](s, len(before)+1+i, "allowed_statuses"))
					}
					if times == 2 {
						require.NoError(t, err)
						assert.Equal(t, "done", res.Answer)
						return
					}
					givenUp(t, err, bad.reply)
					assert.Equal(t, fsm.Error, res.Status)
					assert.Equal(t, 1+len(before), res.Steps, "a fault is a step")
					assert.Equal(t, fsm.ByFault, step.By)
					assert.Empty(t, res.Answer, "nothing of a reply that was refused")
				})
			}
		}
	}
}

// givenUp checks the error of a model that gave the same bad reply four times.
func givenUp(t *testing.T, err error, reply any) {
	t.Helper()
	require.ErrorIs(t, err, round.ErrFault)
	require.ErrorIs(t, err, deciding.ErrReply)
	require.ErrorContains(t, err, "no usable reply in 4 attempts")
	if resp, ok := reply.(*llm.Response); ok {
		kind := llm.ErrEmpty
		if resp == cutReply {
			kind = llm.ErrCut
		}
		require.ErrorIs(t, err, kind)
		var call *llm.CallError
		require.ErrorAs(t, err, &call)
	}
}
