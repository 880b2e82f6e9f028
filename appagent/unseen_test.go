package appagent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// then are a reply and, if the round goes on, a FINISH.
func then(goesOn bool, reply m) []any {
	if goesOn {
		return []any{reply, say(fsm.Finish)}
	}
	return []any{reply}
}

// The default policy asks about a click, a text or keys for a control that the agent has not seen. On a
// desktop that shows no controls it asks about none.
func TestDefaultAsksAboutWhatWasNotSeen(t *testing.T) {
	tree := []desktop.Control{
		{ID: "1", Name: "Save", Type: "Button"}, {ID: "btn-del", Name: "Open", Type: "Button"}, {ID: "3", Name: "Title", Type: "Edit"},
	}
	twice := saying(`[{"id":"1","name":"Save","type":"Button"},{"id":"5","name":"Delete","type":"Button"},{"id":"5","name":"Open","type":"Button"}]`)
	for name, tc := range map[string]struct {
		tool string
		args m
		asks bool
	}{
		"shown":             {desktop.ClickInput, m{"id": "1"}, false},
		"shown, a text":     {desktop.SetEditText, m{"id": "3", "text": "x"}, false},
		"shown, keys":       {desktop.KeyboardInput, m{"id": "3", "keys": "x"}, false},
		"keys to the focus": {desktop.KeyboardInput, m{"keys": "x"}, false},
		"wheel":             {desktop.WheelMouseInput, m{"id": "77", "wheel_dist": 1}, false},
		"reads":             {desktop.Texts, m{"id": "77"}, false},
		"another id":        {desktop.ClickInput, m{"id": "77"}, true},
		"a space":           {desktop.ClickInput, m{"id": "1 "}, true},
		"a zero":            {desktop.ClickInput, m{"id": "01"}, true},
		"another case":      {desktop.ClickInput, m{"id": "BTN-DEL"}, true},
		"two of one id":     {desktop.ClickInput, m{"id": "5"}, true},
		"double click":      {desktop.DoubleClick, m{"id": "77"}, true},
		"a text":            {desktop.SetEditText, m{"id": "77", "text": "x"}, true},
		"keys":              {desktop.KeyboardInput, m{"id": "77", "keys": "x"}, true},
	} {
		for _, blind := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " without controls"}[blind], func(t *testing.T) {
				b := newBench(t, then(!tc.asks || blind, call(fsm.Continue, tc.tool, tc.args))...)
				b.Desktop.AddTools(desktoptest.Tool{Name: desktop.DoubleClick})
				b.Word.SetControls(tree...)
				if name == "two of one id" {
					b.Desktop.Lie(desktop.GetUITree, twice)
				}
				if blind {
					b.Desktop.Without(desktop.GetUITree)
				}
				_, err := b.run()
				if tc.asks && !blind {
					require.ErrorContains(t, err, "not approved: "+tc.tool, "there is nobody to ask")
					assert.Empty(t, b.Desktop.Calls(tc.tool))
					return
				}
				require.NoError(t, err)
				assert.Len(t, b.Desktop.Calls(tc.tool), 1)
			})
		}
	}
}

// The question about a control that nobody saw says so.
func TestQuestionAboutWhatWasNotSeen(t *testing.T) {
	b := newBench(t, call(fsm.Continue, desktop.ClickInput, m{"id": "77"}), say(fsm.Finish))
	var asked []string
	b.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		asked = append(asked, q.Text)
		return people.Answer{Approved: true}, nil
	})
	b.finish()
	require.Len(t, asked, 1)
	assert.Contains(t, asked[0], `on "control 77 (not seen) in word/report (2)"`)
	assert.Contains(t, asked[0], "It needs approval because the control is not known.")
	assert.Len(t, b.Desktop.Calls(desktop.ClickInput), 1)
}

// Keys that press what has the focus are judged by that control, as it is when they are pressed.
func TestDefaultJudgesTheFocus(t *testing.T) {
	for name, tc := range map[string]struct {
		args  m
		focus string
		asks  bool
	}{
		"enter":              {m{"keys": "{ENTER}"}, "Delete everything", true},
		"space":              {m{"keys": "{SPACE}"}, "Delete everything", true},
		"behind other keys":  {m{"keys": "{TAB}{TAB}{Enter 2}"}, "Delete everything", true},
		"a blank":            {m{"keys": " "}, "Delete everything", true},
		"a line":             {m{"keys": "yes\n"}, "Delete everything", true},
		"it stays":           {m{"keys": "{ENTER}", "id": "3", "control_focus": false}, "Delete everything", true},
		"enter on Save":      {m{"keys": "{ENTER}"}, "Save", false},
		"tab":                {m{"keys": "{TAB}"}, "Delete everything", false},
		"text":               {m{"keys": "two words"}, "Delete everything", false},
		"to another control": {m{"keys": "{ENTER}", "id": "3"}, "Delete everything", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, then(!tc.asks, call(fsm.Continue, desktop.KeyboardInput, tc.args))...)
			b.Word.ChangeControl("1", func(c *desktop.Control) { c.Name = tc.focus })
			b.Word.ChangeWindow(func(w *desktop.Window) { w.Focus = "1" })
			_, err := b.run()
			assert.Equal(t, tc.asks, len(b.Desktop.Calls(desktop.KeyboardInput)) == 0)
			if tc.asks {
				require.ErrorContains(t, err, "not approved: keyboard_input", "there is nobody to ask")
			}
		})
	}
	for key, asks := range map[string]bool{"Enter": true, "space": true, "Control+Enter": true, "Return": true, "a": false, "Tab": false} {
		t.Run("press_key "+key, func(t *testing.T) {
			b := newBench(t, then(!asks, call(fsm.Continue, "press_key", m{"key": key}))...)
			b.Desktop.AddTools(desktoptest.Tool{Name: "press_key"})
			b.Word.ChangeControl("1", func(c *desktop.Control) { c.Name = "Delete everything" })
			b.Word.ChangeWindow(func(w *desktop.Window) { w.Focus = "1" })
			_, _ = b.run()
			assert.Equal(t, asks, len(b.Desktop.Calls("press_key")) == 0)
		})
	}
}

// What an action of a list brings up is judged by what it is. A person is not asked about a control that
// nobody had seen when the model decided: the agent looks again first.
func TestDefaultJudgesWhatAListBringsUp(t *testing.T) {
	for name, asks := range map[string]bool{"Open": false, "Delete": true} {
		for what, second := range map[string]m{
			"click": {"Function": desktop.ClickInput, "Args": m{"id": "9"}},
			"focus": {"Function": desktop.KeyboardInput, "Args": m{"keys": "{ENTER}"}},
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				b := newBench(t, then(!asks || what == "click", m{"Status": "CONTINUE", "Actions": []m{{"Function": "show"}, second}})...)
				b.Desktop.AddTools(desktoptest.Tool{Name: "show", Run: func(context.Context, desktoptest.Call) (any, error) {
					b.Word.SetControls(desktop.Control{ID: "1", Name: "Save", Type: "Button"}, desktop.Control{ID: "9", Name: name, Type: "Button"})
					b.Word.ChangeWindow(func(w *desktop.Window) { w.Focus = "9" })
					return nil, nil
				}})
				_, _ = b.run()
				assert.Equal(t, asks, len(b.Desktop.Calls(second["Function"].(string))) == 0)
			})
		}
	}
}

// An approval is of one dialog, although another one has its title and its buttons.
func TestAnApprovalIsOfOneDialog(t *testing.T) {
	yes := []desktop.Control{{ID: "1", Name: "Yes", Type: "Button"}}
	dialog := func(id string) desktop.Control {
		return desktop.Control{ID: id, Type: "Dialog", Name: "Overwrite?", Children: yes}
	}
	pane := func(id string) desktop.Control {
		return desktop.Control{ID: id, Type: "Pane", Children: []desktop.Control{dialog("")}}
	}
	for name, tc := range map[string]struct {
		before, after desktop.Control
		done          bool
	}{
		"the same":             {dialog("9"), dialog("9"), true},
		"another":              {dialog("9"), dialog("77"), false},
		"the same in its pane": {pane("9"), pane("9"), true},
		"in another pane":      {pane("9"), pane("77"), false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, m{"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "1"}, say(fsm.Finish))
			b.Word.SetControls(tc.before)
			b.Config.Policy = func(context.Context, desktop.Tool, desktop.Command) policies.Verdict { return policies.Verdict{} }
			b.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				assert.True(t, strings.HasPrefix(q.Target, `Button "Yes" (1) of the dialog "Overwrite?" (9) in `), q.Target)
				b.Word.SetControls(tc.after)
				return people.Answer{Approved: true}, nil
			})
			b.finish()
			assert.Equal(t, tc.done, len(b.Desktop.Calls(desktop.ClickInput)) == 1)
		})
	}
}
