package desktoptest

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// findTools checks the list of tools.
func findTools(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		tools, problem := s.tools(d)
		if p.put(problem) {
			return p
		}
		p = append(p, toolProblems(tools)...)
		for _, tool := range tools {
			a := tool.Annotations
			if a.ReadOnlyHint && a.DestructiveHint {
				p.add("the tool %q says that it only reads and that it destroys", tool.Name)
			}
		}
		again, problem := s.tools(d)
		if p.put(problem) {
			return p
		}
		if !reflect.DeepEqual(tools, again) {
			p.add("Tools lists other tools the second time, or the same in another order, with nothing in between: %s", difference(tools, again))
			return p
		}
		wanted := cloneTools(again)
		for i := range tools { // the caller owns them
			clear(tools[i].InputSchema)
			tools[i].Name = "changed by its caller"
		}
		if again, problem = s.tools(d); problem == "" && !reflect.DeepEqual(wanted, again) {
			problem = "who changes the slice that Tools returned changes the tools of the desktop: return a copy"
		}
		p.put(problem)
		return p
	})
}

func toolProblems(tools []desktop.Tool) []string {
	_, err := desktop.NewToolbox(tools, desktop.LeaveToTool)
	if err == nil {
		return nil
	}
	var all interface{ Unwrap() []error }
	if !errors.As(err, &all) {
		return []string{err.Error()}
	}
	var p problems
	for _, err := range all.Unwrap() {
		p.add("%v", err)
	}
	return p
}

func difference(a, b []desktop.Tool) string {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i].Name != b[i].Name:
			return fmt.Sprintf("number %d is %q and then %q", i, a[i].Name, b[i].Name)
		case !reflect.DeepEqual(a[i], b[i]):
			return fmt.Sprintf("%q is described otherwise", a[i].Name)
		}
	}
	return fmt.Sprintf("there are %d and then %d", len(a), len(b))
}

func cloneTools(tools []desktop.Tool) []desktop.Tool {
	box, err := desktop.NewToolbox(tools, desktop.LeaveToTool)
	if err != nil {
		return nil
	}
	return box.Tools()
}

// sent are the well-known commands as agents send them.
var sent = []desktop.Command{
	{ToolName: desktop.CaptureDesktopScreenshot},
	{ToolName: desktop.CaptureWindowScreenshot},
	{ToolName: desktop.GetDesktopAppInfo},
	{ToolName: desktop.GetAppWindow},
	{ToolName: desktop.GetUITree},
	{ToolName: desktop.ListTools},
	{ToolName: desktop.Texts, Parameters: map[string]any{"id": "1"}},
	commands.Click("1", ""),
	{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "1", "name": "Save", "button": "right", "double": true}},
	commands.SetText("1", "Title", "Costs"),
	commands.TypeKeys("", "{ENTER}"),
	{ToolName: desktop.KeyboardInput, Parameters: map[string]any{"id": "1", "keys": "a", "control_focus": false}},
	{ToolName: desktop.WheelMouseInput, Parameters: map[string]any{"wheel_dist": -3}},
	{ToolName: desktop.Wait, Parameters: map[string]any{"seconds": 1.5}},
	desktop.Shell("ls"),
	commands.Select("1", "Book1"),
	commands.Launch("excel"),
	commands.Launch("excel", "excel", "book.xlsx"),
	commands.Close("1"),
}

// findWellKnown checks what a desktop offers under a well-known name.
func findWellKnown(s *subject) []string {
	return s.with(func(d desktop.Desktop) []string {
		var p problems
		box, problem := s.box(d)
		if p.put(problem) {
			return p
		}
		for _, tool := range box.Tools() {
			known, ok := desktop.ToolNamed(tool.Name)
			if !ok {
				continue
			}
			switch looks := known.Annotations.ReadOnlyHint; {
			case looks && !tool.Annotations.ReadOnlyHint:
				p.add("the tool %q does not say that it only reads: a policy for reading would refuse it", tool.Name)
			case !looks && tool.Annotations.ReadOnlyHint:
				p.add("the tool %q says that it only reads: a policy for reading would let it act", tool.Name)
			}
			for _, cmd := range sent {
				if cmd.ToolName != tool.Name {
					continue
				}
				if err := box.Check(cmd); err != nil {
					p.add("the schema of %q refuses what agents send: %v; take it from desktop.ToolNamed", tool.Name, err)
					break
				}
			}
		}
		return p
	})
}
