package linuxdesktop

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
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
	First    int      `json:"first"`
	Blocks   int      `json:"blocks"`
	SavePath string   `json:"save_path"`
	Command  []string `json:"command"`
	Path     []string `json:"path"`
	FirstRow int      `json:"first_row"`
	Rows     int      `json:"rows"`
}

// Execute runs one command. What a program refuses, or a window that is not there, is a failure;
// an error is the X server's or that of the context.
func (v *view) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if err := v.open(ctx); err != nil {
		return desktop.Result{}, err
	}
	if err := v.box.Check(cmd); err != nil {
		return desktop.FailureResult("%v", err), nil
	}
	if at := slices.IndexFunc([]any{cmd.Parameters["text"], cmd.Parameters["keys"]}, noText); at >= 0 {
		return desktop.FailureResult("the text is not UTF-8, or has a NUL in it"), nil
	}
	res, err := v.run(atspi.WithBudget(ctx, calls(cmd.ToolName)), cmd)
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
	if half, ok := errors.AsType[*halfDoneError](err); ok {
		res.Unverified = half.what
	}
	return res, nil
}

// noText reports whether a text could not be written as it is.
func noText(v any) bool {
	text, _ := v.(string)
	return !utf8.ValidString(text) || strings.ContainsRune(text, 0)
}

// calls is how many calls to the tree a command may make: as many as a minute takes.
func calls(tool string) int {
	if tool == desktop.WaitFor { // its time is bounded
		return math.MaxInt
	}
	return 300_000
}

// run does a command that fits its schema.
func (v *view) run(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	do, ok := handlers[cmd.ToolName]
	if !ok { // write_cells has other arguments
		return v.writeCells(ctx, cmd)
	}
	var a arguments
	if err := cmd.Decode(&a); err != nil {
		return desktop.Result{}, err
	}
	return do(v, ctx, a)
}

// handlers are the tools, but for write_cells. None of them runs another by its name.
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
	readDocument:                     (*view).readDocument,
}

// refuse is the error of a tool that says no.
func refuse(format string, args ...any) error { return fmt.Errorf(format, args...) }

// halfDoneError is the error of an act that was begun: what of it happened nobody has seen.
type halfDoneError struct {
	what string
	err  error
}

func (e *halfDoneError) Error() string { return e.err.Error() }
func (e *halfDoneError) Unwrap() error { return e.err }

// take waits for the pointer and the keyboard.
func (d *Desktop) take(ctx context.Context) error {
	select {
	case d.input <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (d *Desktop) give() { <-d.input }

func sleep(ctx context.Context, t time.Duration) error {
	timer := time.NewTimer(t)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// until asks again and again, and reports whether the answer was yes before the limit. Only the end of ctx,
// and an error of ask, is an error.
func until(ctx context.Context, limit, pause time.Duration, ask func() (bool, error)) (bool, error) {
	end := time.Now().Add(limit)
	for {
		yes, err := ask()
		if yes || err != nil {
			return yes, err
		}
		if !time.Now().Add(pause).Before(end) {
			return false, nil
		}
		if err := sleep(ctx, pause); err != nil {
			return false, err
		}
	}
}
