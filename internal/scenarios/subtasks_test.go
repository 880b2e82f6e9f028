package scenarios_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/round"
)

// clerkOf is the agent of an application that does what a test says when it is given
// a task, and then what its script says.
type clerkOf struct {
	fsm.Position
	name   string
	begin  func()
	does   func() // at each step
	script []fsm.Status
	answer func() string
	tasks  []fsm.Task // all that it was given
}

var clerkOfStates = fsm.Table("ClerkOf", []fsm.Row[*clerkOf]{
	{Status: fsm.Continue, Handle: (*clerkOf).work},
	{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
	{Status: fsm.Fail, RoundEnd: true, SubtaskEnd: true},
	{Status: fsm.Error, RoundEnd: true, SubtaskEnd: true},
},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Error, By: fsm.BySystem},
)

func (c *clerkOf) Name() string    { return c.name }
func (c *clerkOf) States() fsm.Set { return clerkOfStates }

func (c *clerkOf) Begin(_ context.Context, task fsm.Task) error {
	c.tasks = append(c.tasks, task)
	if c.begin != nil {
		c.begin()
	}
	return nil
}

func (c *clerkOf) Answer() string {
	if c.answer != nil {
		return c.answer()
	}
	return "done by " + c.name
}

func (c *clerkOf) work(context.Context) error {
	if c.does != nil {
		c.does()
	}
	to := c.script[0]
	c.script = c.script[1:]
	c.Decide(to, fsm.BySystem, "as it came")
	return nil
}

// accounts requires that everything which says how the sub-tasks ended says the same:
// their list, the plan of the host, the plan on the blackboard, the progress and what
// is current.
func accounts(t *testing.T, host *hostagent.Agent) {
	t.Helper()
	board := host.Board()
	want := boarddata.Progress{}
	ended := map[string]plan.Status{}
	for _, s := range board.Subtasks() {
		want.Total++
		switch s.Status {
		case "":
			want.Current, ended[s.ID] = s.ID, plan.Assigned
		case "FINISH":
			want.Finished++
			ended[s.ID] = plan.Finished
		default:
			want.Failed++
			ended[s.ID] = plan.Failed
		}
	}
	for _, e := range planOf(host) {
		if e.Subtask != "" {
			assert.Equal(t, ended[e.Subtask], e.Status, "the host's item %s, of %s", e.ID, e.Subtask)
		}
	}
	assert.Equal(t, planOf(host), planOnBoard(t, board))
	progress, _, err := blackboard.NewKey[boarddata.Progress](boarddata.TaskProgress).Get(board)
	require.NoError(t, err)
	assert.Equal(t, want, progress)
	current, there, err := blackboard.NewKey[boarddata.Assignment](boarddata.CurrentSubtask).Get(board)
	require.NoError(t, err)
	assert.Equal(t, want.Current, current.ID)
	assert.Equal(t, want.Current != "", there)
}

// However a round ends, or stops, all that says how its sub-tasks ended agrees, and the
// one that was open has the end that it had. The class: all ends, each where control is
// at the application, on its way there, and on its way back.
func TestPlan_AllAccountsAgree(t *testing.T) {
	started := []fsm.Status{fsm.Continue, fsm.Continue, fsm.Continue}
	for name, tc := range map[string]struct {
		clerk   clerkOf
		replies []any // behind the ASSIGN
		set     func(*stage)
		cancel  bool // when the task is handed over
		giveUp  bool
		is      error
		status  string // of the sub-task; "": open
		reason  string
		result  string
	}{
		"finished":                    {clerk: clerkOf{script: []fsm.Status{fsm.Finish}}, replies: []any{withPlan(status(fsm.Continue), []any{}), finish("done")}, status: "FINISH", reason: "as it came", result: `"done by it"`},
		"failed":                      {clerk: clerkOf{script: []fsm.Status{fsm.Fail}}, replies: []any{map[string]any{"Status": "PENDING", "Questions": []string{"Why?"}}}, is: round.ErrFailed, status: "FAIL", reason: "as it came"},
		"an error that it chose":      {clerk: clerkOf{script: []fsm.Status{fsm.Error}}, is: round.ErrFault, status: "ERROR", reason: "as it came"},
		"an error of the agent":       {clerk: clerkOf{script: []fsm.Status{"NOWHERE"}}, is: round.ErrFault, status: "ERROR", reason: "has no state"},
		"an error of the host":        {clerk: clerkOf{script: []fsm.Status{fsm.Finish}}, replies: []any{errors.New("it is gone")}, is: round.ErrFault, status: "FINISH", reason: "as it came", result: `"done by it"`},
		"given up when it has failed": {clerk: clerkOf{script: []fsm.Status{fsm.Fail}}, set: func(s *stage) { s.Options.MaxTransitions = 4 }, is: round.ErrBudget, giveUp: true, status: "FAIL", reason: "as it came"},
		"a bound":                     {clerk: clerkOf{script: started}, set: func(s *stage) { s.Options.MaxTransitions = 3 }, is: round.ErrBudget},
		"given up at work":            {clerk: clerkOf{script: started}, set: func(s *stage) { s.Options.MaxTransitions = 3 }, is: round.ErrBudget, giveUp: true, status: "FAIL", reason: "the round was given up"},
		"given up when it is back":    {clerk: clerkOf{script: []fsm.Status{fsm.Finish}}, set: func(s *stage) { s.Options.MaxTransitions = 4 }, is: round.ErrBudget, giveUp: true, status: "FINISH", reason: "as it came", result: `"done by it"`},
		"given up on its way":         {clerk: clerkOf{script: started}, cancel: true, is: round.ErrCancelled, giveUp: true, status: "FAIL", reason: "the round was given up"},
		"an answer that panics": {clerk: clerkOf{script: []fsm.Status{fsm.Finish}, answer: func() string { panic("no answer") }},
			is: round.ErrFault, status: "ERROR", reason: "no answer"},
		"an answer that panics, given up": {clerk: clerkOf{script: []fsm.Status{fsm.Finish}, answer: func() string { panic("no answer") }},
			set: func(s *stage) { s.Options.MaxTransitions = 4 }, is: round.ErrBudget, giveUp: true, status: "FAIL", reason: "the round was given up"},
		"a result that the board has no room for": {clerk: clerkOf{script: []fsm.Status{fsm.Finish}, answer: func() string { return strings.Repeat("x", 5000) }},
			set: func(s *stage) { s.Config.Board = blackboard.New(&blackboard.Options{MaxBytes: 5000}) }, is: round.ErrFault, status: "ERROR", reason: "full"},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, append([]any{withPlan(assign("0", "a"), planOfTwo)}, tc.replies...)...)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			clerk := tc.clerk
			clerk.name = "it"
			if tc.cancel {
				clerk.begin = func() { cancel(errGoHome) }
			}
			s.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return &clerk, nil }
			if tc.set != nil {
				tc.set(s)
			}
			session := s.session()
			_, err := session.Run(ctx, "draw it")
			require.ErrorIs(t, err, tc.is)
			if tc.giveUp {
				accounts(t, s.Host)
				if _, err := session.Start("something else"); err != nil {
					require.ErrorContains(t, err, "no answer")
				}
			}
			accounts(t, s.Host)
			all := session.Board().Subtasks()
			require.Len(t, all, 1)
			assert.Equal(t, tc.status, all[0].Status)
			assert.Contains(t, all[0].Reason, tc.reason)
			assert.Equal(t, tc.result, string(all[0].Result))
		})
	}
}

// An agent that was done before has a status of then when it is handed another task: a
// round that is given up on the way there must not take the old end for the new one's.
func TestPlan_GivenUpOnTheWayToAnAgentThatWasDone(t *testing.T) {
	s := onStage(t, withPlan(assign("0", "a"), planOfTwo), assign("0", "b"))
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	tasks := 0
	clerk := &clerkOf{name: "it", script: []fsm.Status{fsm.Finish}, begin: func() {
		if tasks++; tasks == 2 {
			cancel(errGoHome)
		}
	}}
	s.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return clerk, nil }
	session := s.session()
	_, err := session.Run(ctx, "draw it")
	require.ErrorIs(t, err, round.ErrCancelled)
	accounts(t, s.Host)
	require.NoError(t, session.Close(t.Context()))
	all := session.Board().Subtasks()
	require.Len(t, all, 2)
	assert.Equal(t, "FAIL", all[1].Status)
	assert.Equal(t, json.RawMessage(nil), all[1].Result)
	accounts(t, s.Host)
}

// A kind that the module knows nothing of, beside an AppAgent. It has neither Data nor Board nor Save. Module
// internal/testdata/foreign has one with a model and statuses of its own.
func TestScenario06_ForeignKindUnderAssign(t *testing.T) {
	linux := &clerkOf{name: "Linux", script: []fsm.Status{fsm.Continue, fsm.Finish, fsm.Fail}, answer: func() string { return "Linux" }}
	made := map[string]int{}
	s, c := converse(t, "linux_assigned", func(s *stage) fsm.Worker {
		s.Desktop.Add(&desktoptest.App{Root: "terminal", Process: "tty1", Title: "Terminal", Running: true})
		s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
			made[strings.TrimPrefix(app.Name, "AppAgent/")]++
			if app.Window.Root == "terminal" {
				return linux, nil
			}
			return appagent.New(app)
		}
		return nil
	})
	require.NoError(t, c.errs[0])
	assert.Equal(t, map[string]int{"terminal/tty1": 1, "word/report": 1}, made)
	assert.Same(t, linux, s.Host.App("terminal/tty1"))
	assert.Equal(t, []fsm.Task{
		{ID: "subtask_1", Text: "which system", Message: "ask uname", From: s.Host},
		{ID: "subtask_3", Text: "turn it off", From: s.Host},
	}, linux.tasks)
	assert.JSONEq(t, `"Linux"`, string(c.results[0].Subtasks[0].Result), "without a method Data the answer is the result")
}
