package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
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
	Rows      []string
	Lines     []string
	Published int
}

// desk is the desktop of a run: a table and a report. It executes one command at a time, and obeys the driver that
// connected last. A driver that stood still while its run was taken from it may connect last: its token is smaller, and
// the desktop refuses it.
type desk struct {
	life  atomic.Int64 // of the driver that has it
	token int64        // the largest one
	mu    sync.Mutex   // held while a command is executed
	deskState
}

// nobody is the life of a driver that comes too late.
const nobody = -1

func (w *world) deskOf(run string) *desk {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.desks[run] == nil {
		w.desks[run] = &desk{}
	}
	return w.desks[run]
}

// state returns what a run has made of its desktop.
func (w *world) state(run string) deskState {
	k := w.deskOf(run)
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.deskState
}

// open gives the desktop to a driver, and returns its life.
func (w *world) open(r *http.Request) (life int64, err error) {
	token, err := strconv.ParseInt(r.URL.Query().Get("token"), 10, 64)
	if err != nil {
		return 0, err
	}
	k := w.deskOf(r.PathValue("run"))
	k.mu.Lock() // what was begun comes to its end
	defer k.mu.Unlock()
	if token < k.token {
		return nobody, nil
	}
	k.token, life = token, k.life.Add(1)
	w.add(r.PathValue("run"), event{What: evOpen, Life: life})
	return life, nil
}

// execute executes a command of a driver.
func (w *world) execute(r *http.Request) (desktop.Result, error) {
	var cmd desktop.Command
	err := json.NewDecoder(r.Body).Decode(&cmd)
	life, err2 := strconv.ParseInt(r.PathValue("life"), 10, 64)
	args, err3 := json.Marshal(cmd.Parameters)
	if err := errors.Join(err, err2, err3); err != nil {
		return desktop.Result{}, err
	}
	run, window := r.PathValue("run"), r.URL.Query().Get("window")
	k := w.deskOf(run)
	note := func(what string) {
		w.add(run, event{What: what, Life: life, Act: cmd.ToolName + string(args), Call: cmd.CallID})
	}
	if !slices.Contains([]string{"add_row", "add_line", "publish"}, cmd.ToolName) {
		k.mu.Lock()
		defer k.mu.Unlock()
		note(evLook)
		return k.look(window, cmd)
	}
	note(evGot)
	if life != k.life.Load() {
		// A driver that was killed may have sent it before: its connection ends.
		if pause(r.Context(), goneWithin); r.Context().Err() != nil {
			note(evGone)
			return desktop.FailureResult("the driver went away"), nil
		}
		note(evStale)
		return desktop.FailureResult("another driver has this desktop"), nil
	}
	w.wait(r.Context(), waitBefore)
	k.mu.Lock()
	defer k.mu.Unlock()
	if life != k.life.Load() || r.Context().Err() != nil {
		note(evGone)
		return desktop.FailureResult("the driver went away"), nil
	}
	note(evBegin)
	result := k.act(window, cmd)
	w.wait(context.WithoutCancel(r.Context()), waitAfter) // nothing takes it back
	note(evEnd)
	return result, nil
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
