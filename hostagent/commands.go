package hostagent

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/commands"
)

// acts makes the acts of a decision. Reaching for the chosen application comes last, so that
// it has the focus.
func (a *Agent) acts(t *turn, d *decision, chosen *target) ([]acting.Act, error) {
	var acts []acting.Act
	function, args, err := a.call(t, d, chosen)
	if err != nil {
		return nil, err
	}
	if function != "" {
		act, err := a.aim(t, function, args)
		if err != nil {
			return nil, err
		}
		acts = append(acts, act)
	}
	if strings.TrimSpace(d.Bash) != "" {
		act, err := a.aim(t, desktop.RunShell, desktop.Shell(d.Bash).Parameters)
		if err != nil {
			return nil, fmt.Errorf("the field Bash cannot be used: %w", err)
		}
		acts = append(acts, act)
	}
	if chosen != nil {
		acts = append(acts, a.reach(t, chosen)...)
	}
	return acts, nil
}

// call returns the tool that Function means, "" for none, and its arguments. What names a
// window by the id that the model was shown gets the desktop's own; a listed program is
// launched as its entry says.
func (a *Agent) call(t *turn, d *decision, chosen *target) (string, map[string]any, error) {
	function, args := d.Function, map[string]any{}
	_, known := t.Box.Tool(function) // of another, aim says that it is none
	maps.Copy(args, d.Args)          // the decision stays as the model wrote it
	switch {
	case function == "", selects(function) && d.Status == Assign: // reaching for the application does it
		return "", nil, nil
	case selects(function), function == desktop.CloseApplication:
		w, err := t.window(d)
		if err != nil {
			return "", nil, err
		}
		args["id"] = w.ID
		if selects(function) {
			args["name"] = w.Title
		}
	case function == desktop.LaunchApplication:
		p := program(a.cfg.Apps, text(args["name"]))
		switch {
		case p == nil:
		case chosen != nil && chosen.program == p:
			return "", nil, nil // likewise
		case args["command"] == nil:
			args = commands.Launch(p.Name, p.Command...).Parameters
		}
	case known && d.Status != Assign && d.ControlLabel != "" && !slices.ContainsFunc(slices.Collect(maps.Values(args)), func(arg any) bool { return text(arg) == d.ControlLabel }):
		return "", nil, fmt.Errorf("%s does not use ControlLabel: write its target into its arguments, and leave ControlLabel empty", function)
	}
	return function, args, nil
}

// aim makes a valid command, with references resolved, and says what it is aimed at.
func (a *Agent) aim(t *turn, function string, args map[string]any) (acting.Act, error) {
	resolved, err := t.shown.Resolve(a.cfg.Board, args)
	if err != nil {
		return acting.Act{}, err
	}
	cmd := desktop.Command{ToolName: function, Parameters: resolved}
	if err := t.Box.Check(cmd); err != nil {
		return acting.Act{}, err
	}
	act := t.lookAt(acting.Act{Command: cmd, Label: builtin.ID(cmd)})
	if t.partial && t.focus == (desktop.Window{}) && act.Target == builtin.In(labelled(act), "") && function != desktop.RunShell {
		return acting.Act{}, fmt.Errorf("%q acts on the window that has the focus, and nobody knows which one that is: select a window first", function)
	}
	return act, nil
}

// selects reports whether a function chooses an application.
func selects(function string) bool { return function == desktop.SelectApplicationWindow }

// text is an argument as the model wrote it.
func text(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
