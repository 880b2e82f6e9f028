package scenarios_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
)

// What is dragged onto "Trash" is deleted: a person reads both ends of a drag before it, and the
// approval is of both. The class: a command that names two controls.
func TestScenario59_BothEndsOfADrag(t *testing.T) {
	icon := desktop.Control{ID: "f", Type: "Icon", Name: "report", Bounds: [4]int{10, 10, 20, 20}}
	end := func(name string) desktop.Control {
		return desktop.Control{ID: "e", Type: "Icon", Name: name, Bounds: [4]int{100, 100, 20, 20}}
	}
	dialog := desktop.Control{ID: "d", Type: "Dialog", Name: "Uninstall?", Bounds: [4]int{90, 90, 50, 50}, Children: []desktop.Control{end("Yes")}}
	const from = `Icon "report" (f) to Icon `
	for name, c := range map[string]struct {
		shown   []desktop.Control
		then    []desktop.Control // while the person reads
		target  string            // "": nobody is asked
		dragged bool
	}{
		"onto a folder":         {[]desktop.Control{icon, end("Folder")}, nil, "", true},
		"onto Trash":            {[]desktop.Control{icon, end("Trash")}, nil, from + `"Trash" (e)`, true},
		"onto Delete":           {[]desktop.Control{icon, end("Delete")}, nil, from + `"Delete" (e)`, true},
		"into a dialog":         {[]desktop.Control{dialog, icon}, nil, from + `"Yes" (e) of the dialog "Uninstall?" (d)`, true},
		"from nothing seen":     {[]desktop.Control{end("Trash")}, nil, `point 15, 15 to Icon "Trash" (e)`, true},
		"to nothing seen":       {[]desktop.Control{icon}, nil, "", true},
		"the end is renamed":    {[]desktop.Control{icon, end("Trash")}, []desktop.Control{icon, end("Send")}, from + `"Trash" (e)`, false},
		"the end is gone":       {[]desktop.Control{icon, end("Trash")}, []desktop.Control{icon}, from + `"Trash" (e)`, false},
		"the beginning is gone": {[]desktop.Control{icon, end("Trash")}, []desktop.Control{end("Trash")}, from + `"Trash" (e)`, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, call(fsm.Continue, desktop.DragOnCoordinates, map[string]any{"start_x": 15, "start_y": 15, "end_x": 105, "end_y": 105}), finish("done"))
			s.Word.SetControls(c.shown...)
			dragged := false
			s.Desktop.AddTools(desktoptest.Tool{Name: desktop.DragOnCoordinates, Run: func(context.Context, desktoptest.Call) (any, error) {
				dragged = true
				return nil, nil
			}})
			var asked string
			s.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
				asked = q.Target
				if c.then != nil {
					s.Word.SetControls(c.then...)
				}
				return people.Answer{Approved: true}, nil
			})
			_, err := s.drive(s.alone(), "tidy up").Run(t.Context())
			require.NoError(t, err)
			if c.target != "" {
				c.target += " in word/report (1)"
			}
			assert.Equal(t, c.target, asked)
			assert.Equal(t, c.dragged, dragged)
		})
	}
}

// The first of a list changes what is at the end of the second: that one is not executed.
func TestScenario59_TheEndOfADragChangesInAList(t *testing.T) {
	for name, shown := range map[string][]desktop.Control{
		"both were seen":    {{ID: "f", Name: "report", Bounds: [4]int{10, 10, 20, 20}}, {ID: "e", Name: "Folder", Bounds: [4]int{100, 100, 20, 20}}},
		"the end was seen":  {{ID: "e", Name: "Folder", Bounds: [4]int{100, 100, 20, 20}}},
		"it has no id":      {{Name: "Folder", Bounds: [4]int{100, 100, 20, 20}}},
		"the start was":     {{ID: "f", Name: "report", Bounds: [4]int{10, 10, 20, 20}}},
		"it is in a dialog": {{ID: "d", Type: "Dialog", Bounds: [4]int{0, 0, 200, 200}, Children: []desktop.Control{{ID: "e", Name: "Folder", Bounds: [4]int{100, 100, 20, 20}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			drag := map[string]any{"Function": desktop.DragOnCoordinates, "Args": map[string]any{"start_x": 15, "start_y": 15, "end_x": 105, "end_y": 105}}
			s := onStage(t, map[string]any{"Status": "CONTINUE", "Actions": []any{map[string]any{"Function": desktop.Wait, "Args": map[string]any{"seconds": 0}}, drag}}, finish("done"))
			s.Word.SetControls(shown...)
			s.Desktop.AddTools(desktoptest.Tool{Name: desktop.DragOnCoordinates})
			s.Desktop.After(desktop.Wait, func(desktoptest.Call) {
				s.Word.SetControls(append(shown[:len(shown)-1:len(shown)-1], desktop.Control{ID: "e", Name: "Elsewhere", Bounds: [4]int{0, 0, 200, 200}})...)
			})
			_, err := s.drive(s.alone(), "tidy up").Run(t.Context())
			require.NoError(t, err)
			assert.Empty(t, s.Desktop.Calls(desktop.DragOnCoordinates))
		})
	}
}
