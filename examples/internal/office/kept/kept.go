// Package kept makes the desktop of package office outlive its process, as the windows of a real one outlive a program
// that works in them. It writes down each command that changed something, and repeats them in the next process.
package kept

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/office"
)

// ErrLog says that a file is not the log of a desktop.
var ErrLog = errors.New("kept: the log of the desktop cannot be used")

// Desktop is a desktop with a log. Make one with [Open]. It is safe for concurrent use.
type Desktop struct {
	*office.Desktop

	executed func(ctx context.Context, tool string)
	mu       sync.Mutex
	log      *os.File
}

// line is a command that was executed.
type line struct {
	Window     string         `json:"window,omitempty"` // "": the screen
	Tool       string         `json:"tool"`
	Parameters map[string]any `json:"parameters,omitempty"`
}

// Open returns a screen on which Word shows a document, as the log in that file says. One process at a time may use a
// file. executed, if it is not nil, is told of each command after its line is written, and before its caller has the
// result.
func Open(ctx context.Context, doc office.Document, file string, executed func(ctx context.Context, tool string)) (*Desktop, error) {
	log, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("kept: %w", err)
	}
	d := &Desktop{Desktop: office.New(doc), executed: executed, log: log}
	if err := d.repeat(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %s: %w", ErrLog, file, err), d.Close())
	}
	return d, nil
}

// repeat executes the commands of the log. A last line without its end is a command that was not executed: its process
// was killed.
func (d *Desktop) repeat(ctx context.Context) error {
	size := int64(0)
	for lines := bufio.NewReader(d.log); ; {
		text, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if _, err = d.log.Seek(size, io.SeekStart); err == nil {
				err = d.log.Truncate(size)
			}
			return err
		}
		var was line
		if err == nil {
			err = json.Unmarshal(text, &was)
		}
		if err == nil && (was.Tool != office.Save || !d.Saved(was.Window)) {
			err = d.again(ctx, was)
		}
		if err != nil {
			return fmt.Errorf("byte %d: %w", size, err)
		}
		size += int64(len(text))
	}
}

func (d *Desktop) again(ctx context.Context, was line) error {
	app, err := desktop.Desktop(d.Desktop), error(nil)
	if was.Window != "" {
		app, err = d.Desktop.Scope(ctx, was.Window)
	}
	if err != nil {
		return err
	}
	result, err := app.Execute(ctx, desktop.Command{ToolName: was.Tool, Parameters: was.Parameters})
	return errors.Join(err, result.Err())
}

// Execute runs a command of the screen.
func (d *Desktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return d.execute(ctx, d.Desktop, "", cmd)
}

// Scope returns the application behind a window.
func (d *Desktop) Scope(ctx context.Context, window string) (desktop.Desktop, error) {
	inner, err := d.Desktop.Scope(ctx, window)
	return app{inner, d, window}, err
}

// app is an application behind a window.
type app struct {
	desktop.Desktop

	screen *Desktop
	window string
}

func (a app) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return a.screen.execute(ctx, a.Desktop, a.window, cmd)
}

// looks are the tools that change nothing.
var looks = map[string]bool{desktop.GetDesktopAppInfo: true, "list_tables": true, "extract_table": true, office.Show: true}

func (d *Desktop) execute(ctx context.Context, on desktop.Desktop, window string, cmd desktop.Command) (desktop.Result, error) {
	if looks[cmd.ToolName] {
		return on.Execute(ctx, cmd)
	}
	result, err := d.write(ctx, on, window, cmd)
	if err == nil && result.Status == desktop.Success && d.executed != nil {
		d.executed(ctx, cmd.ToolName)
	}
	return result, err
}

// write executes a command and logs it.
func (d *Desktop) write(ctx context.Context, on desktop.Desktop, window string, cmd desktop.Command) (desktop.Result, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	result, err := on.Execute(ctx, cmd)
	if err != nil || result.Status != desktop.Success {
		return result, err
	}
	text, err := json.Marshal(line{window, cmd.ToolName, cmd.Parameters})
	if err == nil {
		_, err = d.log.Write(append(text, '\n'))
	}
	if err = errors.Join(err, d.log.Sync()); err != nil {
		return desktop.Result{}, fmt.Errorf("kept: %w", err)
	}
	return result, nil
}

// Close gives up what this process has of the desktop. The file still has it.
func (d *Desktop) Close() error { return errors.Join(d.Desktop.Close(), d.log.Close()) }
