package appagent_test

import (
	"context"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// naming are the ways in which a call of a tool names the control "1" of the bench.
func naming() map[string]m {
	ways := map[string]m{
		"label and a number": {"Args": m{"nr": 1}, "ControlLabel": "1"},
		"label and a text":   {"Args": m{"which": "1"}, "ControlLabel": "1"},
		"in an object":       {"Args": m{"target": m{"id": "1"}}},
		"in a list":          {"Args": m{"fields": []m{{"ref": "3", "value": "x"}, {"ref": "1", "value": "y"}}}},
		"list of texts":      {"Args": m{"refs": []string{"1"}}},
		"with spaces":        {"Args": m{"ref": " 1 "}},
		"second of two":      {"Args": m{"id": "3", "target": "1"}},
		"a number":           {"Args": m{"index": 1}},
		"a list of numbers":  {"Args": m{"marks": []int{1}}},
		"deep inside":        {"Args": m{"steps": []m{{"does": "press", "element_index": 1}}}},
	}
	for _, name := range []string{
		"id", "ref", "target", "selector", "control", "controlid", "elementid", "locator", "uid",
		"control_id", "elementId", "Target", "startRef", "end_ref", "element", "targetRef", "nodeId",
		"index", "element_index", "elementIndex", "label", "mark", "control_label", "node_number",
	} {
		ways[name] = m{"Args": m{name: "1"}}
	}
	return ways
}

// namingBench is a bench whose model calls press_it in one of these ways.
func namingBench(t *testing.T, way m, next ...any) *bench {
	t.Helper()
	reply := m{"Status": "CONTINUE", "Function": "press_it"}
	maps.Copy(reply, way)
	b := newBench(t, append([]any{reply}, next...)...)
	b.Desktop.AddTools(desktoptest.Tool{Name: "press_it"})
	return b
}

// Whatever a tool calls its parameter, the default policy judges the control that is named.
func TestAControlIsJudgedByAnyName(t *testing.T) {
	for name, way := range naming() {
		t.Run(name, func(t *testing.T) {
			b := namingBench(t, way)
			b.Word.ChangeControl("1", func(c *desktop.Control) { c.Name = "Delete everything" })
			_, err := b.run()
			require.ErrorContains(t, err, "not approved: press_it", "there is nobody to ask")
			assert.Empty(t, b.Desktop.Calls("press_it"))
			if name == "with spaces" { // the id of a tool that does not trim it is another one
				return
			}
			b = namingBench(t, way, say(fsm.Finish))
			b.finish()
			assert.Len(t, b.Desktop.Calls("press_it"), 1, "Save does no harm")
		})
	}
}

// A tool of the application's own may name a control by its id or its name in any argument.
func TestAControlIsJudgedByAnyText(t *testing.T) {
	for name, tc := range map[string]struct {
		tool string
		args m
		asks bool
	}{
		"id":                 {"press_it", m{"which": "btn-del"}, true},
		"id in another case": {"press_it", m{"which": "BTN-DEL"}, true},
		"name":               {"press_it", m{"label": "Delete everything"}, true},
		"name as is said":    {"press_it", m{"caption": " delete  everything "}, true},
		"deep":               {"press_it", m{"steps": []m{{"button": "Delete everything"}}}, true},
		"in a list":          {"press_it", m{"buttons": []string{"Open", "Delete everything"}}, true},
		"another control":    {"press_it", m{"label": "Open"}, false},
		"a part of a name":   {"press_it", m{"label": "everything"}, false},
		"a number":           {"press_it", m{"width": 7, "count": "7"}, false},
		"beside a text":      {"type_text", m{"field": "Delete everything", "text": "x"}, true},
		"a text to type":     {"type_text", m{"text": "Delete everything"}, false},
		"a well-known tool":  {desktop.KeyboardInput, m{"keys": "Delete everything"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, then(!tc.asks, call(fsm.Continue, tc.tool, tc.args))...)
			b.Desktop.AddTools(desktoptest.Tool{Name: "press_it"}, desktoptest.Tool{Name: "type_text"})
			b.Word.SetControls(desktop.Control{ID: "btn-del", Name: "Delete everything", Type: "Button"}, desktop.Control{ID: "2", Name: "Open", Type: "Button"},
				desktop.Control{ID: "7", Name: "Delete everything", Type: "Button"})
			_, err := b.run()
			assert.Equal(t, tc.asks, len(b.Desktop.Calls(tc.tool)) == 0)
			if tc.asks {
				require.ErrorContains(t, err, "not approved: "+tc.tool, "there is nobody to ask")
			}
		})
	}
}

// The question shows the control, and each change of it, or of its window, voids the approval.
func TestAControlIsSealedByAnyName(t *testing.T) {
	changes := map[string]struct {
		change func(*bench)
		done   bool
	}{
		"nothing":        {func(*bench) {}, true},
		"another title":  {func(b *bench) { b.Word.ChangeWindow(func(w *desktop.Window) { w.Title = "other" }) }, true},
		"renamed":        {func(b *bench) { b.Word.ChangeControl("1", func(c *desktop.Control) { c.Name = "Delete everything" }) }, false},
		"another type":   {func(b *bench) { b.Word.ChangeControl("1", func(c *desktop.Control) { c.Type = "Edit" }) }, false},
		"gone":           {func(b *bench) { b.Word.SetControls(desktop.Control{ID: "3", Name: "Title", Type: "Edit"}) }, false},
		"another dialog": {func(b *bench) { b.Word.ChangeWindow(func(w *desktop.Window) { w.Dialog = "9" }) }, false},
		"in a dialog": {func(b *bench) {
			b.Word.SetControls(desktop.Control{ID: "9", Type: "Dialog", Name: "Sure?", Children: []desktop.Control{{ID: "1", Name: "Save", Type: "Button"}}},
				desktop.Control{ID: "3", Name: "Title", Type: "Edit"})
		}, false},
	}
	for name, way := range naming() {
		for what, tc := range changes {
			t.Run(name+"/"+what, func(t *testing.T) {
				b := namingBench(t, way, say(fsm.Finish))
				b.Config.Policy = func(context.Context, desktop.Tool, desktop.Command) policies.Verdict { return policies.Verdict{} }
				b.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
					assert.Contains(t, q.Target, `Button "Save" (1)`)
					assert.Contains(t, q.Text, `Button "Save" (1)`)
					tc.change(b)
					return people.Answer{Approved: true}, nil
				})
				b.finish()
				assert.Equal(t, tc.done, len(b.Desktop.Calls("press_it")) == 1)
				assert.Equal(t, tc.done, !b.has(1, "last_error"))
			})
		}
	}
}

// Keys that go to a control by any name: that control counts, wherever the focus moves.
func TestKeysToAControlByAnyName(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*bench)
		done   bool
	}{
		"moved focus": {func(b *bench) { b.Word.ChangeWindow(func(w *desktop.Window) { w.Focus = "1" }) }, true},
		"renamed":     {func(b *bench) { b.Word.ChangeControl("3", func(c *desktop.Control) { c.Name = "Amount" }) }, false},
		"both": {func(b *bench) {
			b.Word.ChangeControl("3", func(c *desktop.Control) { c.Name = "Amount" })
			b.Word.ChangeWindow(func(w *desktop.Window) { w.Focus = "1" })
		}, false},
	} {
		for _, parameter := range []string{"ref", "selector", "control", "uid"} {
			t.Run(name+" "+parameter, func(t *testing.T) {
				b := newBench(t, call(fsm.Continue, "type_text", m{parameter: "3", "text": "100"}), say(fsm.Finish))
				b.Desktop.AddTools(desktoptest.Tool{Name: "type_text", Schema: `{"type":"object","properties":{"` + parameter + `":{"type":"string"},"text":{"type":"string"}}}`})
				b.Word.ChangeWindow(func(w *desktop.Window) { w.Focus = "3" })
				b.Config.Policy = func(context.Context, desktop.Tool, desktop.Command) policies.Verdict { return policies.Verdict{} }
				b.Config.User = people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
					tc.change(b)
					return people.Answer{Approved: true}, nil
				})
				b.finish()
				assert.Equal(t, tc.done, len(b.Desktop.Calls("type_text")) == 1)
			})
		}
	}
}

// In a list an action is for what its control was when the model decided, by whatever name.
func TestAControlInAListByAnyName(t *testing.T) {
	for name, way := range naming() {
		t.Run(name, func(t *testing.T) {
			second := m{"Function": "press_it"}
			maps.Copy(second, way)
			b := newBench(t, m{"Status": "CONTINUE", "Actions": []m{{"Function": "rename"}, second}}, say(fsm.Finish))
			b.Desktop.AddTools(desktoptest.Tool{Name: "press_it"}, desktoptest.Tool{Name: desktop.GetControl}, desktoptest.Tool{Name: "rename", Run: func(context.Context, desktoptest.Call) (any, error) {
				b.Word.ChangeControl("1", func(c *desktop.Control) { c.Name = "Open" })
				return nil, nil
			}})
			b.finish()
			assert.Empty(t, b.Desktop.Calls("press_it"))
			acted := section[[]acting.Memo](b, 1, "history")[0].Actions
			assert.Contains(t, acted[1].Error, `its target had changed from`)
			assert.Contains(t, acted[1].Error, `Button "Open" (1)`)
		})
	}
}
