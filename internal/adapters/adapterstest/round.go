package adapterstest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Turns is what a model says in a round over two applications, one of whose tools a
// person has to allow.
var Turns = []string{
	`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract the table"}`,
	`{"Status": "CONTINUE", "Function": "texts", "ControlLabel": "t1"}`,
	`{"Status": "FINISH", "Result": [4, 7]}`,
	`{"Status": "ASSIGN", "ControlLabel": "1", "CurrentSubTask": "write the table"}`,
	`{"Status": "CONTINUE", "Function": "replace_file"}`,
	`{"Status": "FINISH", "Result": "written"}`,
	`{"Status": "FINISH", "Result": "The table is in Excel."}`,
}

// Ran is what came of a round.
type Ran struct {
	Result round.Result
	Err    error
	Went   []string // its positions
	Asked  []string // the tools that a person allowed
	round  *round.Round
}

// RunRound runs the round of Turns with a model. opts may be nil.
func RunRound(ctx context.Context, t testing.TB, model llm.Model, opts *round.Options) Ran {
	t.Helper()
	return runRound(ctx, t, model, false, opts)
}

// RunRoundInCalls runs it with a model that replies with calls.
func RunRoundInCalls(ctx context.Context, t testing.TB, model llm.Model, opts *round.Options) Ran {
	t.Helper()
	return runRound(ctx, t, model, true, opts)
}

func runRound(ctx context.Context, t testing.TB, model llm.Model, calls bool, opts *round.Options) (ran Ran) {
	t.Helper()
	word := &desktoptest.App{
		Root: "word", Process: "report.docx", Running: true,
		Controls: []desktop.Control{{ID: "t1", Type: "Table", Value: "2023 4, 2024 7"}},
	}
	excel := &desktoptest.App{Root: "excel", Process: "book", Tools: []desktoptest.Tool{
		{Name: "replace_file", Annotations: desktop.Annotations{DestructiveHint: true}},
	}}
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{
			Model: model, ToolCalls: calls, Desktop: desktoptest.New(t, word, excel), User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				ran.Asked = append(ran.Asked, q.Command.ToolName)
				return people.Answer{Approved: true}, nil
			}),
		},
		Apps: []hostagent.Program{{Name: "excel"}},
	})
	require.NoError(t, err)
	if opts == nil {
		opts = &round.Options{}
	}
	opts.Observe = func(s round.Step) { ran.Went = append(ran.Went, string(s.To)) }
	r, err := round.New(host, "put the table into Excel", opts)
	require.NoError(t, err)
	ran.Result, ran.Err = r.Run(ctx)
	ran.round = r
	return ran
}

// Finishes asserts that a round of Turns did all that it should.
func (r Ran) Finishes(t testing.TB) {
	t.Helper()
	require.NoError(t, r.Err)
	assert.Equal(t, round.Finished, r.Result.Outcome)
	assert.Equal(t, "The table is in Excel.", r.Result.Answer)
	assert.Equal(t, []string{
		"ASSIGN", "CONTINUE", "CONTINUE", "FINISH", "CONTINUE", "ASSIGN", "CONTINUE", "CONFIRM", "CONTINUE", "FINISH", "CONTINUE", "FINISH",
	}, r.Went)
	assert.Equal(t, []string{"replace_file"}, r.Asked)
}

// script answers with these turns.
func (a Adapter) script(turns ...string) (answers []http.HandlerFunc) {
	for _, turn := range turns {
		answers = append(answers, a.says(turn))
	}
	return answers
}

// A host and its agents work on two applications, with screenshots, and ask a person;
// the server fails in three ways in between.
func testRound(t *testing.T, a Adapter) {
	limited := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After-Ms", "20")
		a.fails(http.StatusTooManyRequests)(w, r)
	}
	var answers []http.HandlerFunc
	for i, turn := range Turns {
		switch i {
		case 1:
			answers = append(answers, a.fails(http.StatusInternalServerError))
		case 2:
			answers = append(answers, BreaksOff)
		case 4:
			answers = append(answers, limited)
		}
		answers = append(answers, a.says(turn))
	}
	var waits []time.Duration
	s := Serve(t, answers...)
	ran := RunRound(t.Context(), t, llm.Retry(a.at(t, s), &llm.RetryOptions{
		Base: -1, OnRetry: func(_ int, wait time.Duration, _ error) { waits = append(waits, wait) },
	}), nil)
	ran.Finishes(t)
	var used llm.Usage
	for range Turns {
		used = used.Add(a.Usage)
	}
	assert.Equal(t, used, ran.Result.Usage)
	assert.Equal(t, []time.Duration{0, 0, 20 * time.Millisecond}, waits, "as long as the server asked for")
	sent := s.Sent()
	require.Len(t, sent, 10)
	assert.Equal(t, sent[1], sent[2], "the same request again")
}

// A reply that was cut is fed back, and the agent goes on.
func testRoundAfterACutReply(t *testing.T, a Adapter) {
	s := Serve(t, JSON(http.StatusOK, a.Reply(`{"Status": "ASS`, false)), a.says(`{"Status": "FINISH", "Result": "done"}`))
	ran := RunRound(t.Context(), t, a.at(t, s), nil)
	require.NoError(t, ran.Err)
	assert.Equal(t, "done", ran.Result.Answer)
	assert.Equal(t, []string{"FINISH"}, ran.Went)
	require.Len(t, s.Sent(), 2)
	assert.NotContains(t, s.Sent()[0], "too long and was cut")
	assert.Contains(t, s.Sent()[1], "too long and was cut", "the model is told why it is asked again")
}

// Tokens that the provider counted are what a bound is about. The round goes on with a
// higher one.
func testRoundOverBudget(t *testing.T, a Adapter) {
	s := Serve(t, a.script(Turns...)...)
	ran := RunRound(t.Context(), t, a.at(t, s), &round.Options{MaxTokens: 2*a.Usage.Total() + 1})
	var over *round.BudgetError
	require.ErrorAs(t, ran.Err, &over)
	assert.Equal(t, "MaxTokens", over.Bound)
	assert.Equal(t, round.OverBudget, ran.Result.Outcome)
	assert.Equal(t, 3*a.Usage.Total(), ran.Result.Usage.Total())
	assert.Len(t, s.Sent(), 3, "the call that would have been the fourth is not made")

	ran.round.Adjust(func(o *round.Options) { o.MaxTokens = 0 })
	result, err := ran.round.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "The table is in Excel.", result.Answer)
	assert.Len(t, s.Sent(), len(Turns))
}

// A run that is cancelled while the provider thinks ends at once, and the provider is
// told. It goes on where it was.
func testRoundCancelled(t *testing.T, a Adapter) {
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan struct{})
	answers := a.script(Turns[0], "", Turns[1])
	answers[1] = func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
		close(left)
	}
	s := Serve(t, append(answers, a.script(Turns[2:]...)...)...)
	ran := RunRound(ctx, t, llm.Retry(a.at(t, s), nil), nil)
	require.ErrorIs(t, ran.Err, round.ErrCancelled)
	require.ErrorIs(t, ran.Err, context.Canceled)
	assert.Len(t, s.Sent(), 2, "nothing is tried again")
	<-left

	result, err := ran.round.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "The table is in Excel.", result.Answer)
	assert.Equal(t, 7*a.Usage.Total(), result.Usage.Total())
}

// A provider that asks to wait for hours is not waited for: the run ends with an error
// that says so.
func testRoundThatWouldWait(t *testing.T, a Adapter) {
	s := Serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After-Ms", "7200000")
		a.fails(http.StatusTooManyRequests)(w, r)
	})
	ran := RunRound(t.Context(), t, llm.Retry(a.at(t, s), nil), nil)
	require.ErrorIs(t, ran.Err, llm.ErrRateLimited)
	var call *llm.CallError
	require.ErrorAs(t, ran.Err, &call)
	assert.Equal(t, 2*time.Hour, call.RetryAfter)
	assert.Equal(t, round.Faulted, ran.Result.Outcome)
	assert.Len(t, s.Sent(), 1)
	assert.NotContains(t, ran.Err.Error(), Key)
}
