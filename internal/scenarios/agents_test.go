package scenarios_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/policies"
)

// worker is an agent of a kind that knows nothing of hosts. It does what a test says.
type worker struct {
	fsm.Position
	name    string
	states  *fsm.Manager[*worker] // nil: workerStates
	script  []fsm.Status          // what its steps decide, one after another; then FINISH
	does    func(ctx context.Context) error
	at      func(place string) // Begin, Handle, NextState, NextAgent or Answer
	next    func() fsm.Agent   // nil: itself
	answer  string
	tasks   []fsm.Task
	handled []fsm.Status
}

// workerRows are its states, which begin in start.
func workerRows(start fsm.Status, ends ...fsm.Row[*worker]) (rows []fsm.Row[*worker], edges []fsm.Edge) {
	rows = []fsm.Row[*worker]{{Status: start, Handle: (*worker).work, NextState: (*worker).nextState, NextAgent: (*worker).nextAgent}}
	edges = []fsm.Edge{{To: start, By: fsm.BySystem}, {From: start, To: start, By: fsm.BySystem}}
	for _, end := range ends {
		end.Handle, end.NextState, end.NextAgent, end.RoundEnd = (*worker).note, (*worker).nextState, (*worker).nextAgent, true
		rows = append(rows, end)
		edges = append(edges, fsm.Edge{From: start, To: end.Status, By: fsm.BySystem})
	}
	return rows, edges
}

func workerTable(start fsm.Status, ends ...fsm.Row[*worker]) *fsm.Manager[*worker] {
	rows, edges := workerRows(start, ends...)
	return fsm.Table("Worker", rows, edges...)
}

var (
	usualEnds    = []fsm.Row[*worker]{{Status: fsm.Finish}, {Status: fsm.Fail}, {Status: fsm.Error}}
	workerStates = workerTable(fsm.Continue, usualEnds...)
)

func (a *worker) Name() string               { return a.name }
func (a *worker) Save() (fsm.Saved, error)   { return fsm.SaveState(a.answer) }
func (a *worker) Load(saved fsm.Saved) error { return saved.LoadState(&a.answer) }

func (a *worker) States() fsm.Set {
	if a.states == nil {
		return workerStates
	}
	return a.states
}

func (a *worker) Begin(_ context.Context, task fsm.Task) error {
	a.tasks = append(a.tasks, task)
	a.is("Begin")
	return nil
}

func (a *worker) Answer() string {
	a.is("Answer")
	return a.answer
}

func (a *worker) work(ctx context.Context) error {
	a.is("Handle")
	to := fsm.Finish
	if len(a.script) > 0 {
		to, a.script = a.script[0], a.script[1:]
	}
	a.Decide(to, fsm.BySystem, "as it came")
	if a.does != nil {
		if err := a.does(ctx); err != nil {
			return err
		}
	}
	return a.note(ctx)
}

func (a *worker) note(context.Context) error {
	a.handled = append(a.handled, a.Status())
	return nil
}

func (a *worker) nextState() fsm.Status {
	a.is("NextState")
	return a.Decision().To
}

func (a *worker) nextAgent() fsm.Agent {
	a.is("NextAgent")
	if a.next != nil {
		return a.next()
	}
	return a
}

func (a *worker) is(place string) {
	if a.at != nil {
		a.at(place)
	}
}

// An application has a model, a prompt, pictures, a policy and tools of its own; what it does not say is that of all
// applications, and else the host's.
func TestScenario72_ProgramsDiffer(t *testing.T) {
	s := onStage(t, assign("0", "extract"), assign("1", "draw"), finish("done"))
	all := llmtest.Script(t, call("CONTINUE", "wait", map[string]any{"seconds": 0}), finish("r1"))
	own := llmtest.Script(t, call("CONTINUE", "texts", map[string]any{"id": "1"}), call("CONTINUE", "wait", map[string]any{"seconds": 0}), finish("r2"))
	seesAll := false
	s.Config.AppModel, s.Config.NoImages, s.Config.LeaveOut = all, true, []string{"run_shell"}
	s.Config.Apps = []hostagent.Program{{Name: "word"}, {
		Name: "Excel", Model: own, Prompt: "You draw. {{.Docs}}", Docs: "F11 draws.", NoImages: &seesAll, LeaveOut: []string{"texts"},
		Policy: policies.Tools("click_input"),
	}}
	_, err := s.run("go")
	require.NoError(t, err)

	system := func(m *llmtest.Model) string { return m.Requests()[0].Messages[0].Parts[0].Text }
	pictures := func(m *llmtest.Model) (n int) {
		for _, part := range m.Requests()[0].Messages[1].Parts {
			if part.Image != nil {
				n++
			}
		}
		return n
	}
	tools := func(m *llmtest.Model, i int) (names []string) {
		for _, tool := range llmtest.Section[[]desktop.Tool](t, m.Requests()[i], "tools") {
			names = append(names, tool.Name)
		}
		return names
	}
	assert.Equal(t, "You draw. F11 draws.", system(own))
	assert.Contains(t, system(all), "You are an AppAgent.")
	assert.Equal(t, []int{0, 0, 1}, []int{pictures(s.Model), pictures(all), pictures(own)})
	assert.Contains(t, tools(all, 0), "texts")
	assert.NotContains(t, tools(own, 0), "texts")
	assert.NotContains(t, tools(all, 0), "run_shell")
	assert.NotContains(t, tools(own, 0), "run_shell")
	assert.Contains(t, tools(s.Model, 0), "run_shell", "the host has it")
	var waited []string
	for _, wait := range s.Desktop.Calls("wait") {
		waited = append(waited, wait.Window.Root)
	}
	assert.Equal(t, []string{"word"}, waited, "the policy of the other one denies it")
}

// Windows that own each other in a circle are windows, and so is one whose owner nobody lists.
func TestScenario60_OwnersThatAreNone(t *testing.T) {
	for name, list := range map[string][]desktop.Window{
		"in a circle": {{ID: "1", Root: "word", Process: "a", Owner: "2"}, {ID: "2", Root: "excel", Process: "b", Owner: "1"}},
		"of itself":   {{ID: "1", Root: "word", Process: "a", Owner: "1"}},
		"not listed":  {{ID: "1", Root: "word", Process: "a", Owner: "9"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, finish("done"))
			s.Desktop.On(desktop.GetDesktopAppInfo, func(context.Context, desktoptest.Call) (any, error) { return list, nil })
			_, err := s.run("go")
			require.NoError(t, err)
			assert.Len(t, prompt[[]map[string]any](s, 0, "windows"), len(list))
		})
	}
}

// A launched program shows a window that belongs to one which nobody lists.
func TestScenario60_AProgramWhoseWindowHasAHiddenOwner(t *testing.T) {
	s := onStage(t, map[string]any{"Status": "ASSIGN", "ControlText": "calc", "CurrentSubTask": "x"}, finish("x"), finish("done"))
	s.Desktop.Add(&desktoptest.App{Root: "calc", Process: "c", Title: "Calc"})
	s.Config.Apps = []hostagent.Program{{Name: "calc"}}
	s.Config.LaunchTimeout = time.Second
	s.Desktop.On(desktop.GetDesktopAppInfo, func(context.Context, desktoptest.Call) (any, error) {
		list := []desktop.Window{{ID: "1", Root: "word", Process: "report"}}
		if len(s.Desktop.Calls(desktop.LaunchApplication)) > 0 {
			list = append(list, desktop.Window{ID: "3", Root: "calc", Process: "c", Title: "Calc", Owner: "hidden"})
		}
		return list, nil
	})
	_, err := s.run("go")
	require.NoError(t, err)
}
