package hostagent_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/policies"
)

// goesOn is what a Round tells a step that it goes on with in another process: what the
// agent saw was recorded, and is old.
type goesOn struct{ trace.Sink }

func (goesOn) Stale() bool                  { return true }
func (goesOn) Uncertain() []desktop.Command { return nil }

func goingOn(ctx context.Context) context.Context {
	return trace.With(ctx, goesOn{trace.From(ctx)})
}

func allowed(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
	return policies.Verdict{Action: policies.Allow}
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

// In a step that goes on in another process, what a command is aimed at is looked at
// once more, and nothing is executed where it is not what it was, or cannot be seen.
func TestTargetsOfAResumedStep(t *testing.T) {
	front := call(fsm.Continue, desktop.SelectApplicationWindow, m{"id": "0"})
	note := call(fsm.Continue, "note", m{"text": "x"})
	launch := call(fsm.Continue, desktop.LaunchApplication, m{"name": "excel"})
	nothing := func(*bench) {}
	for name, tc := range map[string]struct {
		reply   m
		happens func(*bench) // since the windows were listed
		says    string       // "": it is executed
	}{
		"a window":                  {front, nothing, ""},
		"a window with a new title": {front, func(b *bench) { b.Word.ChangeWindow(func(now *desktop.Window) { now.Title = "other.docx - Word" }) }, ""},
		"another window in front":   {front, func(b *bench) { b.Desktop.Show(b.Excel) }, ""},
		"a window that is gone": {front, func(b *bench) { b.Desktop.Gone(b.Word) },
			"its target was word/report (1), and is window 1 (not there) now that the run was resumed"},
		"a window that is another program's": {front, func(b *bench) {
			b.Desktop.Lie(desktop.GetDesktopAppInfo, windowsAre(`[{"id":"1","root":"mail","process":"inbox"}]`))
		}, "its target was word/report (1), and is mail/inbox (1) now"},
		"no windows": {front, func(b *bench) { b.Desktop.Fail(desktop.GetDesktopAppInfo, "busy") }, "its target was word/report (1), and is not seen: "},
		"windows that are none": {front, func(b *bench) {
			b.Desktop.Lie(desktop.GetDesktopAppInfo, windowsAre(`7`))
		}, "and is not seen: "},
		"a broken transport": {front, func(b *bench) { b.Desktop.Break(desktop.GetDesktopAppInfo, errors.New("broken pipe")) }, "and is not seen: "},
		"a question to the desktop that waits": {front, func(b *bench) { b.Desktop.Break(desktop.GetDesktopAppInfo, fsm.ErrSuspend) },
			"and is not seen: "},
		"what has the focus":                   {note, nothing, ""},
		"what has the focus, with a new title": {note, func(b *bench) { b.Word.ChangeWindow(func(now *desktop.Window) { now.Title = "other.docx - Word" }) }, ""},
		"what has the focus no more": {note, func(b *bench) {
			b.Desktop.Lie(desktop.GetDesktopAppInfo, windowsAre(`[{"id":"9","root":"excel","process":"book","focused":true}]`))
		}, "its target was word/report (1), and is excel/book (9) now"},
		"a program": {launch, nothing, ""},
		"a program that runs by now": {launch, func(b *bench) { b.Desktop.Show(b.Excel) },
			"its target was excel, and is excel (running) now"},
		"the shell": {m{"Status": "CONTINUE", "Bash": "ls"}, func(b *bench) { b.Desktop.Gone(b.Word) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var b *bench
			looked := 0
			b = newBench(t, once(t, func() { tc.happens(b); looked = len(b.Desktop.Calls(desktop.GetDesktopAppInfo)) }, tc.reply))
			b.Config.Policy = allowed
			b.Desktop.AddTools(noteTool)
			host := b.begun()
			step(goingOn(t.Context()), t, host)
			assert.Equal(t, fsm.Continue, host.Status())
			assert.Greater(t, len(b.Desktop.Calls(desktop.GetDesktopAppInfo)), looked)
			if tc.says == "" {
				assert.Len(t, b.Desktop.Actions(), 1)
				assert.NotContains(t, savetest.JSON(t, host), "not executed")
				return
			}
			assert.Empty(t, b.Desktop.Actions())
			assert.Contains(t, host.Decision().Reason, tc.says)
		})
	}
}

func windowsAre(list string) desktop.Result {
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: []byte(list)}}}
}

// In a step of this process a window is not looked for twice.
func TestTargetsAreLookedAtOnce(t *testing.T) {
	var b *bench
	both := assign("0", "x")
	both["Function"], both["Args"] = "note", m{}
	b = newBench(t, once(t, func() { b.Desktop.Gone(b.Word) }, both))
	b.Desktop.AddTools(noteTool)
	host := b.begun()
	step(t.Context(), t, host)
	assert.Len(t, b.Desktop.Calls(desktop.GetDesktopAppInfo), 1)
	assert.Len(t, b.Desktop.Actions(), 2, "the desktop says itself that it is gone")
	assert.Equal(t, fsm.Continue, host.Status())
}

// Nothing is handed over to an agent whose window is gone by now.
func TestAssignOfAResumedStep(t *testing.T) {
	for name, happens := range map[string]func(*bench){
		"running": func(b *bench) { b.Desktop.Gone(b.Word) },
		"unseen":  func(b *bench) { b.Desktop.Fail(desktop.GetDesktopAppInfo, "busy") },
		"":        nil,
	} {
		t.Run(name, func(t *testing.T) {
			var b *bench
			b = newBench(t, once(t, func() {
				if happens != nil {
					happens(b)
				}
			}, assign("0", "x")))
			host := b.begun()
			step(goingOn(t.Context()), t, host)
			if happens == nil {
				assert.Equal(t, hostagent.Assign, host.Status())
				return
			}
			assert.Equal(t, fsm.Continue, host.Status())
			assert.Contains(t, host.Decision().Reason, "its target was word/report")
			assert.Empty(t, host.Subtasks())
			assert.Empty(t, b.Desktop.Actions())
		})
	}
}

// What was approved is looked at, too, though its step has seen it.
func TestApprovedTargetOfAResumedStep(t *testing.T) {
	for _, gone := range []bool{false, true} {
		b := newBench(t, call(fsm.Confirm, desktop.SelectApplicationWindow, m{"id": "0"}), say(fsm.Continue))
		b.Config.User = answering("", true)
		host := b.begun()
		walkTo(t, host, 2)
		require.Equal(t, fsm.Continue, host.Status())
		if gone {
			b.Desktop.After(desktop.GetDesktopAppInfo, func(desktoptest.Call) { b.Desktop.Gone(b.Word) }).Times(1)
		}
		step(goingOn(t.Context()), t, host)
		assert.Equal(t, gone, len(b.Desktop.Actions()) == 0)
		assert.Equal(t, gone, b.has(1, "last_error"))
		if gone {
			assert.Contains(t, b.lastError(1), "and is window 1 (not there) now that the run was resumed")
		}
	}
}

// A look that is interrupted is not taken for another target: the step is handled
// again.
func TestCancelledWhileLookingAgain(t *testing.T) {
	cause := errors.New("it is late")
	ctx, cancel := context.WithCancelCause(t.Context())
	var b *bench
	front := call(fsm.Continue, desktop.SelectApplicationWindow, m{"id": "0"})
	b = newBench(t, once(t, func() {
		b.Desktop.Before(desktop.GetDesktopAppInfo, func(desktoptest.Call) { cancel(cause) }).Times(1)
	}, front), front)
	host := b.begun()
	before := host.Status()
	require.ErrorIs(t, host.States().Bind(before).Handle(goingOn(ctx), host), cause)
	assert.Empty(t, b.Desktop.Actions())
	assert.NotContains(t, savetest.JSON(t, host), "its target was")
	step(goingOn(t.Context()), t, host)
	assert.Len(t, b.Desktop.Actions(), 1)
}
