package appagent_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/llm"
)

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
		"a control of another name":      {click, func(b *bench) { b.Word.ChangeControl("1", func(now *desktop.Control) { now.Name = "Delete" }) }, `its target was Button "Save" (1) in word/report (2), and is Button "Delete" (1) in word/report (2) now that the run was resumed`},
		"a control that is gone":         {click, func(b *bench) { b.Word.SetControls(desktop.Control{ID: "7", Name: "Save", Type: "Button"}) }, "and is control 1 (not seen) in word/report (2) now"},
		"controls that cannot be read":   {click, func(b *bench) { b.Desktop.Fail(desktop.GetUITree, "busy") }, "and is control 1 (not seen) in word/report (2) now"},
		"a window":                       {keys, nothing, ""},
		"a window that is gone":          {keys, func(b *bench) { b.Desktop.Gone(b.Word) }, "its target was word/report (2), and is word/report (2) (not seen) now"},
		"another window": {keys, func(b *bench) {
			b.Desktop.Lie(desktop.GetAppWindow, saying(`{"id":"1","root":"excel","process":"book"}`))
		}, "its target was word/report (2), and is excel/book (1) now"},
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
			assert.Contains(t, b.lastError(), `and is Button "Delete" (1) in word/report (2) now that the run was resumed`)
		}
	}
}
