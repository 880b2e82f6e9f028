package desktoptest

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// findTools checks the list of tools.
func findTools(s *subject, d desktop.Desktop) {
	tools := s.tools(d)
	s.usable(tools)
	for _, tool := range tools {
		if a := tool.Annotations; a.ReadOnlyHint && a.DestructiveHint {
			s.add("the tool %q says that it only reads and that it destroys", tool.Name)
		}
	}
	again := s.tools(d)
	if !reflect.DeepEqual(tools, again) {
		s.stop("Tools lists other tools the second time, or the same in another order, with nothing in between: first %v, then %v", tools, again)
	}
	wanted := slices.Clone(again)
	for i := range tools { // the caller owns them
		wanted[i].InputSchema = bytes.Clone(again[i].InputSchema)
		clear(tools[i].InputSchema)
		tools[i].Name = "changed by its caller"
	}
	if !reflect.DeepEqual(wanted, s.tools(d)) {
		s.add("who changes the slice that Tools returned changes the tools of the desktop: return a copy")
	}
}

// usable says which tools an agent could not use.
func (s *subject) usable(tools []desktop.Tool) {
	if _, err := desktop.NewToolbox(tools, desktop.LeaveToTool); err != nil {
		s.add("%v", err)
	}
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
func findWellKnown(s *subject, d desktop.Desktop) {
	box := s.box(d)
	for _, tool := range box.Tools() {
		known, ok := desktop.ToolNamed(tool.Name)
		if !ok {
			continue
		}
		switch looks := known.Annotations.ReadOnlyHint; {
		case looks && !tool.Annotations.ReadOnlyHint:
			s.add("the tool %q does not say that it only reads: a policy for reading would refuse it", tool.Name)
		case !looks && tool.Annotations.ReadOnlyHint:
			s.add("the tool %q says that it only reads: a policy for reading would let it act", tool.Name)
		}
		for _, cmd := range sent {
			if cmd.ToolName != tool.Name {
				continue
			}
			if err := box.Check(cmd); err != nil {
				s.add("the schema of %q refuses what agents send: %v; take it from desktop.ToolNamed", tool.Name, err)
				break
			}
		}
	}
}
