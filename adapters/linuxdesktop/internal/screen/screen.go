// Package screen is what a Desktop of linuxdesktop and its extensions know of each other.
package screen

import (
	"context"
	"image"
	"time"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// Extension does commands for one kind of program in a way of its own.
type Extension interface {
	// Tools are those that it adds.
	Tools() []desktop.Tool
	// Execute runs a command. done is false if the Desktop is to run it itself.
	Execute(ctx context.Context, s Screen, cmd desktop.Command) (res desktop.Result, done bool, err error)
}

// Target is a control and its window.
type Target struct {
	*atspi.Node // nil: the target is a point of the window

	Window x11.Window
	Point  image.Point // of the screen, if there is no control
}

// Screen is a Desktop, or a window of it, while an extension runs a command.
type Screen interface {
	Tree() *atspi.Client
	Display() *x11.Display
	// Find returns the control of an id, without what is inside it.
	Find(ctx context.Context, id string) (Target, error)
	// Aim is Find for an act: the control must be what was shown, usable and, unless name is "", called so. No dialog may be open
	// in front of it.
	Aim(ctx context.Context, id, name string) (Target, error)
	// Controls reads a window. cut says that it has more than was read.
	Controls(ctx context.Context, w x11.Window) (n *atspi.Node, cut bool, err error)
	// Menu returns the main window and its menu bar.
	Menu(ctx context.Context) (bar atspi.Ref, w x11.Window, err error)
	// Entry finds an entry of a menu, which must be enabled.
	Entry(ctx context.Context, menu atspi.Ref, name string) (atspi.Ref, error)
	// Act raises a window, calls did, which uses the pointer or the keyboard, and returns its result. did describes what it did. A
	// window under a locked screen is refused.
	Act(ctx context.Context, w x11.Window, did func() (string, error)) (desktop.Result, error)
	// Uncovered, inside Act, refuses a point of a window that something lies over.
	Uncovered(ctx context.Context, at image.Point, w x11.Window) error
	// Type presses keys, in the words of keyboard_input, inside Act, and stops if another window gets the keyboard.
	Type(ctx context.Context, keys string, w x11.Window) error
}

// HalfDoneError is the error of an act that was begun: nobody has seen what of it happened.
type HalfDoneError struct {
	What string
	Err  error
}

func (e *HalfDoneError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *HalfDoneError) Unwrap() error { return e.Err }

// Clip shortens a text to so many characters.
func Clip(s string, limit int) string {
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}

const (
	// MaxName is how much of a name is shown, in characters.
	MaxName = 200
	// Pause is how long to wait between two looks.
	Pause = 30 * time.Millisecond
	// Settle is how long an act waits, at most, for windows to open and close.
	Settle = 3 * time.Second
)
