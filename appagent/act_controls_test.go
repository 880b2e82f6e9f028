package appagent_test

import (
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// What a policy is told of the control is what the desktop shows, whatever the
// model calls it. Windows and what was not seen are no controls.
func TestPolicySeesTheControl(t *testing.T) {
	for name, tc := range map[string]struct {
		call m
		sees string
	}{
		"label":    {m{"Function": "click_input", "ControlLabel": "1"}, "Save"},
		"argument": {m{"Function": "press", "Args": m{"id": 3, "name": "Harmless"}}, "Title"},
		"keys":     {m{"Function": "keyboard_input", "ControlLabel": "3", "ControlText": "OK", "Args": m{"keys": "{ENTER}"}}, "Title"},
		"no id":    {m{"Function": "keyboard_input", "Args": m{"keys": "{ENTER}"}}, "nothing"},
		"a window": {m{"Function": "select_application_window", "Args": m{"id": "1"}}, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			tc.call["Status"] = "CONTINUE"
			b := newBench(t, tc.call, say(fsm.Finish))
			b.Desktop.AddTools(desktoptest.Tool{Name: "press"})
			var seen []string
			b.Config.Policy = func(ctx context.Context, _ desktop.Tool, _ desktop.Command) policies.Verdict {
				name := "nothing"
				if c, ok := policies.ControlOf(ctx); ok {
					name = c.Name
				}
				seen = append(seen, name)
				return policies.Verdict{Action: policies.Confirm}
			}
			b.Config.User = answering("", true)
			b.finish()
			assert.Equal(t, []string{tc.sees, tc.sees}, seen, "before the question, and when it is executed")
		})
	}
}

// Alone on a desktop, an act is aimed at the window that has the focus; where
// there are no windows, at the control.
func TestTargetWithoutAWindow(t *testing.T) {
	b := newBench(t, m{"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "1"}, say(fsm.Finish))
	b.Config.Window = desktop.Window{}
	b.Desktop.Gone(b.Other)
	_, err := commands.Do(t.Context(), b.Desktop, commands.Select("2", ""))
	require.NoError(t, err)
	b.finish()
	assert.Equal(t, `Button "Save" (1) in word/report (2)`, section[[]acting.Memo](b, 1, "history")[0].Actions[0].Target)
	assert.Equal(t, "report", section[desktop.Window](b, 0, "application").Process, "what it sees")

	for name, tc := range map[string]struct {
		prepare func(*bench)
		call    m
		target  string
	}{
		"nobody says": {func(b *bench) { b.Desktop.Without(desktop.GetAppWindow) }, m{"id": "7"}, `control 7 (not seen)`},
		"not seen":    {func(b *bench) { b.Desktop.Fail(desktop.GetAppWindow, "busy") }, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, call(fsm.Continue, "press", tc.call), say(fsm.Finish))
			b.Config.Window, b.Config.Policy = desktop.Window{}, policies.Tools("press")
			b.Desktop.AddTools(desktoptest.Tool{Name: "press"})
			tc.prepare(b)
			b.finish()
			assert.Equal(t, tc.target, section[[]acting.Memo](b, 1, "history")[0].Actions[0].Target)
		})
	}
}

// An approval is of one window as well: where commands act on another one behind
// the answer, nothing is executed and the task ends; before the question nobody
// is asked.
func TestWindowOfAnApproval(t *testing.T) {
	for name, when := range map[string]struct{ lies, during bool }{
		"the id is of another, before the question": {true, false}, "the id is of another, behind the answer": {true, true},
		"the focus moves, before the question": {false, false}, "the focus moves, behind the answer": {false, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, call(fsm.Confirm, "erase", nil))
			b.Desktop.AddTools(desktoptest.Tool{Name: "erase"})
			word := b.Config.Window
			other, _ := b.Other.Window()
			_, err := commands.Do(t.Context(), b.Desktop, commands.Select(word.ID, word.Title))
			require.NoError(t, err)
			change := func() {
				b.Desktop.Lie(desktop.GetAppWindow, saying(`[{"id": "2", "root": "excel", "process": "book"}]`))
			}
			if !when.lies {
				b.Config.Desktop = struct{ desktop.Desktop }{b.Desktop} // without Scope
				change = func() {
					_, err := commands.Do(t.Context(), b.Desktop, commands.Select(other.ID, other.Title))
					require.NoError(t, err)
				}
			}
			asked := 0
			b.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				asked++
				assert.Contains(t, q.Text, `on "word/report (2)"`)
				change()
				return people.Answer{Approved: true}, nil
			})
			if !when.during {
				b.Desktop.Before(desktop.GetAppWindow, func(desktoptest.Call) { change() }).Skip(1).Times(1)
			}
			agent := b.agent()
			_, err = b.drive(agent, "do it")
			require.ErrorContains(t, err, `of "excel/book", but this agent works in "word/report"`)
			assert.Equal(t, fsm.Fail, agent.Status())
			assert.Empty(t, b.Desktop.Calls("erase"))
			assert.Equal(t, when.during, asked == 1)
			assert.NotContains(t, savetest.JSON(t, agent), `"approval"`, "it is forgotten")
		})
	}
}

// A desktop that cannot be listed when a person is to be asked is a fault.
func TestDesktopBreaksBeforeAQuestion(t *testing.T) {
	for name, listings := range map[string]int{"before the question": 1, "behind the answer": 2} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, m{"Status": "CONFIRM", "Function": "click_input", "ControlLabel": "1"})
			b.Config.User = answering("", true)
			b.Desktop.Break(desktop.ListTools, io.ErrUnexpectedEOF).Skip(listings)
			res, err := b.run()
			assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
			assert.Equal(t, fsm.Error, res.Status)
			assert.Zero(t, b.acted())
		})
	}
}

// once answers with a reply, after something happened.
func once(t *testing.T, happens func(), reply m) func(*llm.Request) (string, error) {
	t.Helper()
	raw, err := json.Marshal(reply)
	require.NoError(t, err)
	return func(*llm.Request) (string, error) {
		happens()
		return string(raw), nil
	}
}

func saying(json string) desktop.Result {
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: []byte(json)}}}
}

// In a step that goes on in another process, the control of its first action is looked
// at once more, too. Nothing is executed where it is not what it was, or cannot be seen.
func TestTargetsOfAResumedStep(t *testing.T) {
	type my = struct {
		reply   m
		happens func(*bench) // since the controls were read
		says    string       // "": it is executed
	}
	click := m{"Status": "CONTINUE", "Function": desktop.ClickInput, "ControlLabel": "1", "Args": m{}}
	keys := call(fsm.Continue, desktop.KeyboardInput, m{"keys": "x"})
	nothing := func(*bench) {}
	for name, tc := range map[string]my{
		"a control":                      {click, nothing, ""},
		"in a window with another title": {click, func(b *bench) { b.Word.ChangeWindow(func(now *desktop.Window) { now.Title = "other.docx - Word" }) }, ""},
		"a control of another name":      {click, func(b *bench) { b.Word.ChangeControl("1", func(now *desktop.Control) { now.Name = "Delete" }) }, `its target had changed from Button "Save" (1) in word/report (2) to Button "Delete" (1) in word/report (2): look again`},
		"a control that is gone":         {click, func(b *bench) { b.Word.SetControls(desktop.Control{ID: "7", Name: "Save", Type: "Button"}) }, "to control 1 (not seen) in word/report (2): look again"},
		"controls that cannot be read":   {click, func(b *bench) { b.Desktop.Fail(desktop.GetUITree, "busy") }, "to control 1 (not seen) in word/report (2): look again"},
		"a window":                       {keys, nothing, ""},
		"a window that cannot be seen":   {keys, func(b *bench) { b.Desktop.Fail(desktop.GetAppWindow, "busy") }, "its target had changed from word/report (2) to word/report (2) (not seen): look again"},
		"another window": {keys, func(b *bench) {
			b.Desktop.Lie(desktop.GetAppWindow, saying(`{"id":"1","root":"excel","process":"book"}`))
		}, "its target had changed from word/report (2) to excel/book (1): look again"},
	} {
		t.Run(name, func(t *testing.T) {
			var b *bench
			b = newBench(t, once(t, func() { tc.happens(b) }, tc.reply))
			agent := b.begun()
			require.NoError(t, agent.States().Bind(agent.Status()).Handle(savetest.GoingOn(t.Context()), agent))
			assert.Equal(t, fsm.Continue, agent.Decision().To)
			if tc.says == "" {
				assert.Len(t, b.Desktop.Actions(), 1)
				assert.NotContains(t, savetest.JSON(t, agent), "not executed")
				return
			}
			assert.Empty(t, b.Desktop.Actions())
			assert.Contains(t, agent.Decision().Reason, tc.says)
		})
	}
}

// What was approved is looked at, too, though its step has seen it.
func TestApprovedTargetOfAResumedStep(t *testing.T) {
	for _, renamed := range []bool{false, true} {
		b := newBench(t, m{"Status": "CONFIRM", "Function": desktop.ClickInput, "ControlLabel": "1", "Args": m{}}, say(fsm.Continue))
		b.Config.User = answering("", true)
		agent := b.begun()
		stepOf(t, agent)
		stepOf(t, agent)
		require.Equal(t, fsm.Continue, agent.Status())
		if renamed {
			b.Desktop.After(desktop.GetUITree, func(desktoptest.Call) { b.Word.ChangeControl("1", func(now *desktop.Control) { now.Name = "Delete" }) }).Times(1)
		}
		require.NoError(t, agent.States().Bind(agent.Status()).Handle(savetest.GoingOn(t.Context()), agent))
		assert.Equal(t, renamed, len(b.Desktop.Actions()) == 0)
		assert.Equal(t, renamed, b.has(1, "last_error"))
		if renamed {
			assert.Contains(t, b.lastError(), `to Button "Delete" (1) in word/report (2): look again`)
		}
	}
}
