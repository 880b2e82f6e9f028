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

// It also asks about another tool of that desktop whose argument names a control that was not shown.
func TestDefaultAsksAboutUnseenControlsOfOtherTools(t *testing.T) {
	reads := desktop.Annotations{ReadOnlyHint: true}
	for name, tc := range map[string]struct {
		tool desktoptest.Tool
		args m
		asks bool
	}{
		"id":               {desktoptest.Tool{Name: "press_it"}, m{"id": "77"}, true},
		"a number":         {desktoptest.Tool{Name: "press_it"}, m{"id": 77}, true},
		"ref":              {desktoptest.Tool{Name: "click"}, m{"ref": "77"}, true},
		"ref of a page":    {desktoptest.Tool{Name: "browser_click"}, m{"element": "Save", "ref": "e77"}, true},
		"ref of a text":    {desktoptest.Tool{Name: "type_text"}, m{"ref": "77", "text": "x"}, true},
		"target":           {desktoptest.Tool{Name: "click"}, m{"target": "77"}, true},
		"selector":         {desktoptest.Tool{Name: "click"}, m{"selector": "#buy"}, true},
		"control":          {desktoptest.Tool{Name: "click"}, m{"control": "77"}, true},
		"control_id":       {desktoptest.Tool{Name: "click"}, m{"control_id": "77"}, true},
		"elementId":        {desktoptest.Tool{Name: "click"}, m{"elementId": "77"}, true},
		"locator":          {desktoptest.Tool{Name: "click"}, m{"locator": "77"}, true},
		"uid":              {desktoptest.Tool{Name: "click"}, m{"uid": "77"}, true},
		"end of a drag":    {desktoptest.Tool{Name: "browser_drag"}, m{"startRef": "1", "endRef": "77"}, true},
		"a list":           {desktoptest.Tool{Name: "mark"}, m{"refs": []any{"1", "77"}}, true},
		"deeper":           {desktoptest.Tool{Name: "fill_form"}, m{"fields": []any{m{"ref": "77", "value": "x"}}}, true},
		"another case":     {desktoptest.Tool{Name: "click"}, m{"ref": "BTN-DEL"}, true},
		"spaces":           {desktoptest.Tool{Name: "click"}, m{"ref": " 1 "}, true},
		"two of one id":    {desktoptest.Tool{Name: "click"}, m{"ref": "5"}, true},
		"shown":            {desktoptest.Tool{Name: "click"}, m{"ref": "1"}, false},
		"shown, a number":  {desktoptest.Tool{Name: "click"}, m{"ref": 1}, false},
		"shown, both":      {desktoptest.Tool{Name: "browser_drag"}, m{"startElement": "Save", "startRef": "1", "endElement": "Title", "endRef": "3"}, false},
		"a description":    {desktoptest.Tool{Name: "click"}, m{"element": "the button Save", "ref": "1"}, false},
		"none":             {desktoptest.Tool{Name: "press_key"}, m{"key": "a", "ref": "", "target": nil}, false},
		"no id":            {desktoptest.Tool{Name: "look_at"}, m{"target": m{"x": 1, "y": 2}, "control": true}, false},
		"other parameters": {desktoptest.Tool{Name: "note"}, m{"text": "77", "width": 77}, false},
		"reads":            {desktoptest.Tool{Name: "describe", Annotations: reads}, m{"ref": "77"}, false},
	} {
		for _, blind := range []bool{false, true} {
			t.Run(name+map[bool]string{true: " without controls"}[blind], func(t *testing.T) {
				b := newBench(t, then(!tc.asks || blind, call(fsm.Continue, tc.tool.Name, tc.args))...)
				b.Word.SetControls(desktop.Control{ID: "1", Name: "Save", Type: "Button"}, desktop.Control{ID: "btn-del", Name: "Open", Type: "Button"},
					desktop.Control{ID: "3", Name: "Title", Type: "Edit"})
				b.Desktop.AddTools(tc.tool)
				if name == "two of one id" {
					b.Desktop.Lie(desktop.GetUITree, saying(`[{"id":"5","name":"Delete","type":"Button"},{"id":"5","name":"Open","type":"Button"}]`))
				}
				if blind {
					b.Desktop.Without(desktop.GetUITree)
				}
				_, err := b.run()
				if tc.asks && !blind {
					require.ErrorContains(t, err, "not approved: "+tc.tool.Name, "there is nobody to ask")
					assert.Empty(t, b.Desktop.Calls(tc.tool.Name))
					return
				}
				require.NoError(t, err)
				assert.Len(t, b.Desktop.Calls(tc.tool.Name), 1)
			})
		}
	}
}

// The ids of a desktop that is joined with the one that shows the controls are its own. Its click_input
// is about controls all the same.
func TestDefaultAsksAboutUnseenControlsOfJoinedTools(t *testing.T) {
	for tool, asks := range map[string]bool{"book_room": false, desktop.DoubleClick: true} {
		t.Run(tool, func(t *testing.T) {
			type in struct {
				ID string `json:"id"`
			}
			var calls []string
			other, err := desktop.New(desktop.Func(tool, "Do it.", func(_ context.Context, in in) (string, error) {
				calls = append(calls, in.ID)
				return "done", nil
			}, nil))
			require.NoError(t, err)
			b := newBench(t, then(!asks, call(fsm.Continue, tool, m{"id": "77"}))...)
			b.Config.Desktop = desktop.Join(b.Desktop, other)
			_, err = b.run()
			if asks {
				require.ErrorContains(t, err, "not approved: "+tool, "there is nobody to ask")
				assert.Empty(t, calls)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, []string{"77"}, calls)
		})
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
		"of the numbers":     {m{"keys": "{NUMPADENTER}"}, "Delete everything", true},
		"as X11 calls it":    {m{"keys": "{KP_ENTER}"}, "Delete everything", true},
		"as Windows does":    {m{"keys": "x{ VK_RETURN }"}, "Delete everything", true},
		"a tilde":            {m{"keys": "^~"}, "Delete everything", true},
		"blanks and a tab":   {m{"keys": "  \t"}, "Delete everything", true},
		"behind a tab":       {m{"keys": "{TAB}{ENTER}", "id": "3"}, "Save", true},
		"behind tabs":        {m{"keys": "x+{TAB 2} {SPACE}"}, "Save", true},
		"a blank behind it":  {m{"keys": "\t "}, "Save", true},
		"text behind a tab":  {m{"keys": "me{TAB}word{ENTER}", "id": "3"}, "Save", false},
		"a row":              {m{"keys": "1\t2\n"}, "Save", false},
		"words":              {m{"keys": "Center {the} <b>spaces</b> to enter"}, "Delete everything", false},
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
	for name, tc := range map[string]struct {
		tool string
		args m
		asks bool
	}{
		"Enter":           {"press_key", m{"key": "Enter"}, true},
		"space":           {"press_key", m{"key": "space"}, true},
		"Control+Enter":   {"press_key", m{"key": "Control+Enter"}, true},
		"with blanks":     {"press_key", m{"key": "Ctrl + Enter"}, true},
		"Return":          {"press_key", m{"key": "Return"}, true},
		"in angles":       {"press_key", m{"key": "<Enter>"}, true},
		"held":            {"press_key", m{"key": "<Control>Return"}, true},
		"of a kernel":     {"press_key", m{"key": "KEY_ENTER"}, true},
		"of a browser":    {"press_key", m{"key": "NumpadEnter"}, true},
		"of a driver":     {"press_key", m{"key": "\ue007"}, true},
		"escaped":         {"press_key", m{"key": `\n`}, true},
		"a list":          {"hotkey", m{"keys": []any{"Enter"}}, true},
		"a longer list":   {"hotkey", m{"keys": []any{"ctrl", "enter"}}, true},
		"a list of space": {"press_keys", m{"keys": []any{"space"}}, true},
		"deeper":          {"press_keys", m{"steps": []any{m{"action": "press", "key": "Enter"}}}, true},
		"a switch":        {"type_text", m{"text": "x", "press_enter": true}, true},
		"no switch":       {"type_text", m{"text": "x", "press_enter": false}, false},
		"a letter":        {"press_key", m{"key": "a"}, false},
		"Tab":             {"press_key", m{"key": "Tab"}, false},
		"a list of keys":  {"hotkey", m{"keys": []any{"ctrl", "shift", "a"}}, false},
	} {
		t.Run(tc.tool+" "+name, func(t *testing.T) {
			b := newBench(t, then(!tc.asks, call(fsm.Continue, tc.tool, tc.args))...)
			b.Desktop.AddTools(desktoptest.Tool{Name: tc.tool})
			b.Word.ChangeControl("1", func(c *desktop.Control) { c.Name = "Delete everything" })
			b.Word.ChangeWindow(func(w *desktop.Window) { w.Focus = "1" })
			_, _ = b.run()
			assert.Equal(t, tc.asks, len(b.Desktop.Calls(tc.tool)) == 0)
		})
	}
	for _, blind := range []bool{false, true} {
		t.Run(map[bool]string{true: "a list behind a tab, without controls", false: "a list behind a tab"}[blind], func(t *testing.T) {
			b := newBench(t, then(blind, call(fsm.Continue, "press_keys", m{"keys": []any{"Tab", "Enter"}}))...)
			b.Desktop.AddTools(desktoptest.Tool{Name: "press_keys"})
			b.Word.ChangeWindow(func(w *desktop.Window) { w.Focus = "3" })
			if blind {
				b.Desktop.Without(desktop.GetUITree)
			}
			_, _ = b.run()
			assert.Equal(t, !blind, len(b.Desktop.Calls("press_keys")) == 0)
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

// A button without a name is shown, judged and sealed by the texts in it.
func TestAButtonIsCalledByItsTexts(t *testing.T) {
	button := func(text string) desktop.Control {
		return desktop.Control{ID: "5", Type: "Button", Children: []desktop.Control{{Type: "Text", Name: text}}}
	}
	for after, done := range map[string]bool{"Delete": true, "Send": false} {
		b := newBench(t, m{"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "5"}, say(fsm.Finish))
		b.Word.SetControls(button("Delete"))
		b.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			assert.True(t, strings.HasPrefix(q.Target, `Button "Delete" (5) in `), q.Target)
			b.Word.SetControls(button(after))
			return people.Answer{Approved: true}, nil
		})
		b.finish()
		assert.Equal(t, done, len(b.Desktop.Calls(desktop.ClickInput)) == 1)
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
	says := func(text string) desktop.Control {
		d := dialog("9")
		d.Children = append([]desktop.Control{{ID: "2", Type: "Pane", Children: []desktop.Control{{ID: "3", Type: "Text", Name: text}}}}, yes...)
		return d
	}
	for name, tc := range map[string]struct {
		before, after desktop.Control
		done          bool
	}{
		"the same text":        {says("Overwrite draft.txt?"), says("Overwrite draft.txt?"), true},
		"another text":         {says("Overwrite draft.txt?"), says("Overwrite taxes.xlsx?"), false},
		"a text came":          {dialog("9"), says("All copies go, too."), false},
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
				assert.True(t, strings.HasPrefix(q.Target, `Button "Yes" (1) of the dialog "Overwrite?" (9) `), q.Target)
				b.Word.SetControls(tc.after)
				return people.Answer{Approved: true}, nil
			})
			b.finish()
			assert.Equal(t, tc.done, len(b.Desktop.Calls(desktop.ClickInput)) == 1)
		})
	}
}
