package office

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
)

// ErrKept says that a file is not one of [Keep], or that what is in it cannot be done again.
var ErrKept = errors.New("office: what was kept of the desktop cannot be used")

// Kept is a [Desktop] that outlives its process, as the windows of a real one outlive
// whoever works in them. It is a desktop.Desktop and a desktop.Scoper. Make one with [Keep].
type Kept struct {
	screen   *Desktop
	executed func(ctx context.Context, tool string)

	mu   sync.Mutex
	file *os.File
	size int64 // of what was read of the file and done
}

// kept is a line of the file: a command that was executed.
type kept struct {
	Window     string         `json:"window,omitempty"` // "": the screen
	Tool       string         `json:"tool"`
	Parameters map[string]any `json:"parameters,omitempty"`
}

// Keep returns a screen on which Word shows a document, with what was done on it
// according to the file of that name. Each command that changes something is a line
// there when it was executed. A line that was cut off, as its process was killed, is a
// command that was not executed.
//
// executed, when it is not nil, is told of each such command behind its line and
// before whoever gave it has the result.
func Keep(ctx context.Context, doc Document, name string, executed func(ctx context.Context, tool string)) (*Kept, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("office: %w", err)
	}
	k := &Kept{screen: New(doc), executed: executed, file: file}
	if err := k.catchUp(ctx); err != nil {
		return nil, errors.Join(err, k.Close())
	}
	return k, nil
}

// Tools lists what the screen itself can do.
func (k *Kept) Tools(ctx context.Context) ([]desktop.Tool, error) { return k.screen.Tools(ctx) }

// Execute runs a command of the screen.
func (k *Kept) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return k.execute(ctx, "", cmd)
}

// Scope returns the application behind a window.
func (k *Kept) Scope(ctx context.Context, windowID string) (desktop.Desktop, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.catchUp(ctx); err != nil {
		return nil, err
	}
	if _, err := k.screen.Scope(ctx, windowID); err != nil {
		return nil, err
	}
	return keptApp{k, windowID}, nil
}

// Close gives up what the process has of the desktop. The file has it still.
func (k *Kept) Close() error { return errors.Join(k.screen.Close(), k.file.Close()) }

// keptApp is an application behind a window.
type keptApp struct {
	k      *Kept
	window string
}

func (a keptApp) Tools(ctx context.Context) ([]desktop.Tool, error) {
	d, err := a.k.screen.Scope(ctx, a.window)
	if err != nil {
		return nil, err
	}
	return d.Tools(ctx)
}

func (a keptApp) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return a.k.execute(ctx, a.window, cmd)
}

func (k *Kept) execute(ctx context.Context, window string, cmd desktop.Command) (desktop.Result, error) {
	result, changed, err := k.change(ctx, window, cmd)
	if err == nil && changed && k.executed != nil {
		k.executed(ctx, cmd.ToolName)
	}
	return result, err
}

// change executes a command, and keeps it if it changes something.
func (k *Kept) change(ctx context.Context, window string, cmd desktop.Command) (result desktop.Result, changed bool, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.catchUp(ctx); err != nil { // another process may have the desktop, too
		return desktop.Result{}, false, err
	}
	d, err := desktop.Desktop(k.screen), error(nil)
	if window != "" {
		d, err = k.screen.Scope(ctx, window)
	}
	if err != nil {
		return desktop.Result{}, false, err
	}
	result, err = d.Execute(ctx, cmd)
	if err != nil || result.Status != desktop.Success || reads(ctx, d, cmd.ToolName) {
		return result, false, err
	}
	line, err := json.Marshal(kept{Window: window, Tool: cmd.ToolName, Parameters: cmd.Parameters})
	if err != nil {
		return desktop.Result{}, true, fmt.Errorf("office: %w", err)
	}
	line = append(line, '\n')
	err = k.file.Truncate(k.size)
	if err == nil {
		_, err = k.file.WriteAt(line, k.size)
	}
	if err == nil {
		err = k.file.Sync()
	}
	if err != nil {
		return desktop.Result{}, true, fmt.Errorf("office: %w", err)
	}
	k.size += int64(len(line))
	return result, true, nil
}

func reads(ctx context.Context, d desktop.Desktop, name string) bool {
	tools, err := d.Tools(ctx)
	return err == nil && slices.ContainsFunc(tools, func(t desktop.Tool) bool { return t.Name == name && t.Annotations.ReadOnlyHint })
}

// catchUp does what the file has and this process has not done. k.mu is held, or
// nobody else has k.
func (k *Kept) catchUp(ctx context.Context) error {
	lines := bufio.NewReader(io.NewSectionReader(k.file, k.size, 1<<62-k.size))
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil // a rest without an end counts for nothing
		}
		if err != nil {
			return fmt.Errorf("office: %w", err)
		}
		err = k.again(ctx, line)
		if err != nil && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return fmt.Errorf("%w: byte %d of %s: %w", ErrKept, k.size, k.file.Name(), err)
		}
		k.size += int64(len(line))
	}
}

// again does a command once more. What Excel has written to disk is there.
func (k *Kept) again(ctx context.Context, line []byte) error {
	var was kept
	exact := json.NewDecoder(bytes.NewReader(line))
	exact.UseNumber()
	if err := exact.Decode(&was); err != nil {
		return err
	}
	if was.Tool == Save {
		return k.screen.markSaved(was.Window)
	}
	d, err := desktop.Desktop(k.screen), error(nil)
	if was.Window != "" {
		d, err = k.screen.Scope(ctx, was.Window)
	}
	if err != nil {
		return err
	}
	result, err := d.Execute(ctx, desktop.Command{ToolName: was.Tool, Parameters: was.Parameters})
	return errors.Join(err, result.Err())
}
