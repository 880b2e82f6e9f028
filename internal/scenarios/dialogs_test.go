package scenarios_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// section reads a section of a request, the zero value where it is not there.
func section[T any](req *llm.Request, name string) (value T) {
	if raw, ok := llm.FindSection(req, name); ok {
		_ = json.Unmarshal(raw, &value)
	}
	return value
}

// A table of Word becomes a chart in Excel, although a modal dialog comes up after every second
// act: the agents see it first, answer it, and go on.
func TestScenario59_ADialogInTheWayOfEverySecondAct(t *testing.T) {
	s := onStage(t)
	todo := map[string][]string{"extract the table": {"find", "copy"}, "draw a chart of it": {"write_rows", "add_chart", "title", "save_workbook"}}
	dialogs, acts, answered := map[*desktoptest.App]*desktoptest.App{}, 0, 0
	for i, app := range []*desktoptest.App{s.Word, s.Excel} {
		dialogs[app] = &desktoptest.App{
			Owner: app, Modal: true, Title: fmt.Sprintf("Question %d", i),
			Controls: []desktop.Control{{ID: fmt.Sprintf("ok-%d", i), Name: "OK", Type: "Button"}},
		}
		s.Desktop.Add(dialogs[app])
	}
	for _, tool := range slices.Concat(todo["extract the table"], todo["draw a chart of it"]) {
		s.Desktop.AddTools(desktoptest.Tool{Name: tool, Run: func(_ context.Context, call desktoptest.Call) (any, error) {
			dialog := dialogs[call.App]
			if _, shows := dialog.Window(); shows {
				return nil, errors.New("a dialog is in the way")
			}
			if acts++; acts%2 == 0 {
				s.Desktop.Show(dialog)
			}
			return "done", nil
		}})
	}
	s.Desktop.After(desktop.ClickInput, func(call desktoptest.Call) {
		answered++
		s.Desktop.Gone(call.App) // the dialog's
	})
	s.Config.Model = llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		reply := dialogHost(req)
		if task := section[struct{ Text string }](req, "subtask").Text; task != "" {
			reply = dialogApp(req, todo[task])
		}
		text, err := json.Marshal(reply)
		return &llm.Response{Text: string(text), Usage: used}, err
	})
	s.Config.Policy = func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
		return policies.Verdict{Action: policies.Allow}
	}
	res, err := s.run("draw the table as a chart")
	require.NoError(t, err)
	assert.Equal(t, "drawn", res.Answer)
	assert.Equal(t, 6, acts)
	assert.Equal(t, 3, answered)
	for _, e := range s.Desktop.Actions() {
		assert.Equal(t, desktop.Success, e.Result.Status, "nobody acts on what is behind a dialog: %s", e)
	}
}

func dialogHost(req *llm.Request) any {
	switch len(section[[]blackboard.Subtask](req, "previous_subtasks")) {
	case 0:
		return assign("0", "extract the table")
	case 1:
		return assign("1", "draw a chart of it")
	}
	return finish("drawn")
}

// dialogApp answers a modal dialog, and else does what is next.
func dialogApp(req *llm.Request, todo []string) any {
	type dialog struct {
		ID    string
		Modal bool
	}
	for _, d := range section[[]dialog](req, "dialogs") {
		if d.Modal {
			front := section[[]desktop.Control](req, "controls")[0]
			return map[string]any{"Status": "CONTINUE", "Function": desktop.ClickInput, "ControlLabel": front.Children[0].ID}
		}
	}
	type memo struct {
		Actions []struct{ Function, Status string }
	}
	done := map[string]bool{}
	for _, m := range section[[]memo](req, "history") {
		for _, a := range m.Actions {
			done[a.Function] = done[a.Function] || a.Status == ""
		}
	}
	for _, tool := range todo {
		if !done[tool] {
			return call("CONTINUE", tool, nil)
		}
	}
	return finish("done")
}

// Points, double clicks, menus, tables and one control alone: what a click on a point is aimed at
// is the control there, for a person who approves it and for the policy.
func TestScenario59_PointsAndPaths(t *testing.T) {
	list := []any{map[string]any{"Function": "double_click", "ControlLabel": "b"}, map[string]any{"Function": "select_menu", "Args": map[string]any{"path": []string{"Insert", "Chart..."}}}}
	s := onStage(t,
		call("CONTINUE", desktop.ClickOnCoordinates, map[string]any{"x": 12, "y": 33}),
		call("CONTINUE", desktop.ClickOnCoordinates, map[string]any{"x": 500, "y": 500}),
		map[string]any{"Status": "CONTINUE", "Actions": list},
		call("CONTINUE", desktop.ReadTable, map[string]any{"id": "t", "first_row": 2}),
		call("CONTINUE", desktop.DragOnCoordinates, map[string]any{"start_x": 12, "start_y": 33, "end_x": 22, "end_y": 43}),
		call("CONTINUE", desktop.ClickOnCoordinates, map[string]any{"x": 12, "y": 33}),
		finish("done"),
	)
	s.Word.SetControls(
		desktop.Control{ID: "d", Type: "Dialog", Name: "Overwrite?", Bounds: [4]int{0, 0, 100, 100}, Children: []desktop.Control{
			{ID: "b", Name: "Yes", Type: "Button", Bounds: [4]int{10, 30, 20, 10}},
		}},
		desktop.Control{ID: "t", Type: "Table", Bounds: [4]int{0, 100, 100, 100}, Children: []desktop.Control{{Children: []desktop.Control{{Value: "a"}}}, {Children: []desktop.Control{{Name: "b"}, {Value: "7"}}}}},
		desktop.Control{ID: "m", Name: "Insert", Bounds: [4]int{0, 200, 100, 20}, Children: []desktop.Control{{ID: "m1", Name: "Chart..."}}},
	)
	for _, tool := range []string{desktop.ClickOnCoordinates, desktop.DragOnCoordinates, desktop.DoubleClick, desktop.SelectMenu, desktop.ReadTable, desktop.GetControl} {
		s.Desktop.AddTools(desktoptest.Tool{Name: tool})
	}
	s.Desktop.After(desktop.DragOnCoordinates, func(desktoptest.Call) {
		s.Word.ChangeControl("b", func(c *desktop.Control) { c.Bounds = [4]int{20, 40, 20, 10} })
	})
	var aimed []string
	s.Config.Policy = func(ctx context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
		text := cmd.ToolName + " on"
		for _, c := range policies.ControlPath(ctx) {
			text += " " + c.ID
		}
		for _, c := range policies.DropPath(ctx) {
			text += " to " + c.ID
		}
		aimed = append(aimed, text)
		return policies.Verdict{Action: policies.Allow}
	}
	_, err := s.drive(s.alone(), "go").Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []string{
		"click_on_coordinates on d b", "click_on_coordinates on", "double_click on d b", "select_menu on", "read_table on t",
		"drag_on_coordinates on d b to d", "click_on_coordinates on d",
	}, aimed)
	var targets []string
	for _, memo := range section[[]struct{ Actions []struct{ Target string } }](s.Model.Last(), "history") {
		for _, a := range memo.Actions {
			targets = append(targets, a.Target)
		}
	}
	button := `Button "Yes" (b) of the dialog "Overwrite?" (d) in word/report (1)`
	assert.Equal(t, []string{
		button, "point 500, 500 in word/report (1)", button, "", `Table "" (t) in word/report (1)`,
		`Button "Yes" (b) of the dialog "Overwrite?" (d) to Dialog "Overwrite?" (d) in word/report (1)`, `Dialog "Overwrite?" (d) in word/report (1)`,
	}, targets)
	assert.Empty(t, s.Desktop.Calls(desktop.GetControl), "the first of a list was just seen")
}

// A control is looked at again without the rest of the tree, where the desktop can.
func TestScenario59_OneControlIsLookedAtAgain(t *testing.T) {
	click := map[string]any{"Function": desktop.ClickInput, "ControlLabel": "1"}
	s := onStage(t, map[string]any{"Status": "CONTINUE", "Actions": []any{click, click, click}}, finish("done"))
	s.Word.SetControls(desktop.Control{ID: "1", Name: "Next", Type: "Button"})
	s.Desktop.AddTools(desktoptest.Tool{Name: desktop.GetControl})
	_, err := s.drive(s.alone(), "go").Run(t.Context())
	require.NoError(t, err)
	assert.Len(t, s.Desktop.Calls(desktop.GetControl), 2)
	assert.Len(t, s.Desktop.Calls(desktop.GetUITree), 2, "one for each step")
	assert.Len(t, s.Desktop.Calls(desktop.ClickInput), 3)
}

// A control of a dialog is still one of that dialog when it is looked at again.
func TestScenario59_OneControlOfADialogIsLookedAtAgain(t *testing.T) {
	click := map[string]any{"Function": desktop.ClickInput, "ControlLabel": "12"}
	s := onStage(t, map[string]any{"Status": "CONTINUE", "Actions": []any{click, click}}, finish("done"))
	s.Desktop.AddTools(desktoptest.Tool{Name: desktop.GetControl})
	dialog := &desktoptest.App{Owner: s.Word, Modal: true, Title: "Save as", Running: true, Controls: []desktop.Control{{ID: "12", Name: "OK", Type: "Button"}}}
	s.Desktop.Add(dialog)
	_, err := s.drive(s.alone(), "go").Run(t.Context())
	require.NoError(t, err)
	assert.Len(t, s.Desktop.Calls(desktop.ClickInput), 2)
}

// A point in a dialog is the dialog's, although the document beneath has a control there, too.
func TestScenario59_APointInADialog(t *testing.T) {
	s := onStage(t, call("CONTINUE", desktop.ClickOnCoordinates, map[string]any{"x": 12, "y": 12}))
	s.Word.SetControls(desktop.Control{ID: "1", Name: "Body", Type: "Edit", Bounds: [4]int{0, 0, 500, 500}})
	s.Desktop.AddTools(desktoptest.Tool{Name: desktop.ClickOnCoordinates})
	s.Desktop.Add(&desktoptest.App{Owner: s.Word, Modal: true, Title: "Really?", Running: true, Controls: []desktop.Control{
		{ID: "12", Name: "Delete", Type: "Button", Bounds: [4]int{10, 10, 20, 10}},
	}})
	_, err := s.drive(s.alone(), "go").Run(t.Context())
	require.ErrorContains(t, err, "not approved: click_on_coordinates", "there is nobody to ask")
	assert.Empty(t, s.Desktop.Calls(desktop.ClickOnCoordinates))
}

// A click where another control may be is one on a control that nobody has seen, too: the policy asks
// for both.
func TestScenario59_APointOfSeveralControls(t *testing.T) {
	for name, want := range map[string]string{
		"Tools":    "the control is not known",
		"Wipe all": `the name of the control "Wipe all" says "wipe"; the control is not known`,
	} {
		for tool, args := range map[string]map[string]any{
			desktop.ClickOnCoordinates: {"x": 12, "y": 12},
			desktop.DragOnCoordinates:  {"start_x": 250, "start_y": 12, "end_x": 12, "end_y": 12},
		} {
			t.Run(tool+" "+name, func(t *testing.T) {
				s := onStage(t, call("CONTINUE", tool, args), finish("done"))
				s.Word.SetControls(
					desktop.Control{ID: "1", Name: name, Type: "Pane", Bounds: [4]int{0, 0, 100, 100}, Children: []desktop.Control{{ID: "2", Name: "Next", Type: "Button"}}},
					desktop.Control{ID: "3", Name: "File", Type: "Icon", Bounds: [4]int{200, 0, 100, 100}})
				s.Desktop.AddTools(desktoptest.Tool{Name: tool})
				s.Config.Policy = policies.AskDestructive()
				var reason string
				s.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
					reason = q.Reason
					return people.Answer{Approved: true}, nil
				})
				_, err := s.drive(s.alone(), "go").Run(t.Context())
				require.NoError(t, err)
				assert.Equal(t, want, reason)
				assert.Len(t, s.Desktop.Calls(tool), 1)
			})
		}
	}
}

// A tree of 2,000 controls takes its bound of the prompt at most: the outermost are shown, and how
// many are not.
func TestScenario59_ALargeTree(t *testing.T) {
	s := onStage(t, finish("done"))
	tree := make([]desktop.Control, 40)
	for i := range tree {
		tree[i] = desktop.Control{ID: fmt.Sprint("g", i), Type: "Group", Name: fmt.Sprint("group ", i)}
		for j := range 49 {
			tree[i].Children = append(tree[i].Children, desktop.Control{ID: fmt.Sprint(i, ".", j), Type: "Button", Name: fmt.Sprint("button ", j), Bounds: [4]int{i, j, 10, 10}})
		}
	}
	s.Word.SetControls(tree...)
	_, err := s.drive(s.alone(), "go").Run(t.Context())
	require.NoError(t, err)
	raw, _ := llm.FindSection(s.Model.Last(), "controls")
	assert.LessOrEqual(t, len(oneLine(raw)), 32<<10)
	shown := section[[]map[string]any](s.Model.Last(), "controls")
	assert.Len(t, shown, 41, "all groups, and a note")
	assert.Contains(t, shown[40]["left_out"], "of 2000 controls were left out")
}

// scene is a button that leads on, and one without an id at a point of its own.
func scene(name string) []desktop.Control {
	return []desktop.Control{
		{ID: "1", Name: "Next", Type: "Button", Bounds: [4]int{0, 0, 50, 20}},
		{Name: name, Type: "Button", Bounds: [4]int{100, 0, 50, 20}},
	}
}

// An act may change what is at the point of the next one, also where that has no id.
func TestScenario59_APointWithoutAnID(t *testing.T) {
	s := onStage(t, map[string]any{"Status": "CONTINUE", "Actions": []any{
		map[string]any{"Function": desktop.ClickInput, "ControlLabel": "1"},
		map[string]any{"Function": desktop.ClickOnCoordinates, "Args": map[string]any{"x": 105, "y": 5}},
	}}, finish("done"))
	s.Desktop.AddTools(desktoptest.Tool{Name: desktop.ClickOnCoordinates})
	s.Word.SetControls(scene("Back")...)
	s.Desktop.After(desktop.ClickInput, func(desktoptest.Call) { s.Word.SetControls(scene("Delete all")...) })
	_, _ = s.drive(s.alone(), "go").Run(t.Context())
	assert.Empty(t, s.Desktop.Calls(desktop.ClickOnCoordinates), "it was decided for Back, and is Delete all")
}

// The same id in another dialog is another control, and get_control does not tell.
func TestScenario59_TheDialogChangesAroundAControl(t *testing.T) {
	for _, tool := range []string{desktop.GetUITree, desktop.GetControl} {
		t.Run(tool, func(t *testing.T) {
			s := onStage(t, map[string]any{"Status": "CONTINUE", "Actions": []any{
				map[string]any{"Function": desktop.ClickInput, "ControlLabel": "1"},
				map[string]any{"Function": desktop.ClickInput, "ControlLabel": "7"},
			}}, finish("done"))
			if tool == desktop.GetControl {
				s.Desktop.AddTools(desktoptest.Tool{Name: tool})
			}
			asking := func(title string) desktop.Control {
				return desktop.Control{ID: "d", Type: "Dialog", Name: title, Children: []desktop.Control{
					{ID: "1", Name: "Later", Type: "Button"}, {ID: "7", Name: "Yes", Type: "Button"},
				}}
			}
			s.Word.SetControls(asking("Save?"))
			s.Desktop.After(desktop.ClickInput, func(desktoptest.Call) { s.Word.SetControls(asking("Really?")) })
			_, _ = s.drive(s.alone(), "go").Run(t.Context())
			assert.Len(t, s.Desktop.Calls(desktop.ClickInput), 1, "Yes was decided for Save?")
		})
	}
}
