package commands

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
)

// Aim is what an agent tells policies of where a command goes, besides what programs see of it with
// policies.ControlPath.
type Aim struct {
	Label string // id of the control that the model named beside the arguments
	Focus string // id of the control that gets the keys
	// Pressed is the path to the control with the focus, of a command whose keys press it.
	Pressed []desktop.Control
	// Unseen says that the agent reads controls, and that the command names one that was not shown, or presses
	// what a tab moves to: it may be anything.
	Unseen bool
}

type aimKey struct{}

// WithAim returns a context that has aim.
func WithAim(ctx context.Context, aim Aim) context.Context {
	return context.WithValue(ctx, aimKey{}, aim)
}

// AimOf returns what [WithAim] put into a context.
func AimOf(ctx context.Context) Aim {
	aim, _ := ctx.Value(aimKey{}).(Aim)
	return aim
}
