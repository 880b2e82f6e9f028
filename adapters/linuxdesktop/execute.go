package linuxdesktop

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/screen"
	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
)

// view is the Desktop narrowed to a window; to none, it is that of the window with the focus.
type view struct {
	*Desktop
	only x11.WindowID

	mu    sync.Mutex
	shown map[string]shown      // the controls that this view has shown, by id
	seen  map[x11.WindowID]bool // the windows that it has shown; nil: nobody has looked yet
}

func newView(d *Desktop, only x11.WindowID) *view {
	return &view{Desktop: d, only: only, shown: map[string]shown{}}
}

// Tools lists what the view can do.
func (v *view) Tools(ctx context.Context) ([]desktop.Tool, error) {
	if err := v.open(ctx); err != nil {
		return nil, err
	}
	return v.box.Tools(), nil
}

// arguments are those of all tools.
type arguments struct {
	ID       string   `json:"id"`
	Name     *string  `json:"name"`
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

// handlers are the tools.
var handlers = map[string]func(*view, context.Context, arguments) (desktop.Result, error){
	desktop.CaptureDesktopScreenshot: (*view).desktopPicture,
	desktop.CaptureWindowScreenshot:  (*view).windowPicture,
	desktop.GetDesktopAppInfo:        (*view).windows,
	desktop.GetAppWindow:             (*view).appWindow,
	desktop.GetUITree:                (*view).controls,
	desktop.GetControl:               (*view).control,
	desktop.Texts:                    (*view).texts,
	desktop.SelectApplicationWindow:  (*view).selectWindow,
	desktop.LaunchApplication:        (*view).launch,
	desktop.CloseApplication:         (*view).closeWindow,
	desktop.ClickInput:               (*view).click,
	desktop.DoubleClick:              (*view).doubleClick,
	desktop.ClickOnCoordinates:       (*view).clickPoint,
	desktop.DragOnCoordinates:        (*view).drag,
	desktop.SelectMenu:               (*view).selectMenu,
	desktop.ReadTable:                (*view).readTable,
	desktop.SetEditText:              (*view).setText,
	desktop.KeyboardInput:            (*view).keys,
	desktop.WheelMouseInput:          (*view).wheel,
	desktop.Wait:                     (*view).wait,
	desktop.WaitFor:                  (*view).waitFor,
	showControls:                     (*view).showControls,
}

// Execute runs one command. What a program refuses, or a window that is not there, is a failure; an error is the X server's or
// that of the context.
func (v *view) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if err := v.open(ctx); err != nil {
		return desktop.Result{}, err
	}
	if err := v.box.Check(cmd); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	for _, name := range []string{"text", "keys"} {
		if text, _ := cmd.Parameters[name].(string); !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
			return desktop.FailureResult("the text is not UTF-8, or has a NUL in it"), nil
		}
	}
	calls := 300_000 // to the tree, as many as a minute takes
	if cmd.ToolName == desktop.WaitFor {
		calls = math.MaxInt // its time is bounded
	}
	res, err := v.run(atspi.WithBudget(ctx, calls), cmd)
	switch {
	case err == nil:
		return res, nil
	case ctx.Err() != nil:
		return desktop.Result{}, context.Cause(ctx)
	case errors.Is(err, x11.ErrServer):
		return desktop.Result{}, fmt.Errorf("linuxdesktop: %w", err)
	}
	if closed := v.open(ctx); closed != nil {
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
func (v *view) run(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	for _, e := range v.opts.Extensions {
		if res, done, err := e.Execute(ctx, v, cmd); done || err != nil {
			return res, err
		}
	}
	do, ok := handlers[cmd.ToolName]
	if !ok {
		return desktop.Result{}, refuse("no extension runs %s", cmd.ToolName)
	}
	var a arguments
	if err := cmd.Decode(&a); err != nil {
		return desktop.Result{}, err
	}
	return do(v, ctx, a)
}

func textResult(text string, err error) (desktop.Result, error) {
	if err != nil {
		return desktop.Result{}, err
	}
	return desktop.TextResult(text), nil
}

func jsonResult(value any, err error) (desktop.Result, error) {
	if err != nil {
		return desktop.Result{}, err
	}
	return desktop.JSONResult(value)
}

// refuse is the error of a tool that says no.
func refuse(format string, args ...any) error { return fmt.Errorf(format, args...) }

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
