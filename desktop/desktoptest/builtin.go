package desktoptest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	"image/png"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// builtin does a well-known command. It is called with the lock held and does
// not wait. w is the window that the command acts on, nil or closed included.
// Its error is the text of a failure.
type builtin func(d *Desktop, w *window, call Call) (any, error)

// builtins are those that do something; get_control and double_click are offered only if a test
// adds them.
var builtins = map[string]builtin{
	desktop.CaptureDesktopScreenshot: captureDesktop,
	desktop.GetDesktopAppInfo:        listWindows,
	desktop.ListTools:                listAll,
	desktop.LaunchApplication:        launch,
	desktop.CloseApplication:         inWindow(closeWindow),
	desktop.SelectApplicationWindow:  inWindow(selectWindow),
	desktop.GetAppWindow:             inWindow(getWindow),
	desktop.CaptureWindowScreenshot:  inWindow(captureWindow),
	desktop.GetUITree:                inWindow(getControls),
	desktop.ClickInput:               inWindow(click),
	desktop.SetEditText:              inWindow(setText),
	desktop.KeyboardInput:            inWindow(keys),
	desktop.WheelMouseInput:          inWindow(keys),
	desktop.Texts:                    inWindow(texts),
	desktop.GetControl:               inWindow(getControl),
	desktop.DoubleClick:              inWindow(click),
	desktop.RunShell:                 nothing, // a test that needs output uses On
	desktop.Wait:                     nil,     // a work
}

func inWindow(run builtin) builtin {
	return func(d *Desktop, w *window, call Call) (any, error) {
		switch {
		case w == nil && (call.Tool == desktop.SelectApplicationWindow || call.Tool == desktop.CloseApplication):
			return nil, fmt.Errorf("there is no window %q", call.text("id"))
		case w == nil:
			return nil, errors.New("no window has the focus")
		case w.closed:
			return nil, w.gone()
		}
		return run(d, w, call)
	}
}

func nothing(*Desktop, *window, Call) (any, error) { return "", nil }

func wait(ctx context.Context, call Call) (any, error) {
	seconds, _ := call.Params["seconds"].(float64)
	return nil, sleep(ctx, time.Duration(seconds*float64(time.Second)))
}

func listAll(d *Desktop, w *window, _ Call) (any, error) {
	list := []desktop.Tool{}
	for _, t := range d.offered(w) {
		list = append(list, t.desc)
	}
	return list, nil
}

// shown are the windows on the screen.
func (d *Desktop) shown() (list []*window) {
	for _, app := range d.apps {
		if app.shows() {
			list = append(list, app.window)
		}
	}
	return list
}

func listWindows(d *Desktop, _ *window, _ Call) (any, error) {
	list := []desktop.Window{} // none is [], not null
	for _, w := range d.shown() {
		list = append(list, d.describe(w))
	}
	return list, nil
}

func getWindow(d *Desktop, w *window, _ Call) (any, error) {
	seen := d.describe(w)
	seen.Dialog, seen.Focus = w.dialog, w.focus
	list := []desktop.Window{seen}
	for _, o := range d.owned(w) {
		if list = append(list, d.describe(o)); o.app.Modal && list[0].Dialog == "" {
			list[0].Dialog, list[0].Focus = o.id, o.focus
		}
	}
	return list, nil
}

// launched finds the App that a launch means: one that wants exactly this
// command before one that takes any, one that is not running before one that is.
func (d *Desktop) launched(call Call) *App {
	list, _ := call.Params["command"].([]any)
	var command []string
	for _, word := range list {
		command = append(command, fmt.Sprint(word))
	}
	score := func(app *App) int {
		n := 0
		if app.Command != nil {
			n += 2
		}
		if app.window == nil {
			n++
		}
		return n
	}
	var best *App
	for _, app := range d.apps {
		means := strings.EqualFold(call.text("name"), app.Root) && (app.Command == nil || slices.Equal(app.Command, command))
		if means && (best == nil || score(app) > score(best)) {
			best = app
		}
	}
	return best
}

func launch(d *Desktop, _ *window, call Call) (any, error) {
	app := call.App
	if app == nil {
		return nil, fmt.Errorf("there is no application %q that starts this way", call.text("name"))
	}
	w := app.window
	if w == nil {
		w = app.open()
		w.hidden = app.LaunchDelay != 0
		if app.LaunchDelay > 0 {
			w.showsAt = time.Now().Add(app.LaunchDelay)
		}
	}
	if w.hidden {
		return app.Root + " is starting", nil
	}
	d.focus = w
	return getWindow(d, w, call)
}

func selectWindow(d *Desktop, w *window, call Call) (any, error) {
	d.focus = w
	return getWindow(d, w, call)
}

func closeWindow(d *Desktop, w *window, _ Call) (any, error) {
	d.close(w.app)
	return nil, nil
}

func getControls(d *Desktop, w *window, _ Call) (any, error) {
	list := []desktop.Control{}
	for _, o := range d.owned(w) {
		list = append(list, desktop.Control{ID: "window-" + o.id, Type: "Dialog", Name: o.title, Children: o.controls})
	}
	return append(list, w.controls...), nil
}

func getControl(d *Desktop, w *window, call Call) (any, error) {
	c, err := aim(d, w, call)
	if err != nil {
		return nil, err
	}
	alone := *c
	alone.Children = nil
	return alone, nil
}

// aim finds the control that a command means, in the window or in one that it owns. A name
// that has changed since the agent looked is a refusal: the agent means another control.
func aim(d *Desktop, w *window, call Call) (*desktop.Control, error) {
	at, c, err := d.having(w, call.text("id"))
	if err != nil {
		return nil, err
	}
	if name := call.text("name"); name != "" && name != c.Name {
		return nil, fmt.Errorf("the control %q is called %q, not %q", c.ID, c.Name, name)
	}
	for _, o := range d.owned(at) {
		if o.app.Modal {
			return nil, fmt.Errorf("the dialog %q is in front of the window and takes its input", o.title)
		}
	}
	return c, nil
}

func click(d *Desktop, w *window, call Call) (any, error) {
	_, err := aim(d, w, call)
	return nil, err
}

func setText(d *Desktop, w *window, call Call) (any, error) {
	c, err := aim(d, w, call)
	if err == nil {
		c.Value = call.text("text")
	}
	return nil, err
}

// keys types plain text into the control. What shortcuts and named keys do is
// the application's own affair; a test says so with a hook.
func keys(d *Desktop, w *window, call Call) (any, error) {
	if call.text("id") == "" {
		return nil, nil
	}
	c, err := aim(d, w, call)
	if text := call.text("keys"); err == nil && !strings.ContainsAny(text, "{}^%+~") {
		c.Value += text
	}
	return nil, err
}

func texts(d *Desktop, w *window, call Call) (any, error) {
	_, c, err := d.having(w, call.text("id"))
	if err != nil {
		return nil, err
	}
	var lines []string
	each([]desktop.Control{*c}, func(c desktop.Control) {
		if text := cmp.Or(c.Value, c.Name); text != "" {
			lines = append(lines, text)
		}
	})
	return strings.Join(lines, "\n"), nil
}

// owned are the windows that belong to w and to those, modal ones first.
func (d *Desktop) owned(w *window) []*window {
	var modal, others []*window
	for _, app := range d.apps {
		if !app.shows() || app.Owner == nil || app.Owner.window != w {
			continue
		}
		group := append([]*window{app.window}, d.owned(app.window)...)
		if app.Modal {
			modal = append(group, modal...)
		} else {
			others = append(others, group...)
		}
	}
	return append(modal, others...)
}

// withOwned are the windows that belong to w, in front of it, and then w.
func (d *Desktop) withOwned(w *window) []*window { return append(d.owned(w), w) }

// having returns the control of that id, and which window has it: w, or one that w owns.
func (d *Desktop) having(w *window, id string) (*window, *desktop.Control, error) {
	for _, at := range d.withOwned(w) {
		if c := findControl(at.controls, id); c != nil && id != "" {
			return at, c, nil
		}
	}
	return nil, nil, fmt.Errorf("the window %q has no control %q", w.id, id)
}

func captureDesktop(d *Desktop, _ *window, _ Call) (any, error) { return d.picture(d.shown()) }

func captureWindow(d *Desktop, w *window, _ Call) (any, error) { return d.picture(d.withOwned(w)) }

// picture paints sixteen dots whose grey comes from what is seen: two pictures
// are equal when nothing has changed, and practically only then.
func (d *Desktop) picture(windows []*window) (any, error) {
	h := fnv.New128a()
	for _, w := range windows {
		if err := json.NewEncoder(h).Encode([]any{d.describe(w), w.controls}); err != nil {
			return nil, err
		}
	}
	img := image.NewGray(image.Rect(0, 0, 4, 4))
	copy(img.Pix, h.Sum(nil))
	var b bytes.Buffer
	err := png.Encode(&b, img)
	return &desktop.Image{MediaType: "image/png", Data: b.Bytes()}, err
}
