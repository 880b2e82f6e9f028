package linuxdesktop

import (
	"context"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// control is get_control.
func (v *view) control(ctx context.Context, a arguments) (desktop.Result, error) {
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	main, family, err := v.members(s)
	if err != nil {
		return desktop.Result{}, err
	}
	o := &outline{view: v, origin: place(family).Min, seen: map[string]shown{}}
	if id, ok := parseWindowID(a.ID); ok {
		w, there := s.window(id)
		if there && w.ID != main.ID && s.main(w).ID == main.ID {
			return desktop.JSONResult(o.dialog(w, nil))
		}
	}
	n, w, err := v.find(ctx, s, a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if n, _, err = v.read(ctx, n.ref); err != nil { // its value may be in what is inside
		return desktop.Result{}, err
	}
	o.id = w.ID
	c := o.one(n)
	if n.role == "table cell" && c.Value == "" {
		if text := clip(textIn(n), maxValue); text != c.Name {
			c.Value = text
		}
	}
	v.mu.Lock()
	v.shown[c.ID] = o.seen[c.ID]
	v.mu.Unlock()
	return desktop.JSONResult(c)
}

// texts is the tool of that name: all of the text that is inside a control.
func (v *view) texts(ctx context.Context, a arguments) (desktop.Result, error) {
	s, err := v.look(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	n, _, err := v.find(ctx, s, a.ID)
	if err != nil {
		return desktop.Result{}, err
	}
	if n.role == "password text" {
		return desktop.Result{}, refuse("a password is not read")
	}
	if text, err := v.tree.Text(ctx, n.ref, maxText); err == nil && oneLine(text) != "" {
		return desktop.TextResult(strings.ReplaceAll(text, "\ufffc", "")), nil
	}
	n, _, err = v.read(ctx, n.ref)
	if err != nil {
		return desktop.Result{}, err
	}
	text := textIn(n)
	if text == "" && !editable(n) {
		text = nameOf(n)
	}
	return desktop.TextResult(clip(text, maxText)), nil
}

// maxText is how much of a text the tool texts returns, in characters.
const maxText = 30_000
