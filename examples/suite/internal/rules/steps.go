package rules

import (
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/examples/internal/sections"
)

// is tells a control.
type is func(desktop.Control) bool

func named(typ, name string) is {
	return func(c desktop.Control) bool {
		return c.Type == typ && (name == "" || strings.HasPrefix(c.Name, name)) && !strings.Contains(strings.Join(c.State, " "), "disabled")
	}
}

// find returns the first control, of any depth, that is one; nil: there is none.
func find(list []desktop.Control, want is) *desktop.Control {
	for i := range list {
		if want(list[i]) {
			return &list[i]
		}
		if c := find(list[i].Children, want); c != nil {
			return c
		}
	}
	return nil
}

// inside finds a control below another one.
func inside(around, want is) is {
	return func(c desktop.Control) bool { return around(c) && find(c.Children, want) != nil }
}

func on(want is, act func(c desktop.Control) *reply.Action) step {
	return func(p *sections.Prompt) *reply.Action {
		c := find(p.Controls, want)
		if c == nil {
			return nil
		}
		return act(*c)
	}
}

// press clicks on a button.
func press(name string) step { return click(named("push button", name)) }

func click(want is) step {
	return on(want, func(c desktop.Control) *reply.Action {
		return &reply.Action{Function: desktop.ClickInput, ControlLabel: c.ID, ControlText: c.Name, Args: map[string]any{"id": c.ID, "name": c.Name}}
	})
}

// fill replaces the text of a field.
func fill(want is, text string) step {
	return on(want, func(c desktop.Control) *reply.Action {
		return &reply.Action{Function: desktop.SetEditText, ControlLabel: c.ID, ControlText: c.Name, Args: map[string]any{"id": c.ID, "name": c.Name, "text": text}}
	})
}

// keysIn presses keys in a control, and keys where the focus is.
func keysIn(want is, keys string) step {
	return on(want, func(c desktop.Control) *reply.Action {
		return &reply.Action{Function: desktop.KeyboardInput, ControlLabel: c.ID, ControlText: c.Name, Args: map[string]any{"id": c.ID, "keys": keys}}
	})
}

func keys(keys string) step {
	return func(*sections.Prompt) *reply.Action {
		return &reply.Action{Function: desktop.KeyboardInput, Args: map[string]any{"keys": keys}}
	}
}

func menu(path ...string) step {
	return func(*sections.Prompt) *reply.Action {
		return &reply.Action{Function: desktop.SelectMenu, Args: map[string]any{"path": path}}
	}
}

// await waits for a text in the window.
func await(text string, gone bool) step {
	return func(*sections.Prompt) *reply.Action {
		return &reply.Action{Function: desktop.WaitFor, Args: map[string]any{"text": text, "gone": gone, "seconds": 8}}
	}
}
