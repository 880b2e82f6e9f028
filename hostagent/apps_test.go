package hostagent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/policies"
)

// foreign is an agent of another kind: it says what it was given and ends.
type foreign struct {
	fsm.Position
	name   string
	task   fsm.Task
	end    fsm.Status // where it ends; "": FINISH
	begin  error
	closed error
}

var foreignStates = fsm.Table("Foreign",
	[]fsm.Row[*foreign]{
		{Status: fsm.Continue, Handle: func(f *foreign, _ context.Context) error {
			to := f.end
			if to == "" {
				to = fsm.Finish
			}
			f.Decide(to, fsm.BySystem, "as told")
			return nil
		}},
		{Status: fsm.Finish, RoundEnd: true},
		{Status: fsm.Fail, RoundEnd: true},
	},
	fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
	fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
)

func (f *foreign) Name() string                { return f.name }
func (f *foreign) States() fsm.Set             { return foreignStates }
func (f *foreign) Answer() string              { return f.task.Text + ", done" }
func (f *foreign) Close(context.Context) error { return f.closed }
func (f *foreign) Begin(_ context.Context, t fsm.Task) error {
	f.task = t
	return f.begin
}

func TestNewAppGetsWhatTheHostHas(t *testing.T) {
	temperature := 0.5
	b := newBench(t, assign("0", "x"), say(fsm.Finish))
	b.Config.User, b.Config.Board = answering("", true), blackboard.New(nil)
	b.Config.Apps = []hostagent.Program{{Name: "WORD", Docs: "how to", Examples: "like this"}}
	b.Config.Config.Prompt, b.Config.NoImages = "be brief", true
	b.Config.MaxTokens, b.Config.Temperature = 100, &temperature
	b.Config.MaxReasks, b.Config.MaxMemory, b.Config.AskTimeout, b.Config.MaxActions = 7, -1, 9, 10
	b.Config.NewID = func() string { return "an id" }
	var got appagent.Config
	worker := &foreign{name: "shell"}
	b.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		got = app
		return worker, nil
	}
	host, s := b.session()
	res, err := s.Run(t.Context(), "do it")
	require.NoError(t, err)

	assert.Equal(t, "an id", got.NewID())
	verdict := got.Policy(t.Context(), desktop.Tool{}, commands.Launch("calc"))
	assert.Equal(t, policies.Confirm, verdict.Action, "the host's default policy")
	got.NewID, got.Policy = nil, nil
	assert.NotNil(t, got.User)
	got.User = nil
	assert.Equal(t, appagent.Config{ // none remembered stays none: 0 would be the default
		Name: "AppAgent/word/report", Window: got.Window,
		Model: b.Model, Desktop: b.Desktop, Board: b.Config.Board, Docs: "how to", Examples: "like this",
		Prompt: "be brief", States: appagent.States(), NoImages: true, MaxTokens: 100, Temperature: &temperature,
		MaxReasks: 7, MaxMemory: -1, AskTimeout: 9, MaxActions: 10,
	}, got)
	assert.Equal(t, "report.docx - Word", got.Window.Title)

	assert.Equal(t, fsm.Task{ID: "subtask_1", Text: "x", From: host}, worker.task)
	assert.Same(t, worker, host.App("word/report"))
	assert.JSONEq(t, `"x, done"`, string(res.Subtasks[0].Result), "an answer without Data is a JSON string")
	assert.Equal(t, "as told", res.Subtasks[0].Reason)
}

// Two applications have two agents, whatever they and their documents are called.
func TestKeysOfApplications(t *testing.T) {
	b := newBench(t, assign("0", "x"), assign("1", "y"), assign("2", "z"), say(fsm.Finish))
	b.Desktop = desktoptest.New(t,
		&desktoptest.App{Root: "view", Process: "a/b", Running: true},
		&desktoptest.App{Root: "view/a", Process: "b", Running: true},
		&desktoptest.App{Root: "view", Process: "a%2Fb", Running: true})
	b.Config.Desktop = b.Desktop
	var keys []string
	b.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		keys = append(keys, strings.TrimPrefix(app.Name, "AppAgent/"))
		return &foreign{name: strings.TrimPrefix(app.Name, "AppAgent/")}, nil
	}
	host, s := b.session()
	_, err := s.Run(t.Context(), "do it")
	require.NoError(t, err)
	assert.Equal(t, []string{"view/a%2Fb", "view%2Fa/b", "view/a%252Fb"}, keys)
	assert.NotNil(t, host.App("view%2Fa/b"))
}

func TestNewAppFails(t *testing.T) {
	cause := errors.New("no licence")
	var none *foreign
	for name, tc := range map[string]struct {
		worker fsm.Worker
		err    error
		text   string
	}{
		"error":     {nil, cause, cause.Error()},
		"nil":       {nil, nil, "hostagent: Config.NewApp returned no agent"},
		"typed nil": {none, nil, "hostagent: Config.NewApp returned no agent"},
		"begin":     {&foreign{name: "shell", begin: cause}, nil, cause.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, assign("0", "x"))
			b.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return tc.worker, tc.err }
			res, err := b.run()
			assert.Equal(t, fsm.Error, res.Status)
			require.ErrorContains(t, err, tc.text)
			if tc.worker == nil && tc.err != nil {
				require.ErrorIs(t, err, cause)
			}
			assert.ErrorContains(t, err, "hostagent: the agent of word/report: ")
		})
	}
}

// F is a sub-task that fails, o one that does not. Only failures in a row count.
func TestTooManyFailures(t *testing.T) {
	for name, tc := range map[string]struct {
		most  int
		tasks string
		ends  bool // in an error
	}{
		"default, at the bound": {0, "FFF", false},
		"default":               {0, "FFFF", true},
		"one":                   {1, "FF", true},
		"not in a row":          {1, "FoFoF", false},
		"in a row after others": {2, "FFoFFF", true},
		"without a bound":       {-1, "FFFFFFFFFF", false},
	} {
		t.Run(name, func(t *testing.T) {
			var replies []any
			for range tc.tasks {
				replies = append(replies, assign("0", "x"))
			}
			if !tc.ends {
				replies = append(replies, say(fsm.Finish))
			}
			b := newBench(t, replies...)
			b.Config.MaxReplans = tc.most
			worker := &foreign{name: "shell"}
			b.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return worker, nil }
			b.Desktop.Before(desktop.SelectApplicationWindow, func(desktoptest.Call) {
				worker.end = map[byte]fsm.Status{'F': fsm.Fail, 'o': fsm.Finish}[tc.tasks[0]]
				tc.tasks = tc.tasks[1:]
			})
			res, err := b.run()
			assert.Empty(t, tc.tasks)
			if !tc.ends {
				require.NoError(t, err)
				return
			}
			assert.Equal(t, fsm.Error, res.Status)
			assert.ErrorIs(t, err, hostagent.ErrReplans)
			assert.ErrorContains(t, err, "ended in FAIL: as told")
		})
	}
}

// The blackboard says at any time what is going on.
func TestAssignmentOnTheBlackboard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, m{
			"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "extract", "Message": "page 3", "Plan": []string{"chart"},
		}, m{"Status": "FINISH", "Result": []int{1}}, say(fsm.Finish))
		var during, progress json.RawMessage
		b.Desktop.Before(desktop.GetUITree, func(desktoptest.Call) {
			during, _ = b.Config.Board.Raw("current_subtask")
			progress, _ = b.Config.Board.Raw("task_progress")
		})
		b.Config.Board = blackboard.New(nil)
		host, s := b.session()
		_, err := s.Run(t.Context(), "a chart")
		require.NoError(t, err)
		assert.JSONEq(t, `{"id":"subtask_1","application":"word","task":"extract","message":"page 3","timestamp":"2000-01-01T00:00:00Z"}`, string(during))
		assert.JSONEq(t, `{"total":1,"finished":0,"failed":0,"current":"subtask_1"}`, string(progress))
		_, current := host.Board().Raw("current_subtask")
		assert.False(t, current, "it is over")
		for name, want := range map[string]string{
			"task_progress":    `{"total":1,"finished":1,"failed":0}`,
			"subtask_result_1": `{"id":"subtask_1","application":"word","task":"extract","status":"FINISH","data":[1]}`,
			"plan":             `[]`,
			"host_last_step":   `{"Status":"FINISH","Comment":"done"}`,
		} {
			raw, ok := host.Board().Raw(name)
			require.True(t, ok, name)
			assert.JSONEq(t, want, string(raw), name)
		}
	})
}

// The second round of a session finds the agents, what they remember and what
// the host remembers, and nothing of the first round's business.
func TestSecondRound(t *testing.T) {
	b := newBench(t,
		m{"Status": "PENDING", "Questions": []string{"Which colour?"}},
		m{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "first", "Plan": []string{"second"}},
		m{"Status": "FINISH", "Thought": "seen it", "Comment": "seen"},
		m{"Status": "FINISH", "Result": "one", "Plan": []string{"second, some day"}},

		assign("0", "another"),
		say(fsm.Finish),
		say(fsm.Finish))
	b.Config.User = answering("blue", false)
	host, s := b.session()
	_, err := s.Run(t.Context(), "round one")
	require.NoError(t, err)
	assert.True(t, b.has(1, "answers"))
	worker := host.App("word/report")
	b.Word.ChangeWindow(func(now *desktop.Window) { now.Title = "report v2.docx - Word" })

	_, err = s.Run(t.Context(), "round two")
	require.NoError(t, err)
	assert.False(t, b.has(4, "answers"))
	assert.False(t, b.has(4, "plan"))
	assert.False(t, b.has(5, "previous_subtasks"))
	assert.Same(t, worker, host.App("word/report"))
	assert.Equal(t, "report v2.docx - Word", section[desktop.Window](b, 5, "application").Title)
}

func TestPlanIsACopy(t *testing.T) {
	b := newBench(t, m{"Status": "FINISH", "Comment": "done", "Plan": []string{"a", "b"}})
	host, s := b.session()
	_, err := s.Run(t.Context(), "do it")
	require.NoError(t, err)
	host.Plan()[0].Task = "changed"
	assert.Equal(t, plan.Notes("a", "b"), planOf(host))
}

// Handled by hand, without having decided: ASSIGN has nothing to hand over.
func TestAssignWithoutAChoice(t *testing.T) {
	host := newBench(t).host()
	host.SetStatus(hostagent.Assign)
	state := host.States().Bind(hostagent.Assign)
	require.ErrorContains(t, state.Handle(t.Context(), host), "ASSIGN without a chosen application")
	_, _, next, err := state.Next(host)
	require.NoError(t, err)
	assert.Same(t, host, next)
	assert.False(t, state.Permits(fsm.Continue, "", 0), "the table refuses to stay")
}
