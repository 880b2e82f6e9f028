package linuxdesktop

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// arguments are those of all tools.
type arguments struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Button   string   `json:"button"`
	Double   bool     `json:"double"`
	X        int      `json:"x"`
	Y        int      `json:"y"`
	StartX   int      `json:"start_x"`
	StartY   int      `json:"start_y"`
	EndX     int      `json:"end_x"`
	EndY     int      `json:"end_y"`
	Text     string   `json:"text"`
	Keys     string   `json:"keys"`
	Focus    *bool    `json:"control_focus"`
	Wheel    int      `json:"wheel_dist"`
	Seconds  *float64 `json:"seconds"`
	Gone     bool     `json:"gone"`
	SavePath string   `json:"save_path"`
	Command  []string `json:"command"`
	Path     []string `json:"path"`
	FirstRow int      `json:"first_row"`
	Rows     int      `json:"rows"`
}

// call is a command while it runs. It is the [screen.Screen] of extensions.
type call struct {
	*Desktop
	*group // the windows that it is for; nil for one of the screen

	tool string
	args arguments
}

type handler = func(*call, context.Context) (desktop.Result, error)

// ofScreen are commands that are not for the windows of the Desktop, or look for them themselves.
var ofScreen = map[string]handler{
	desktop.CaptureDesktopScreenshot: (*call).desktopPicture,
	desktop.CaptureWindowScreenshot:  (*call).windowPicture,
	desktop.GetDesktopAppInfo:        (*call).windows,
	desktop.SelectApplicationWindow:  (*call).selectWindow,
	desktop.LaunchApplication:        (*call).launch,
	desktop.CloseApplication:         (*call).closeWindow,
	desktop.Wait:                     (*call).wait,
	desktop.WaitFor:                  (*call).waitFor,
	showControls:                     (*call).showControls,
}

// ofWindow are the others.
var ofWindow = map[string]handler{
	desktop.GetAppWindow:       (*call).appWindow,
	desktop.GetUITree:          (*call).controls,
	desktop.GetControl:         (*call).control,
	desktop.Texts:              (*call).texts,
	desktop.ClickInput:         (*call).click,
	desktop.DoubleClick:        (*call).click,
	desktop.ClickOnCoordinates: (*call).click,
	desktop.DragOnCoordinates:  (*call).drag,
	desktop.SelectMenu:         (*call).selectMenu,
	desktop.ReadTable:          (*call).readTable,
	desktop.SetEditText:        (*call).setText,
	desktop.KeyboardInput:      (*call).keys,
	desktop.WheelMouseInput:    (*call).wheel,
}

// Execute runs one command. One for a window acts on that of the Desktop, or on that with the focus. What a program refuses,
// or a window that is not there, is a failure; an error is the X server's or that of the context.
func (d *Desktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if err := d.open(ctx); err != nil {
		return desktop.Result{}, err
	}
	if err := d.box.Check(cmd); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	for _, name := range []string{"text", "keys"} {
		if text, _ := cmd.Parameters[name].(string); !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return desktop.FailureResult("the text is not UTF-8, or has a NUL in it"), nil
		}
	}
	res, err := d.run(ctx, cmd)
	switch {
	case err == nil:
		return res, nil
	case ctx.Err() != nil:
		return desktop.Result{}, context.Cause(ctx)
	case errors.Is(err, x11.ErrServer):
		return desktop.Result{}, fmt.Errorf("linuxdesktop: %w", err)
	}
	if closed := d.open(ctx); closed != nil {
		return desktop.Result{}, closed
	}
	res = desktop.FailureResult("%v", err)
	res.Gone = errors.Is(err, desktop.ErrWindowGone)
	if half, ok := errors.AsType[*screen.HalfDoneError](err); ok {
		res.Unverified = half.What
	}
	return res, nil
}

// run does a command that fits its schema.
func (d *Desktop) run(ctx context.Context, cmd desktop.Command) (res desktop.Result, err error) {
	c := &call{Desktop: d, tool: cmd.ToolName}
	do, isOfScreen := ofScreen[cmd.ToolName]
	if !isOfScreen {
		do = ofWindow[cmd.ToolName]
		if c.group, err = d.groupNow(ctx); err != nil {
			return res, err
		}
	}
	for _, e := range d.opts.Extensions {
		if res, done, err := e.Execute(ctx, c, cmd); done || err != nil {
			return res, err
		}
	}
	if do == nil {
		return res, refuse("no extension runs %s", cmd.ToolName)
	}
	if err := cmd.Decode(&c.args); err != nil {
		return res, err
	}
	return do(c, ctx)
}

// refuse is the error of a tool that says no.
func refuse(format string, args ...any) error { return fmt.Errorf(format, args...) }

// Tree is the accessibility tree.
func (c *call) Tree() *atspi.Client { return c.tree }

// Display is the X display.
func (c *call) Display() *x11.Display { return c.x }

// Controls reads a window.
func (c *call) Controls(ctx context.Context, w x11.Window) (n *atspi.Node, cut bool, err error) {
	top, err := c.frameOf(ctx, w)
	if err != nil {
		return nil, false, err
	}
	return c.tree.Read(ctx, top)
}

// lock waits for the pointer and the keyboard.
func (d *Desktop) lock(ctx context.Context) error {
	select {
	case d.input <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (d *Desktop) unlock() { <-d.input }

const maxName = screen.MaxName

func clip(s string, limit int) string { return screen.Clip(s, limit) }
