package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
)

// screen is a desktop as light as one can be: its lists are made once, for all runs. What a
// step or a round costs is then the library's, not the desktop's.
type screen struct {
	job *job
	*lists
	changing func(step int) json.RawMessage // controls by the calls of the model so far; nil: they stay
}

// lists are what a screen shows.
type lists struct {
	tools    []desktop.Tool
	windows  json.RawMessage
	controls json.RawMessage
}

// sizes are how much a screen has.
type sizes struct{ Tools, Controls, Windows int }

// usual is the realistic screen.
var usual = sizes{Tools: 12, Controls: 60, Windows: 5}

// newScreen makes a screen with tools that do nothing, besides those that look.
func newScreen(j *job, has sizes) *screen {
	if screens[has] == nil {
		screens[has] = newLists(has)
	}
	return &screen{job: j, lists: screens[has]}
}

// screens are those that were made: one measurement uses them at a time.
var screens = map[sizes]*lists{}

func newLists(has sizes) *lists {
	l := &lists{windows: encoded(windows(has.Windows)), controls: encoded(controls(has.Controls))}
	for _, name := range []string{desktop.GetDesktopAppInfo, desktop.GetUITree} {
		tool, _ := desktop.ToolNamed(name)
		l.tools = append(l.tools, tool)
	}
	for _, spec := range manySpecs(has.Tools) {
		l.tools = append(l.tools, desktop.Tool{Name: spec.Name, Description: spec.Description, InputSchema: json.RawMessage(spec.Schema)})
	}
	return l
}

func (s *screen) Tools(context.Context) ([]desktop.Tool, error) {
	return append([]desktop.Tool(nil), s.tools...), nil
}

func (s *screen) Execute(_ context.Context, cmd desktop.Command) (desktop.Result, error) {
	switch cmd.ToolName {
	case desktop.GetDesktopAppInfo:
		return shown(s.windows), nil
	case desktop.GetUITree:
		if s.changing != nil {
			return shown(s.changing(s.job.thoughts)), nil
		}
		return shown(s.controls), nil
	default:
		return desktop.TextResult(s.job.called()), nil
	}
}

func shown(list json.RawMessage) desktop.Result {
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{JSON: list}}}
}

// windows are of programs with a document each.
func windows(n int) []desktop.Window {
	list := make([]desktop.Window, n)
	for i := range list {
		list[i] = desktop.Window{
			ID: fmt.Sprint(i + 1), Root: fmt.Sprintf("program%d", i+1), Process: fmt.Sprintf("report-%d.docx", i+1),
			Title: fmt.Sprintf("report-%d.docx - Program %d", i+1, i+1), Focused: i == 0,
		}
	}
	return list
}

// controls have about 100 bytes each.
func controls(n int) []desktop.Control {
	list := make([]desktop.Control, n)
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
