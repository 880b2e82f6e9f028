package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
)

// screen is a desktop as light as one can be: its lists are made once, for all runs. What a
// step costs is then the library's, not the desktop's.
type screen struct{ job *job }

var (
	screenTools    = newTools()
	screenWindows  = encoded(windows())
	screenControls = encoded(controls())
)

func newTools() []desktop.Tool {
	var tools []desktop.Tool
	for _, name := range []string{desktop.GetDesktopAppInfo, desktop.GetUITree} {
		tool, _ := desktop.ToolNamed(name)
		tools = append(tools, tool)
	}
	for _, spec := range specs {
		tools = append(tools, desktop.Tool{Name: spec.Name, Description: spec.Description, InputSchema: json.RawMessage(spec.Schema)})
	}
	return tools
}

func (s screen) Tools(context.Context) ([]desktop.Tool, error) {
	return slices.Clone(screenTools), nil
}

func (s screen) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	switch cmd.ToolName {
	case desktop.GetDesktopAppInfo:
		return shown(screenWindows), nil
	case desktop.GetUITree:
		return shown(screenControls), nil
	default:
		return desktop.TextResult(s.job.called()), nil
	}
}

func shown(list json.RawMessage) desktop.Result {
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: list}}}
}

// windows are of programs with a document each.
func windows() []desktop.Window {
	list := make([]desktop.Window, 5)
	for i := range list {
		list[i] = desktop.Window{
			ID: fmt.Sprint(i + 1), Root: fmt.Sprintf("program%d", i+1), Process: fmt.Sprintf("report-%d.docx", i+1),
			Title: fmt.Sprintf("report-%d.docx - Program %d", i+1, i+1), Focused: i == 0,
		}
	}
	return list
}

// controls have about 100 bytes each.
func controls() []desktop.Control {
	list := make([]desktop.Control, 60)
	for i := range list {
		list[i] = desktop.Control{
			ID: fmt.Sprint(i + 1), Name: fmt.Sprintf("Cell %d of the table", i+1), Type: "Edit",
			Value: fmt.Sprintf("%d units sold", 1000+i), Actions: []string{"press"},
		}
	}
	return list
}

// encoded is the JSON of a value that has one.
func encoded(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a list of structs of texts
	}
	return text
}
