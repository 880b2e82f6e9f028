package appagent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// A command has the control that the decision names beside it.
func TestAim(t *testing.T) {
	const edit = `Edit "Title" (3) in word/report (2)`
	for name, tc := range map[string]struct {
		reply  m
		tool   string
		params m
		target string
	}{
		"label":            {m{"Function": "click_input", "ControlLabel": "1"}, "click_input", m{"id": "1", "name": "Save"}, `Button "Save" (1) in word/report (2)`},
		"arguments":        {m{"Function": "set_edit_text", "Args": m{"id": "3", "text": "x"}}, "set_edit_text", m{"id": "3", "name": "Title", "text": "x"}, edit},
		"not shown":        {m{"Function": "press", "Args": m{"id": 7}}, "press", m{"id": 7.0}, "control 7 (not seen) in word/report (2)"},
		"another argument": {m{"Function": "push", "ControlLabel": "1", "Args": m{"control": "1"}}, "push", m{"control": "1"}, "word/report (2)"},
		"this window":      {m{"Function": "select_application", "Args": m{"id": "2"}}, "select_application_window", m{"id": "2"}, "word/report (2)"},
		"reference": {m{"Function": "set_edit_text", "ControlLabel": "3", "Args": m{"text": m{"$ref": "subject"}}},
			"set_edit_text", m{"id": "3", "name": "Title", "text": "Costs"}, edit},
	} {
		t.Run(name, func(t *testing.T) {
			tc.reply["Status"] = "CONTINUE"
			b := newBench(t, tc.reply, say(fsm.Finish))
			b.Config.Board = blackboard.New(nil)
			require.NoError(t, b.Config.Board.PutRaw("subject", json.RawMessage(`"Costs"`)))
			b.Desktop.AddTools(
				desktoptest.Tool{Name: "press", Schema: `{"properties": {"id": {"type": "integer"}}}`},
				desktoptest.Tool{Name: "push", Schema: `{"properties": {"control": {"type": "string"}}}`},
			)
			b.finish()
			assert.Equal(t, tc.params, b.params(tc.tool))
			assert.Equal(t, tc.target, section[[]acting.Memo](b, 1, "history")[0].Actions[0].Target)
			if tc.tool != desktop.SelectApplicationWindow {
				assert.Equal(t, "word", b.Desktop.Calls(tc.tool)[0].Window.Root, "whatever has the focus")
			}
		})
	}
}

// A long list is fed back: to a Round it is one step, however long it takes.
func TestMaxActions(t *testing.T) {
	list := func(n int) m {
		var acts []m
		for range n {
			acts = append(acts, m{"Function": "wait", "Args": m{"seconds": 0}})
		}
		return m{"Status": "FINISH", "Actions": acts}
	}
	for name, tc := range map[string]struct{ limit, fits int }{
		"default": {0, promptsize.Actions},
		"two":     {2, 2},
	} {
		b := newBench(t, list(tc.fits+1), list(tc.fits))
		b.Config.MaxActions = tc.limit
		b.finish()
		assert.Contains(t, b.lastError(), fmt.Sprintf("there are %d Actions; give at most %d", tc.fits+1, tc.fits), name)
		assert.Equal(t, tc.fits, b.acted(), name)
	}
	b := newBench(t, list(100))
	b.Config.MaxActions = -1
	b.finish()
	assert.Equal(t, 100, b.acted())
}

// A model that writes SCREENSHOT where there is none is told, and so is the record.
func TestScreenshotWithoutAPicture(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*bench)
		told   string
	}{
		"no tool":        {func(b *bench) { b.Desktop.Without(desktop.CaptureWindowScreenshot) }, "SCREENSHOT took no picture"},
		"a picture once": {func(b *bench) { b.Desktop.Fail(desktop.CaptureWindowScreenshot, "locked").Times(1) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, say(fsm.Screenshot), say(fsm.Finish))
			tc.change(b)
			b.finish()
			if tc.told == "" {
				assert.Equal(t, "observed", b.Steps[1].Reason)
				return
			}
			assert.Equal(t, tc.told, b.Steps[1].Reason)
			assert.Equal(t, tc.told, llmtest.Section[string](t, b.Model.Last(), "last_error"))
		})
	}
}

// What a model says of an act, and what became of it, stand together on the blackboard:
// another agent reads both.
func TestTrajectoriesSayWhatWasDone(t *testing.T) {
	b := newBench(t, m{"Status": "FINISH", "Function": "close_application", "Args": m{"id": "1"}, "Result": "closed"})
	agent := b.agent()
	_, err := b.drive(agent, "close it")
	require.Error(t, err, "there is nobody to approve it")
	all, _, err := blackboard.NewKey[[]json.RawMessage](boarddata.Trajectories).Get(agent.Board())
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.JSONEq(t, `{"Status": "FINISH", "Result": "closed", "Done": [{"tool": "close_application", "status": "skipped", "error": "it waits for approval"}]}`, string(all[0]))
}

// A window that is not there any more when the task begins is a failure that
// whoever gave it can plan around.
func TestWindowIsGone(t *testing.T) {
	b := newBench(t)
	b.Desktop.Gone(b.Word)
	res, err := b.run()
	require.Error(t, err)
	assert.Equal(t, fsm.Fail, res.Status)
	assert.ErrorContains(t, err, `scope to window "2"`)
	assert.Equal(t, fsm.BySystem, b.Steps[0].By)
}

// One that goes in the middle is the model's to judge: closing it may have been
// the task.
func TestWindowGoesInTheMiddle(t *testing.T) {
	b := newBench(t, say(fsm.Continue), m{"Status": "FINISH", "Comment": "closed"})
	b.Desktop.After(desktop.GetUITree, func(desktoptest.Call) { b.Desktop.Gone(b.Word) }).Times(1)
	res := b.finish()
	assert.Equal(t, "closed", res.Answer)
	assert.Len(t, section[[]string](b, 1, "not_observed"), 3)
	assert.False(t, b.has(1, "controls"))
}

func TestSetWindow(t *testing.T) {
	b := newBench(t, say(fsm.Finish), say(fsm.Finish), call(fsm.Finish, "wait", m{"seconds": 0}))
	agent := b.agent()
	_, err := b.drive(agent, "one")
	require.NoError(t, err)

	window, _ := b.Word.Window()
	first := window.ID
	window.Title = "report v2.docx - Word"
	b.Word.ChangeWindow(func(now *desktop.Window) { now.Title = window.Title })
	agent.SetWindow(window)
	_, err = b.drive(agent, "two")
	require.NoError(t, err)
	assert.Equal(t, window, section[desktop.Window](b, 1, "application"))

	b.Desktop.Gone(b.Word)
	b.Desktop.Show(b.Word)
	window, _ = b.Word.Window()
	require.NotEqual(t, first, window.ID)
	agent.SetWindow(window)
	_, err = b.drive(agent, "three")
	require.NoError(t, err)
	assert.Equal(t, window, b.Desktop.Calls(desktop.Wait)[0].Window, "it works in the new window")
}

func TestDesktopWithoutScope(t *testing.T) {
	b := newBench(t, say(fsm.Finish))
	b.Config.Desktop = struct{ desktop.Desktop }{b.Desktop}
	window, _ := b.Word.Window()
	_, err := commands.Do(t.Context(), b.Desktop, commands.Select(window.ID, window.Title))
	require.NoError(t, err)
	b.finish()
	assert.Equal(t, "word", b.Desktop.Calls(desktop.GetUITree)[0].Window.Root)

	b = newBench(t, say(fsm.Finish))
	b.Desktop.Without(desktop.GetAppWindow)
	b.Config.Desktop = struct{ desktop.Desktop }{b.Desktop}
	b.finish()
	assert.Equal(t, "excel", b.Desktop.Calls(desktop.GetUITree)[0].Window.Root, "whatever has the focus: it cannot be told")
}

// Where commands would act on another window than the agent's, it looks at
// nothing there and does nothing.
func TestAnotherWindow(t *testing.T) {
	for name, w := range map[string]desktop.Window{
		"id":      {ID: "9", Root: "word", Process: "report"},
		"program": {ID: "2", Root: "bank", Process: "report"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			res, err := desktop.JSONResult(w)
			require.NoError(t, err)
			b.Desktop.Lie(desktop.GetAppWindow, res)
			agent := b.agent()
			_, err = b.drive(agent, "do it")
			require.Error(t, err)
			assert.Equal(t, fsm.Fail, agent.Status())
			assert.Equal(t, fsm.BySystem, b.Steps[0].By)
			assert.Contains(t, agent.Decision().Reason, `scope to window "2": commands would act on window "`+w.ID)
			assert.Empty(t, b.Desktop.Calls(desktop.CaptureWindowScreenshot))
		})
	}

	b := newBench(t, say(fsm.Finish))
	res, err := desktop.JSONResult(desktop.Window{Root: "word", Process: "report"})
	require.NoError(t, err)
	b.Desktop.Lie(desktop.GetAppWindow, res)
	b.finish() // a desktop that does not say the id
}

func TestBrokenTransport(t *testing.T) {
	cause := errors.New("cable pulled")
	b := newBench(t, m{"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "1"})
	b.Desktop.Break(desktop.ClickInput, cause)
	agent := b.agent()
	_, err := b.drive(agent, "do it")
	assert.ErrorIs(t, err, cause)
	acts := agent.Memory().Memos()[0].Actions
	require.Len(t, acts, 1)
	assert.Equal(t, desktop.Failure, acts[0].Status, "what may have happened is remembered")

	b = newBench(t)
	b.Desktop.Break(desktop.ListTools, cause)
	_, err = b.run()
	assert.ErrorIs(t, err, cause)

	b = newBench(t, say(fsm.Screenshot))
	b.Desktop.Break(desktop.ListTools, cause).Skip(1)
	_, err = b.run()
	assert.ErrorIs(t, err, cause)
}

func TestCancelledWhileLooking(t *testing.T) {
	for _, tool := range []string{desktop.GetAppWindow, desktop.CaptureWindowScreenshot, desktop.GetUITree} {
		b := newBench(t)
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		b.Desktop.On(tool, func(context.Context, desktoptest.Call) (any, error) {
			cancel(cause)
			return nil, ctx.Err()
		})
		agent := b.agent()
		agent.SetStatus(fsm.Continue)
		require.NoError(t, agent.Begin(ctx, fsm.Task{Text: "look"}))
		assert.ErrorIs(t, agent.States().Bind(fsm.Continue).Handle(ctx, agent), cause, tool)
	}
}

// A full blackboard keeps no agent from its work. The model is told what was not
// kept where it asked for it.
func TestFullBoard(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for name, reply := range map[string]m{
		"decision":   {"Status": "CONTINUE", "Thought": long},
		"screenshot": {"Status": "CONTINUE", "SaveScreenshot": "why " + long[:700]},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, reply, say(fsm.Finish))
			b.Config.Board = blackboard.New(&blackboard.Options{MaxBytes: 800})
			res, err := b.run()
			require.NoError(t, err)
			assert.Equal(t, fsm.Finish, res.Status)
			assert.LessOrEqual(t, b.Config.Board.Size(), 800)
			if name == "screenshot" {
				assert.Contains(t, llmtest.Section[string](t, b.Model.Last(), "last_error"), "the screenshot was not kept: ")
			}
		})
	}
	// Only what tools say is shortened, where there is no room for all of it.
	b := newBench(t, call(fsm.Continue, "report", nil), say(fsm.Finish))
	b.Config.Board = blackboard.New(&blackboard.Options{MaxBytes: 800})
	b.Desktop.AddTools(desktoptest.Tool{Name: "report", Returns: long})
	b.finish()
	output := section[[]acting.Memo](b, 1, "history")[0].Actions[0].Output
	assert.NotEmpty(t, output)
	assert.Less(t, len(output), len(long))
}
