package commands

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// What an agent asks its program for has the form of a command that looks, so that interceptors
// see it, and a run that goes on, or is replayed, is given back what was said.
const (
	Verify    = "verify"    // Config.Verify
	Knowledge = "knowledge" // Config.Knowledge
)

// Asks reports whether a command is one of these.
func Asks(cmd desktop.Command) bool {
	return cmd.Looks && (cmd.ToolName == Verify || cmd.ToolName == Knowledge)
}

// asked is a desktop with one such command.
type asked func(ctx context.Context) (any, error)

func (f asked) Tools(context.Context) ([]desktop.Tool, error) { return nil, nil }

func (f asked) Execute(ctx context.Context, _ desktop.Command) (desktop.Result, error) {
	v, err := f(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	return desktop.JSONResult(v)
}

// Ask calls f, whose result has a JSON form, as a command of that name. of tells one call from
// another.
func Ask[T any](ctx context.Context, name, of string, f func(ctx context.Context) (T, error)) (T, error) {
	var said T
	d := desktop.Timeout(asked(func(ctx context.Context) (any, error) { return f(ctx) }), -1)
	res, err := desktop.Execute(ctx, d, desktop.Command{ToolName: name, Parameters: map[string]any{"of": of}, Looks: true})
	if err != nil {
		return said, &askError{name, err}
	}
	var raw json.RawMessage
	if err = res.Decode(&raw); err == nil {
		err = json.Unmarshal(raw, &said)
	}
	return said, err
}

// askError is the error of a call in words that name no desktop: there is none. That of a replay
// has other types and the same text.
type askError struct {
	name string
	err  error
}

func (e *askError) Error() string {
	return e.name + ": " + strings.TrimPrefix(e.err.Error(), "desktop: "+e.name+": ")
}

func (e *askError) Unwrap() error { return e.err }
