package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// How much there is to do. None of it can be done twice without being seen.
const (
	allRows  = 12
	allLines = 10
)

// goneWithin is how long the end of a connection takes at most to be noticed.
const goneWithin = 3 * time.Second

// deskState is what a run has made of its desktop.
type deskState struct {
	Rows      []string `json:"rows"`
	Lines     []string `json:"lines"`
	Published int      `json:"published"`
}

// desk is the desktop of a run: a table and a report. It executes one command at a
// time, and obeys the worker that connected last: what one that is dead had sent, and
// what has not begun, is dropped, as with any connection that is lost. A worker that stood still while its
// run was taken from it may connect last: its token is smaller, and the desktop refuses it.
type desk struct {
	life  atomic.Int64 // of the worker that has it
	token int64        // the largest one
	mu    sync.Mutex   // held while a command is executed
	deskState
}

// desks is the process of all desktops.
type desks struct {
	*service
	mu    sync.Mutex
	byRun map[string]*desk
}

// desktopMain is the process of the desktop.
func desktopMain(ctx context.Context, part []byte, out io.Writer) error {
	return serve(ctx, part, out, func(s *service) http.Handler {
		return (&desks{service: s, byRun: map[string]*desk{}}).handler()
	})
}

func (d *desks) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{run}/open", func(w http.ResponseWriter, r *http.Request) {
		token, err := strconv.ParseInt(cmp.Or(r.URL.Query().Get("token"), "0"), 10, 64)
		life := int64(0)
		if err == nil {
			life, err = d.open(r.PathValue("run"), token)
		}
		answer(w, life, err)
	})
	mux.HandleFunc("POST /{run}/{life}/execute", func(w http.ResponseWriter, r *http.Request) {
		result, err := d.execute(r)
		answer(w, result, err)
	})
	mux.HandleFunc("GET /{run}/state", func(w http.ResponseWriter, r *http.Request) {
		k := d.of(r.PathValue("run"))
		k.mu.Lock()
		defer k.mu.Unlock()
		answer(w, k.deskState, nil)
	})
	return mux
}

func (d *desks) of(run string) *desk {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.byRun[run] == nil {
		d.byRun[run] = &desk{}
	}
	return d.byRun[run]
}

// nobody is the life of a worker that comes too late.
const nobody = -1

func (d *desks) open(run string, token int64) (life int64, err error) {
	k := d.of(run)
	k.mu.Lock() // what was begun comes to its end
	defer k.mu.Unlock()
	if token < k.token {
		return nobody, nil
	}
	k.token, life = token, k.life.Add(1)
	return life, d.log.add(event{Run: run, What: evOpen, Life: int(life)})
}

// execute executes a command of a worker.
func (d *desks) execute(r *http.Request) (desktop.Result, error) {
	var cmd desktop.Command
	if err := json.NewDecoder(r.Body).Decode(&cmd); err != nil {
		return desktop.Result{}, err
	}
	life, err := strconv.Atoi(r.PathValue("life"))
	if err != nil {
		return desktop.Result{}, err
	}
	args, err := json.Marshal(cmd.Parameters)
	if err != nil {
		return desktop.Result{}, err
	}
	e := event{Run: r.PathValue("run"), Life: life, Act: cmd.ToolName + string(args), Call: cmd.CallID}
	k, window := d.of(e.Run), r.URL.Query().Get("window")
	acts := slices.Contains([]string{"add_row", "add_line", "publish"}, cmd.ToolName)
	note := func(what string) error { e.What = what; return d.log.add(e) }
	if acts {
		if err := note(evGot); err != nil {
			return desktop.Result{}, err
		}
		if int64(life) != k.life.Load() {
			// A worker that was killed may have sent it before: its connection ends.
			if pause(r.Context(), goneWithin); r.Context().Err() != nil {
				return desktop.FailureResult("the worker went away"), note(evGone)
			}
			return desktop.FailureResult("another worker has this desktop"), note(evStale)
		}
		d.wait(r.Context(), d.Before)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case !acts:
		if err := note(evLook); err != nil {
			return desktop.Result{}, err
		}
		return k.look(window, cmd)
	case int64(life) != k.life.Load() || r.Context().Err() != nil:
		return desktop.FailureResult("the worker went away"), note(evGone)
	}
	if err := note(evBegin); err != nil {
		return desktop.Result{}, err
	}
	result := k.act(window, cmd)
	d.wait(context.WithoutCancel(r.Context()), d.After) // nothing takes it back
	return result, note(evEnd)
}

func (k *desk) act(window string, cmd desktop.Command) desktop.Result {
	text := func(name string) string { return fmt.Sprint(cmd.Parameters[name]) }
	switch window + cmd.ToolName {
	case tableWindow + "add_row":
		k.Rows = append(k.Rows, text("n"))
	case reportWindow + "add_line":
		k.Lines = append(k.Lines, text("text"))
	case reportWindow + "publish":
		k.Published++
	default:
		return desktop.FailureResult("%q has no %q", window, cmd.ToolName)
	}
	return desktop.TextResult("done")
}

func (k *desk) look(window string, cmd desktop.Command) (desktop.Result, error) {
	control := func(id string, n int) desktop.Control {
		return desktop.Control{ID: id, Name: id, Type: "Text", Value: strconv.Itoa(n)}
	}
	switch {
	case cmd.ToolName == desktop.GetDesktopAppInfo:
		return desktop.JSONResult(windows)
	case cmd.ToolName == desktop.CaptureDesktopScreenshot, cmd.ToolName == desktop.CaptureWindowScreenshot && window != "":
		return k.picture()
	case cmd.ToolName == desktop.GetAppWindow && window != "":
		return desktop.JSONResult(slices.DeleteFunc(slices.Clone(windows), func(w desktop.Window) bool { return w.ID != window }))
	case cmd.ToolName == desktop.GetUITree && window == tableWindow:
		return desktop.JSONResult([]desktop.Control{control("rows", len(k.Rows))})
	case cmd.ToolName == desktop.GetUITree && window == reportWindow:
		return desktop.JSONResult([]desktop.Control{control("lines", len(k.Lines)), control("published", k.Published)})
	}
	return desktop.FailureResult("%q has no %q", window, cmd.ToolName), nil
}

// picture is of what a desktop shows: as many dots as there are rows, lines and reports, so that it differs after each
// act.
func (k *desk) picture() (desktop.Result, error) {
	img := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range len(k.Rows) + len(k.Lines) + k.Published {
		img.Pix[97*i] = 255
	}
	var data bytes.Buffer
	if err := png.Encode(&data, img); err != nil {
		return desktop.Result{}, err
	}
	return desktop.Result{Status: desktop.Success, Content: []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: data.Bytes()}}}}, nil
}
