package observe_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/proof"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/round/observe"
)

// Every outcome has its record, and those without a step of their own above all.
func TestSlogResult(t *testing.T) {
	budget := &round.Error{Outcome: round.OverBudget, Err: &round.BudgetError{Bound: "MaxSteps", Limit: "3"}}
	for o, c := range map[round.Outcome]struct {
		err  error
		want string
	}{
		round.Finished:   {nil, `level=INFO msg="round ended" agentfsm.outcome=FINISH`},
		round.Failed:     {&round.Error{Outcome: round.Failed}, `level=WARN msg="round ended" agentfsm.outcome=FAIL`},
		round.Faulted:    {fmt.Errorf("late: %w", io.EOF), `level=ERROR msg="round ended" agentfsm.outcome=ERROR`},
		round.OverBudget: {budget, `level=WARN msg="round stopped" agentfsm.outcome=BUDGET`},
		round.Suspended:  {&round.Error{Outcome: round.Suspended}, `level=INFO msg="round stopped" agentfsm.outcome=SUSPENDED`},
		round.Unfinished: {nil, `level=INFO msg="round stopped" agentfsm.outcome=UNFINISHED`},
		"ANOTHER":        {nil, `level=ERROR msg="round ended" agentfsm.outcome=ANOTHER`},
	} {
		var out bytes.Buffer
		observe.SlogResult(untimed(&out, slog.LevelDebug), nil)(round.Result{Outcome: o, Agent: host, Status: fsm.Continue, Answer: "42", Steps: 3, Err: c.err})
		assert.Contains(t, out.String(), c.want+` gen_ai.agent.name=HostAgent agentfsm.status=CONTINUE`)
		assert.NotContains(t, out.String(), "42", "the answer is the caller's")
		assert.Equal(t, c.err != nil, bytes.Contains(out.Bytes(), []byte("exception.message=")))
		if o == round.OverBudget {
			assert.Contains(t, out.String(), "error.type=*round.BudgetError")
		}
	}

	var out bytes.Buffer
	observe.SlogResult(untimed(&out, slog.LevelInfo), nil)(storyResult())
	assert.Equal(t, `level=ERROR msg="round ended" agentfsm.outcome=ERROR gen_ai.agent.name=HostAgent agentfsm.status=ERROR agentfsm.reason="out of handles\nof any kind" `+
		`agentfsm.round.steps=3 agentfsm.round.transitions=0 agentfsm.round.calls=0 agentfsm.round.input_tokens=1400 agentfsm.round.output_tokens=150 `+
		`agentfsm.round.cache_read_tokens=120 agentfsm.round.cache_creation_tokens=60 agentfsm.round.reasoning_tokens=20 agentfsm.round.cost=1.2105`+
		"\n", out.String())

	h := &checking{t: t, level: slog.LevelError, messages: map[string]int{}}
	opts := &observe.SlogOptions{Context: context.WithValue(t.Context(), traceKey{}, "trace 7")}
	observe.SlogResult(slog.New(h), opts)(round.Result{})
	assert.Empty(t, h.messages, "a level that is off")
	h.level = slog.LevelInfo
	observe.SlogResult(slog.New(h), opts)(round.Result{})
	assert.Equal(t, []any{"trace 7"}, h.keys)
}

// Both records say how far the answer can be trusted, and what of the request was not done.
func TestRecordsOfAProvedRound(t *testing.T) {
	res := round.Result{
		Outcome: round.Finished, Agent: host, Status: fsm.Finish,
		Verified: &proof.Finding{Verdict: proof.Unknown, By: "a second model", Evidence: "nothing is seen"},
		Partial: []proof.Undone{
			{ID: "subtask_2", Task: "draw", Status: proof.Failed, Reason: "no chart"},
			{Task: "mail it", Status: proof.Dropped},
		},
	}
	var log, lines bytes.Buffer
	observe.SlogResult(untimed(&log, slog.LevelInfo), nil)(res)
	assert.Contains(t, log.String(), `agentfsm.status=FINISH agentfsm.verified=unknown agentfsm.verified.by="a second model" agentfsm.verified.evidence="nothing is seen" `+
		`agentfsm.partial=2 agentfsm.partial.parts="subtask_2 \"draw\" failed: no chart; \"mail it\" dropped" agentfsm.round.steps=0`)
	require.NoError(t, round.JSONLResult(&lines, res))
	assert.Contains(t, lines.String(), `"partial":[{"id":"subtask_2","task":"draw","status":"failed","reason":"no chart"},{"task":"mail it","status":"dropped"}],`+
		`"verified":{"verdict":"unknown","by":"a second model","evidence":"nothing is seen"}`)

	log.Reset()
	lines.Reset()
	res.Verified, res.Partial = nil, nil
	observe.SlogResult(untimed(&log, slog.LevelInfo), nil)(res)
	require.NoError(t, round.JSONLResult(&lines, res))
	assert.NotContains(t, log.String()+lines.String(), "partial")
	assert.NotContains(t, log.String()+lines.String(), "verified")
}

// The whole record of a run that waits for an answer and then goes on.
func TestRecordsOfASuspendedRound(t *testing.T) {
	var log, lines bytes.Buffer
	logger := untimed(&log, slog.LevelInfo)
	there := false
	w := &waiter{user: people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		if !there {
			return people.Answer{}, fsm.ErrSuspend
		}
		return people.Answer{Text: "blue", Approved: true}, nil
	})}
	r, err := round.New(w, "paint the door", &round.Options{Observe: observe.All(round.JSONL(&lines), observe.Slog(logger, nil))})
	require.NoError(t, err)
	for _, there = range []bool{false, true} {
		res, err := r.Run(t.Context())
		assert.Equal(t, there, err == nil)
		require.NoError(t, round.JSONLResult(&lines, res))
		observe.SlogResult(logger, nil)(res)
	}
	assert.Equal(t, `{"v":1,"result":{"outcome":"SUSPENDED","agent":"painter","status":"CONTINUE","reason":"waiting for an answer to: Which colour?","steps":0,"transitions":0,"calls":0,"usage":{"input_tokens":0,"output_tokens":0},"error":"round: suspended: painter:CONTINUE: waiting for an answer to: Which colour?"}}`, line(t, &lines))
	assert.Contains(t, line(t, &lines), `{"v":1,"seq":1,"agent":"painter"`)
	assert.Equal(t, `{"v":1,"result":{"outcome":"FINISH","agent":"painter","status":"FINISH","steps":0,"transitions":1,"calls":0,"usage":{"input_tokens":0,"output_tokens":0}}}`, line(t, &lines))
	assert.Contains(t, line(t, &log), `level=INFO msg="round stopped" agentfsm.outcome=SUSPENDED`)
	assert.Contains(t, line(t, &log), `level=WARN msg=question`, "nobody answered")
	assert.Contains(t, line(t, &log), `level=INFO msg=question`)
	assert.Contains(t, line(t, &log), `msg=transition`)
	assert.Contains(t, line(t, &log), `level=INFO msg="round ended" agentfsm.outcome=FINISH`)
}

// line takes the next line out of what was written.
func line(t *testing.T, b *bytes.Buffer) string {
	t.Helper()
	text, err := b.ReadString('\n')
	require.NoError(t, err)
	return text[:len(text)-1]
}

// waiter asks a person, and is done with the answer.
type waiter struct {
	fsm.Position
	user   people.User
	colour string
}

var waiters = fsm.Table("Painter",
	[]fsm.Row[*waiter]{{Status: fsm.Continue, Handle: (*waiter).ask}, {Status: fsm.Finish, RoundEnd: true}},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.ByUser})

func (w *waiter) Name() string                          { return "painter" }
func (w *waiter) States() fsm.Set                       { return waiters }
func (w *waiter) Answer() string                        { return w.colour }
func (w *waiter) Begin(context.Context, fsm.Task) error { return nil }

func (w *waiter) ask(ctx context.Context) error {
	answer, err := people.Ask(ctx, w.user, people.Question{ID: "q1", Text: "Which colour?"}, 0)
	if err != nil {
		return err
	}
	w.colour = answer.Text
	w.Decide(fsm.Finish, fsm.ByUser, "")
	return nil
}
