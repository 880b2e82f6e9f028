package scenarios_test

import (
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

func TestScenario27_BadBadGood(t *testing.T) {
	for name, bad := range badReplies {
		t.Run(name+", host", func(t *testing.T) {
			s := onStage(t, bad.reply, bad.reply, finish("done"))
			s.Options.Price = price
			res, err := s.run("do it")
			require.NoError(t, err)
			assert.Equal(t, "done", res.Answer)
			assert.Equal(t, []int{1, 3}, []int{res.Steps, res.Calls}, "re-asks are calls, no steps")
			assert.Equal(t, llm.Usage{InputTokens: 30, OutputTokens: 15}, res.Usage)
			assert.InDelta(t, 90, res.Cost, 1e-9)
			require.Len(t, s.Steps, 1)
			assert.Equal(t, 3, s.Steps[0].Calls)
			assert.Equal(t, res.Usage, s.Steps[0].Usage)
			assert.InDelta(t, 90, s.Steps[0].Cost, 1e-9)
			for _, i := range []int{1, 2} {
				assert.Contains(t, prompt[string](s, i, "last_error"), bad.told)
				assert.NotEmpty(t, prompt[[]string](s, i, "allowed_statuses"))
			}
		})
		t.Run(name+", app", func(t *testing.T) {
			s := onStage(t, assign("1", "extract"), bad.reply, bad.reply, finish("r1"), finish("done"))
			s.Options.Price = price
			res, err := s.run("do it")
			require.NoError(t, err)
			assert.Equal(t, []int{3, 5}, []int{res.Steps, res.Calls})
			assert.Equal(t, 75, res.Usage.Total())
			assert.InDelta(t, 150, res.Cost, 1e-9)
			assert.Contains(t, prompt[string](s, 3, "last_error"), bad.told)
			assert.Equal(t, "FINISH", res.Subtasks[0].Status)
		})
	}
}

func TestScenario27_FourTimesBad(t *testing.T) {
	for name, bad := range badReplies {
		t.Run(name+", host", func(t *testing.T) {
			s := onStage(t, bad.reply, bad.reply, bad.reply, bad.reply)
			s.Options.Price = price
			res, err := s.run("do it")
			givenUp(t, err, bad.reply)
			assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:ERROR"}, s.positions())
			assert.Equal(t, fsm.Error, res.Status)
			assert.Equal(t, []int{1, 4}, []int{res.Steps, res.Calls}, "a fault is a step")
			assert.Equal(t, llm.Usage{InputTokens: 40, OutputTokens: 20}, res.Usage)
			assert.InDelta(t, 120, res.Cost, 1e-9)
			assert.Equal(t, 4, s.Steps[0].Calls)
			assert.Equal(t, fsm.ByFault, s.Steps[0].By)
			assert.Empty(t, res.Answer, "nothing of a reply that was refused")
		})
		t.Run(name+", app", func(t *testing.T) {
			s := onStage(t, assign("1", "extract"), bad.reply, bad.reply, bad.reply, bad.reply)
			s.Options.Price = price
			res, err := s.run("do it")
			givenUp(t, err, bad.reply)
			assert.Equal(t, []int{2, 5}, []int{res.Steps, res.Calls})
			assert.Equal(t, 75, res.Usage.Total())
			assert.InDelta(t, 150, res.Cost, 1e-9)
			require.Len(t, res.Subtasks, 1)
			assert.Equal(t, "ERROR", res.Subtasks[0].Status)
			assert.Contains(t, res.Subtasks[0].Reason, "no usable reply in 4 attempts")
		})
	}
}

// givenUp checks the error of a model that gave the same bad reply four times.
func givenUp(t *testing.T, err error, reply any) {
	t.Helper()
	require.ErrorIs(t, err, round.ErrFault)
	var given *deciding.ReplyError
	require.ErrorAs(t, err, &given)
	assert.Equal(t, 4, given.Attempts)
	if resp, ok := reply.(*llm.Response); ok {
		assert.Equal(t, resp.Text, given.Reply)
		kind := llm.ErrEmpty
		if resp == cutReply {
			kind = llm.ErrCut
		}
		require.ErrorIs(t, err, kind)
		var call *llm.CallError
		require.ErrorAs(t, err, &call)
	}
}

// The words of a reply that was cut are fenced like those of any other, though
// they happen to be whole JSON, and secrets in them are known.
func TestScenario27_ACutReplyIsNotUsed(t *testing.T) {
	s := onStage(t, cutReply, finish("all of it"))
	res, err := s.run("do it")
	require.NoError(t, err)
	assert.Equal(t, "all of it", res.Answer)
	assert.Contains(t, prompt[string](s, 1, "refused_reply"), "half of it")
	assert.NotContains(t, string(s.Steps[0].Decision), "half", "it is no decision")
}
