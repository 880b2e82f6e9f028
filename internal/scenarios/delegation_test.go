package scenarios_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// factory makes AppAgents and keeps them, in the order in which they were made.
type factory struct {
	apps []hostagent.App
	made []*appagent.Agent
}

// counted gives the stage's host a factory that is counted.
func counted(s *stage) *factory {
	f := &factory{}
	s.Config.NewApp = func(_ context.Context, app hostagent.App) (fsm.Worker, error) {
		a, err := app.AppAgent()
		f.apps, f.made = append(f.apps, app), append(f.made, a)
		return a, err
	}
	return f
}

func (f *factory) keys() []string {
	var keys []string
	for _, app := range f.apps {
		keys = append(keys, app.Key)
	}
	return keys
}

// then is a reply before which something happens.
func then(t *testing.T, happens func(), reply any) any {
	t.Helper()
	text, err := json.Marshal(reply)
	require.NoError(t, err)
	return func(*llm.Request) (string, error) {
		happens()
		return string(text), nil
	}
}

func TestScenario12_SameApplicationAgain(t *testing.T) {
	var f *factory
	s, c := converse(t, "same_application_again", func(s *stage) fsm.Worker {
		f = counted(s)
		s.Config.User = &person{answers: []any{"stale answer"}}
		return nil
	})
	require.NoError(t, errors.Join(c.errs...))
	assert.Equal(t, []string{"word/report"}, f.keys(), "the factory is called once")
	assert.Same(t, f.made[0], s.Host.App("word/report"))
	for _, step := range s.Steps {
		if step.NextAgent == f.made[0].Name() && step.Agent != step.NextAgent {
			assert.Equal(t, fsm.Continue, step.To, "a hand-over enters at CONTINUE")
		}
	}
	assert.Len(t, f.made[0].Memory().Items, 5, "of all three sub-tasks")

	const second = 6 // the call of the second sub-task
	type task struct{ ID, Text, Message string }
	assert.Equal(t, task{"subtask_1", "first", "mind the title"}, prompt[task](s, 1, "subtask"))
	assert.Equal(t, task{"subtask_2", "second", "mind the footer"}, prompt[task](s, second, "subtask"))
	var remembered []string
	for _, memo := range prompt[[]acting.Memo](s, second, "history") {
		remembered = append(remembered, memo.Task)
	}
	assert.Equal(t, []string{"subtask_1", "subtask_1", "subtask_1"}, remembered)
	for _, stale := range []string{"plan", "last_error", "answers"} {
		assert.False(t, s.hasSection(second, stale), "%s is the first sub-task's", stale)
	}
	assert.NotContains(t, string(c.results[0].Subtasks[1].Result), "stale", "a finish without a result is not the result before")
}

// An agent that fails has no answer left over from what it did before.
func TestScenario12_NoAnswerOfTheTaskBefore(t *testing.T) {
	s := onStage(t, assign("0", "first"), finish("r1"), assign("0", "second"), status(fsm.Fail), finish("half done"))
	f := counted(s)
	res, err := s.run("twice")
	require.NoError(t, err)
	assert.Empty(t, res.Subtasks[1].Result)
	require.Len(t, f.made, 1)
	assert.Empty(t, f.made[0].Answer())
	assert.Empty(t, f.made[0].Data())
}

// The application was closed and opened again meanwhile: its agent works in the
// window that is there now.
func TestScenario12_SameApplicationInANewWindow(t *testing.T) {
	var s *stage
	s = onStage(t,
		assign("0", "first"), finish("r1"),
		then(t, func() {
			s.Desktop.Gone(s.Word)
			s.Desktop.Show(s.Word)
		}, status(fsm.Continue)),
		assign("0", "second"), call(fsm.Finish, desktop.Wait, map[string]any{"seconds": 0}),
		finish("done"),
	)
	f := counted(s)
	_, err := s.run("twice")
	require.NoError(t, err)
	assert.Equal(t, []string{"word/report"}, f.keys())
	waits := s.Desktop.Calls(desktop.Wait)
	require.Len(t, waits, 1)
	assert.Equal(t, "1-2", waits[0].Window.ID)
	assert.Equal(t, "1-2", f.made[0].Window().ID)
}

func TestScenario13_AnotherDocumentIsAnotherAgent(t *testing.T) {
	var s *stage
	s = onStage(t,
		assign("0", "the report"), finish("r1"),
		assign("2", "the letter"), finish("r2"),
		then(t, func() { s.Word.SetTitle("report.docx* - Word (unsaved)") }, assign("0", "the report again")), finish("r3"),
		assign("0", "once more, by the new title"), finish("r4"),
		finish("done"),
	)
	s.Desktop.Add(&desktoptest.App{Root: "word", Process: "letter", Title: "letter.docx - Word", Running: true})
	f := counted(s)
	res, err := s.run("both documents")
	require.NoError(t, err)
	assert.Equal(t, []string{"word/report", "word/letter"}, f.keys(), "one for each document, whatever its title")
	assert.NotSame(t, f.made[0], f.made[1])
	assert.NotEqual(t, f.made[0].Name(), f.made[1].Name())
	var workers []string
	for _, step := range s.Steps {
		if step.From == hostagent.Assign {
			workers = append(workers, step.NextAgent)
		}
	}
	report, letter := "AppAgent/word/report", "AppAgent/word/letter"
	assert.Equal(t, []string{report, letter, report, report}, workers)
	assert.Equal(t, "report.docx* - Word (unsaved)", prompt[desktop.Window](s, 7, "application").Title)
	assert.Len(t, prompt[[]acting.Memo](s, 5, "history"), 1, "the report's agent remembers the report only")
	assert.False(t, s.hasSection(3, "history"))
	for i, result := range []string{`"r1"`, `"r2"`, `"r3"`, `"r4"`} {
		assert.JSONEq(t, result, string(res.Subtasks[i].Result))
	}
}

func TestScenario14_BadTargetsAreFedBack(t *testing.T) {
	var f *factory
	s, c := converse(t, "bad_targets", func(s *stage) fsm.Worker {
		f = counted(s)
		return nil
	})
	require.NoError(t, c.errs[0])
	var reply *deciding.ReplyError
	require.ErrorAs(t, c.errs[1], &reply)
	require.ErrorIs(t, c.errs[1], round.ErrFault)
	assert.Equal(t, deciding.DefaultMaxReasks+1, reply.Attempts)
	assert.Equal(t, []string{"word/report", "excel/book"}, f.keys())
	var worked []string
	for _, sub := range s.Host.Board().Subtasks() {
		worked = append(worked, sub.App+": "+sub.Text)
	}
	assert.Equal(t, []string{"word: the first", "excel: the second", "excel: the third"}, worked, "what was refused was never run")
	assert.Equal(t, 3, s.Desktop.Count(desktop.SelectApplicationWindow))
	// What the model was asked beside its refused reply is all still there.
	assert.NotEmpty(t, prompt[[]map[string]any](s, 5, "windows"))
	assert.Equal(t, "something in Word, something in Excel", prompt[string](s, 5, "request"))
}

// Each as the first thing that the model says.
func TestScenario14_OtherBadTargets(t *testing.T) {
	with := func(fields map[string]any) any {
		fields["Status"] = "ASSIGN"
		if _, given := fields["CurrentSubTask"]; !given {
			fields["CurrentSubTask"] = "work"
		}
		return fields
	}
	for name, c := range map[string]struct {
		reply any
		word  string // in what is fed back
	}{
		"null":              {with(map[string]any{"ControlLabel": nil}), "ControlLabel"},
		"blank":             {with(map[string]any{"ControlLabel": " "}), "ControlLabel"},
		"a fraction":        {with(map[string]any{"ControlLabel": 0.5}), `"0.5"`},
		"true":              {with(map[string]any{"ControlLabel": true}), "ControlLabel: a boolean"},
		"the desktop's id":  {with(map[string]any{"ControlLabel": "hwnd"}), `"hwnd"`},
		"of two titles":     {with(map[string]any{"ControlText": "Twin"}), "2 entries"},
		"by an unlisted id": {with(map[string]any{"Function": "select_application_window", "Args": map[string]any{"id": "9"}}), `"9"`},
		"by its short name": {with(map[string]any{"Function": "select_application", "Args": map[string]any{"id": 9}}), `"9"`},
		"no sub-task":       {with(map[string]any{"ControlLabel": "0", "CurrentSubTask": nil}), "CurrentSubTask"},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, c.reply, finish("gave up"))
			s.Desktop.Add(
				&desktoptest.App{Root: "a", Title: "Twin", ID: "hwnd", Running: true},
				&desktoptest.App{Root: "b", Title: "Twin", Running: true})
			f := counted(s)
			res, err := s.run("work")
			require.NoError(t, err)
			assert.Equal(t, 2, res.Calls)
			assert.Equal(t, 1, res.Transitions)
			assert.Contains(t, prompt[string](s, 1, "last_error"), c.word)
			assert.NotEmpty(t, prompt[string](s, 1, "refused_reply"))
			assert.Equal(t, []fsm.Status{fsm.Continue, hostagent.Assign, fsm.Finish, fsm.Fail},
				prompt[[]fsm.Status](s, 1, "allowed_statuses"))
			assert.Empty(t, f.keys())
			assert.Empty(t, res.Subtasks)
			assert.Empty(t, s.Desktop.Actions())
		})
	}
}

// beginner cannot take a task.
type beginner struct {
	*linuxAgent
	err error
}

func (b beginner) Begin(context.Context, fsm.Task) error { return b.err }

func TestScenario15_FactoryFails(t *testing.T) {
	broken := errors.New("no licence")
	for name, c := range map[string]struct {
		newApp func(context.Context, hostagent.App) (fsm.Worker, error)
		want   error
	}{
		"error":           {func(context.Context, hostagent.App) (fsm.Worker, error) { return nil, broken }, broken},
		"error and agent": {func(context.Context, hostagent.App) (fsm.Worker, error) { return &linuxAgent{name: "x"}, broken }, broken},
		"nil":             {func(context.Context, hostagent.App) (fsm.Worker, error) { return nil, nil }, hostagent.ErrNoApp},
		"nil pointer":     {func(context.Context, hostagent.App) (fsm.Worker, error) { return (*linuxAgent)(nil), nil }, hostagent.ErrNoApp},
		"begin": {func(_ context.Context, app hostagent.App) (fsm.Worker, error) {
			return beginner{newLinuxAgent("x", app.Model, app.Desktop), broken}, nil
		}, broken},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, assign("0", "work"))
			s.Config.NewApp = c.newApp
			res, err := s.run("work")
			require.ErrorIs(t, err, c.want)
			require.ErrorIs(t, err, round.ErrFault)
			var app *hostagent.AppError
			require.ErrorAs(t, err, &app)
			assert.Equal(t, "word/report", app.Key)
			var panicked *round.PanicError
			assert.NotErrorAs(t, err, &panicked)
			assert.Equal(t, []string{"HostAgent:CONTINUE", "HostAgent:ASSIGN", "HostAgent:ERROR"}, s.positions())
			assert.Equal(t, fsm.ByFault, s.Steps[1].By)
			require.ErrorIs(t, s.Steps[1].Err, c.want)
			assert.Equal(t, "HostAgent", res.Agent)
			assert.Equal(t, fsm.Error, res.Status)
			assert.Equal(t, round.Faulted, res.Outcome)
			assert.Contains(t, res.Reason, c.want.Error())
			for _, sub := range res.Subtasks {
				assert.Equal(t, "ERROR", sub.Status, "nothing stays open")
			}
		})
	}
}

// What failed once is not kept: the next round asks the factory again.
func TestScenario15_FactoryFailsOnce(t *testing.T) {
	s := onStage(t, assign("0", "work"), assign("0", "work"), finish("r1"), finish("done"))
	f := counted(s)
	works, calls := s.Config.NewApp, 0
	s.Config.NewApp = func(ctx context.Context, app hostagent.App) (fsm.Worker, error) {
		if calls++; calls == 1 {
			return nil, nil
		}
		return works(ctx, app)
	}
	session, err := round.NewSession(s.host(), nil)
	require.NoError(t, err)
	_, err = session.Run(t.Context(), "work")
	require.ErrorIs(t, err, hostagent.ErrNoApp)
	assert.Nil(t, s.Host.App("word/report"))
	res, err := session.Run(t.Context(), "work again")
	require.NoError(t, err)
	assert.Equal(t, "done", res.Answer)
	assert.Len(t, f.made, 1)
	assert.Equal(t, 2, calls)
}
