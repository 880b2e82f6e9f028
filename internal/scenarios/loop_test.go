package scenarios_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

func TestScenario01_TwoApplications(t *testing.T) {
	s, c := converse(t, "two_applications", nil)
	// What the text says is said here too, where -update does not reach.
	require.NoError(t, c.errs[0])
	assert.Equal(t, []string{
		"HostAgent:CONTINUE", "HostAgent:ASSIGN",
		"AppAgent/word/report:CONTINUE", "AppAgent/word/report:CONTINUE", "AppAgent/word/report:FINISH",
		"HostAgent:CONTINUE", "HostAgent:ASSIGN",
		"AppAgent/excel/book:CONTINUE", "AppAgent/excel/book:FINISH",
		"HostAgent:CONTINUE", "HostAgent:FINISH",
	}, s.positions())
	assert.Equal(t, round.Result{
		Outcome: round.Finished, Agent: "HostAgent", Status: fsm.Finish, Answer: "done",
		Steps: 6, Transitions: 10, Calls: 6, Usage: llm.Usage{InputTokens: 60, OutputTokens: 30},
		Subtasks: []blackboard.Subtask{
			{ID: "subtask_1", App: "word", Text: "extract", Status: "FINISH", Result: json.RawMessage(`"r1"`)},
			{ID: "subtask_2", App: "excel", Text: "chart", Status: "FINISH", Result: json.RawMessage(`"r2"`)},
		},
	}, c.results[0])
}

func TestScenario02_HandOverAsksTheHandledState(t *testing.T) {
	states := givers(t, fsm.Edge{From: "PASS", To: "WALK", Kind: "Taker", By: fsm.BySystem})
	require.NoError(t, states.Validate())
	var log []string
	a := &runner{name: "a", states: states, log: &log}
	a.give = &runner{name: "b", states: takers(t), log: &log}
	s := onStage(t)

	res, err := s.drive(a, "run").Run(t.Context())

	require.NoError(t, err)
	assert.Equal(t, "answer of a", res.Answer)
	assert.Equal(t, []string{"a:CONTINUE", "a:PASS", "b:WALK", "b:FINISH", "a:CONTINUE", "a:FINISH"}, s.positions())
	assert.Equal(t, "Giver", s.Steps[1].Kind)
	assert.Equal(t, "Taker", s.Steps[1].NextKind)
	assert.Equal(t, []string{
		"a: move to CONTINUE",
		"a:CONTINUE Handle CONTINUE", "a:CONTINUE NextState CONTINUE", "a:CONTINUE NextAgent CONTINUE", "a:CONTINUE move to PASS",
		"a:PASS Handle PASS", "a:PASS NextState PASS", "a:PASS NextAgent PASS", "b: move to WALK",
		"b:WALK Handle WALK", "b:WALK NextState WALK", "b:WALK NextAgent WALK", "b:WALK move to FINISH",
		"b:FINISH Handle FINISH", "b:FINISH NextState FINISH", "b:FINISH NextAgent FINISH", "a:PASS move to CONTINUE",
		"a:CONTINUE Handle CONTINUE", "a:CONTINUE NextState CONTINUE", "a:CONTINUE NextAgent CONTINUE", "a:CONTINUE move to FINISH",
	}, log, "the state that was handled is asked, on the agent that was, once, before anything moves; "+
		"the state that is entered is asked nothing, and one that ends the round is not handled")
}

// Each who hands over is remembered, not only the last one.
func TestScenario02_HandOverInAHandOver(t *testing.T) {
	states := givers(t,
		fsm.Edge{From: "PASS", To: fsm.Continue, Kind: "Giver", By: fsm.BySystem},
		fsm.Edge{From: "PASS", To: "WALK", Kind: fsm.AnyKind, By: fsm.BySystem})
	var log []string
	a := &runner{name: "a", states: states, log: &log}
	a.give = &runner{name: "b", states: states, log: &log}
	a.give.give = &runner{name: "c", states: takers(t), log: &log}
	s := onStage(t)

	_, err := s.drive(a, "run").Run(t.Context())

	require.NoError(t, err)
	assert.Equal(t, []string{
		"a:CONTINUE", "a:PASS", "b:CONTINUE", "b:PASS", "c:WALK", "c:FINISH",
		"b:CONTINUE", "b:FINISH", "a:CONTINUE", "a:FINISH",
	}, s.positions())
}

// A hand-over is an edge as any other: of that kind, to a status of that kind.
func TestScenario02_HandOverNeedsItsEdge(t *testing.T) {
	for name, c := range map[string]struct {
		edge fsm.Edge
		at   fsm.Status
		want error
	}{
		"another kind's edge": {fsm.Edge{From: "PASS", To: "WALK", Kind: "Other"}, "WALK", fsm.ErrNotAllowed},
		"the same agent's":    {fsm.Edge{From: "PASS", To: "WALK"}, "WALK", fsm.ErrNotAllowed},
		"another state's":     {fsm.Edge{From: fsm.Continue, To: "WALK", Kind: "Taker"}, "WALK", fsm.ErrNotAllowed},
		"to another status":   {fsm.Edge{From: "PASS", To: "WALK", Kind: "Taker"}, fsm.Finish, fsm.ErrNotAllowed},
		"the giver's status":  {fsm.Edge{From: "PASS", To: "PASS", Kind: "Taker"}, "PASS", fsm.ErrUnknownStatus},
	} {
		t.Run(name, func(t *testing.T) {
			c.edge.By = fsm.BySystem
			var log []string
			b := &runner{name: "b", states: takers(t), log: &log}
			a := &runner{name: "a", states: givers(t, c.edge), log: &log, give: b, at: c.at}
			s := onStage(t)

			res, err := s.drive(a, "run").Run(t.Context())

			require.ErrorIs(t, err, c.want)
			require.ErrorIs(t, err, round.ErrFault)
			assert.Equal(t, []string{"a:CONTINUE", "a:PASS", "a:ERROR"}, s.positions())
			assert.Equal(t, fsm.ByFault, s.Steps[1].By)
			assert.Equal(t, round.Faulted, res.Outcome)
			assert.Empty(t, b.Status(), "the other one was not touched")
		})
	}
}

// A result that is too long for a prompt travels whole by its reference.
func TestScenario03_LongResultsTravelByReference(t *testing.T) {
	long := make([]string, 2000)
	for i := range long {
		long[i] = "row"
	}
	s := onStage(t,
		assign("0", "extract"), finish(long),
		assign("1", "copy"),
		call(fsm.Continue, "set_edit_text", map[string]any{"id": "1", "text": map[string]any{"$ref": "subtask_result_1.data.1999"}}),
		finish(map[string]any{"$ref": "subtask_result_1.data"}),
		finish("done"),
	)
	s.Excel.Controls = nil
	s.Desktop.Before(desktop.SetEditText, func(c desktoptest.Call) { assert.Equal(t, "row", fmt.Sprint(c.Params["text"])) })
	res, err := s.run("copy the table")
	require.NoError(t, err)
	var copied []string
	require.NoError(t, json.Unmarshal(res.Subtasks[1].Result, &copied))
	assert.Equal(t, long, copied)
	assert.Len(t, s.Desktop.Calls(desktop.SetEditText), 1)
	for _, call := range []int{2, 3} {
		before := prompt[[]blackboard.Subtask](s, call, "previous_subtasks")
		assert.Less(t, len(before[0].Result), 4096)
		assert.Contains(t, string(before[0].Result), `"subtask_result_1.data"`)
	}
}

func TestScenario04_HostOnly(t *testing.T) {
	s := onStage(t, map[string]any{"Status": "FINISH", "Comment": "nothing to do", "Plan": []string{"rest"}}, finish("still nothing"))
	s.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) {
		t.Error("no agent is needed")
		return nil, nil
	}
	s.Options.Observe = func(step round.Step) { s.Steps = append(s.Steps, step) }
	s.Options.Price = func(string, llm.Usage) float64 { return 2 }
	session, err := round.NewSession(s.host(), &s.Options)
	require.NoError(t, err)

	res, err := session.Run(t.Context(), "say hello")

	require.NoError(t, err)
	assert.Equal(t, round.Result{
		Outcome: round.Finished, Agent: "HostAgent", Status: fsm.Finish, Answer: "nothing to do", Reason: "nothing to do",
		Steps: 1, Transitions: 1, Calls: 1, Usage: llm.Usage{InputTokens: 10, OutputTokens: 5}, Cost: 2,
	}, res)
	assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:FINISH"}, s.positions())
	assert.Equal(t, fsm.ByModel, s.Steps[0].By)
	assert.NotEmpty(t, s.Steps[0].Decision)
	assert.Equal(t, "nothing to do", s.Host.Answer())
	assert.JSONEq(t, `"nothing to do"`, string(s.Host.Data()))
	assert.Len(t, s.Host.Memory().Memos(), 1)
	board := session.Board()
	assert.Same(t, s.Host.Board(), board)
	assert.Equal(t, plan.Notes("rest"), planOnBoard(t, board))
	last, ok, err := blackboard.NewKey[json.RawMessage](boarddata.HostLastStep).Get(board)
	require.NoError(t, err)
	require.True(t, ok)
	assert.Contains(t, string(last), "nothing to do")

	res, err = session.Run(t.Context(), "and now")
	require.NoError(t, err)
	assert.Equal(t, "still nothing", res.Answer)
	asked, err := blackboard.NewList[string](boarddata.Requests).All(board)
	require.NoError(t, err)
	assert.Equal(t, []string{"say hello", "and now"}, asked)
	require.NoError(t, session.Close(t.Context()))
	_, err = session.Run(t.Context(), "too late")
	assert.ErrorIs(t, err, round.ErrClosed)
}

// wordAlone is an AppAgent that nobody hands anything to.
func wordAlone(s *stage) fsm.Worker {
	s.t.Helper()
	w, ok := s.Word.Window()
	require.True(s.t, ok)
	a, err := appagent.New(appagent.Config{Model: s.Model, Desktop: s.Desktop, Window: w})
	require.NoError(s.t, err)
	return a
}

func TestScenario07_SelfTransition(t *testing.T) {
	for name, worker := range map[string]func(*stage) fsm.Worker{
		"host": func(s *stage) fsm.Worker { return s.host() },
		"app":  wordAlone,
	} {
		t.Run(name, func(t *testing.T) {
			// More of them than MaxRepeats: going on is no repeated action.
			const times = 10 + 2
			var replies []any
			for range times {
				replies = append(replies, status(fsm.Continue))
			}
			s := onStage(t, append(replies, finish("done"))...)
			w := worker(s)
			res, err := s.drive(w, "go on").Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, times+1, res.Steps)
			assert.Equal(t, times+1, res.Transitions)
			require.Len(t, s.Steps, times+1)
			for i, step := range s.Steps[:times] {
				assert.Equal(t, i+1, step.Seq)
				assert.Equal(t, 1, step.Calls)
				assert.Equal(t, fsm.Continue, step.From)
				assert.Equal(t, fsm.Continue, step.To)
				assert.Equal(t, w.Name(), step.Agent)
				assert.Equal(t, w.Name(), step.NextAgent)
				assert.Equal(t, fsm.ByModel, step.By)
			}
		})
	}
}
