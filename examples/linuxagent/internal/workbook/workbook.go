package workbook

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
)

// Save is the name of the tool that writes the file. Its parameter overwrite says
// that it may replace one.
const Save = "save_workbook"

// Sheet is the name of the sheet that is written.
const Sheet = "Answer"

// ErrChanged says that the file is another one than when it was read.
var ErrChanged = errors.New("workbook: the file was changed by somebody else meanwhile")

// ErrClosed says that the application was closed.
var ErrClosed = errors.New("workbook: it is closed")

// State is the result of every tool.
type State struct {
	File       string `json:"file"`
	FileExists bool   `json:"file_exists"`
	Saved      bool   `json:"saved"` // the file has what the workbook has
	Sheet      string `json:"sheet"`
	Rows       int    `json:"rows"` // with something in them
}

// App is the application. Make one with [New].
type App struct {
	desktop.Desktop
	path string

	mu     sync.Mutex
	book   *xlsx.Book
	was    fs.FileInfo // the file when it was read; nil: there was none
	saved  bool
	closed bool
}

type (
	none      struct{}
	rowsInput struct {
		Rows [][]any `json:"rows" desc:"texts, numbers, booleans, and null for an empty cell; a text stays text, whatever it starts with"`
	}
	saveInput struct {
		Overwrite bool `json:"overwrite,omitempty" desc:"replace a file that exists"`
	}
)

// New returns the application for a file.
func New(path string) (*App, error) {
	a := &App{path: path}
	writes := &desktop.Annotations{IdempotentHint: true}
	d, err := desktop.New(
		desktop.Func("clear_sheet", "Empty the sheet.", change(a, func(b *xlsx.Book, _ none) error { return b.Clear() }), writes),
		desktop.Func("write_rows", "Write rows into the sheet, from A1 on.", change(a, writeRows), writes),
		desktop.Func(Save, "Save the workbook.", a.save, &desktop.Annotations{DestructiveHint: true, IdempotentHint: true}),
	)
	if err != nil {
		return nil, fmt.Errorf("workbook: %w", err)
	}
	a.Desktop = d
	return a, nil
}

// Close gives up what is not saved. Its tools refuse from then on, and a second
// Close does nothing.
func (a *App) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	again := a.closed
	a.closed = true
	if again || a.book == nil {
		return nil
	}
	return a.book.Close()
}

// change makes a tool of what changes the workbook.
func change[In any](a *App, do func(*xlsx.Book, In) error) func(context.Context, In) (State, error) {
	return func(ctx context.Context, in In) (State, error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if err := a.open(ctx); err != nil {
			return State{}, err
		}
		if err := do(a.book, in); err != nil {
			return State{}, err
		}
		a.saved = false
		return a.state(), nil
	}
}

func writeRows(b *xlsx.Book, in rowsInput) error {
	for i, row := range in.Rows {
		if err := b.SetRow(i+1, row); err != nil {
			return err
		}
	}
	return nil
}

func (a *App) save(ctx context.Context, in saveInput) (State, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.open(ctx); err != nil {
		return State{}, err
	}
	now, err := a.file()
	switch {
	case err != nil:
		return State{}, err
	case !same(a.was, now):
		return State{}, ErrChanged
	}
	if err := a.book.Save(ctx, a.path, in.Overwrite); err != nil {
		return State{}, err
	}
	if a.was, err = a.file(); err != nil {
		return State{}, err
	}
	a.saved = true
	return a.state(), nil
}

// open reads the file, once.
func (a *App) open(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case a.closed:
		return ErrClosed
	case a.book != nil:
		return nil
	}
	was, err := a.file()
	if err != nil {
		return err
	}
	if was == nil {
		a.book = xlsx.New(Sheet)
		return nil
	}
	book, err := xlsx.Open(a.path, Sheet)
	if err != nil {
		return err
	}
	a.book, a.was = book, was
	return nil
}

// file describes the file, nil if there is none.
func (a *App) file() (fs.FileInfo, error) {
	info, err := os.Stat(a.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // no file is no error here, and nothing to describe
	}
	return info, err
}

func same(was, now fs.FileInfo) bool {
	if was == nil || now == nil {
		return was == nil && now == nil
	}
	return os.SameFile(was, now) && was.Size() == now.Size() && was.ModTime().Equal(now.ModTime())
}

func (a *App) state() State {
	s := State{File: a.path, FileExists: a.was != nil, Saved: a.saved, Sheet: a.book.Sheet()}
	s.Rows, _ = a.book.Size()
	return s
}
