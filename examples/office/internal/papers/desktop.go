package papers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/table"
)

// Writer is the root of Writer's windows.
const Writer = "libreoffice-writer"

// Open returns a Desktop that is d, but in windows of Writer has list_tables and extract_table, too. They fail in a window that
// shows another document than the file of that name. d lists its windows and can be narrowed.
func Open(d desktop.Desktop, name string) desktop.Desktop { return screen{d, name} }

type screen struct {
	desktop.Desktop
	name string // of the file
}

// shows refuses a window of another document.
func (s screen) shows(ctx context.Context, id string) error {
	windows, err := desktop.Windows(ctx, s.Desktop)
	if err != nil {
		return fmt.Errorf("papers: %w", err)
	}
	at := slices.IndexFunc(windows, func(w desktop.Window) bool { return w.ID == id })
	if at >= 0 && windows[at].Title != s.name && !strings.HasPrefix(windows[at].Title, s.name+" ") {
		return fmt.Errorf("papers: the window shows %q, and the document is %s", windows[at].Title, s.name)
	}
	return nil
}

// Scope narrows the screen to a window.
func (s screen) Scope(ctx context.Context, id string) (desktop.Desktop, error) {
	windows, err := desktop.Windows(ctx, s.Desktop)
	if err != nil {
		return nil, fmt.Errorf("papers: %w", err)
	}
	scoped, err := desktop.Scope(ctx, s.Desktop, id)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(windows, func(w desktop.Window) bool { return w.ID == id && w.Root == Writer }) {
		return scoped, nil
	}
	tables := office.TableTools(func(ctx context.Context) ([]table.Source, error) {
		if err := s.shows(ctx, id); err != nil {
			return nil, err
		}
		list, err := Tables(ctx, scoped)
		table.Prove(list)
		return list, err
	})
	own, err := tables.Tools(ctx)
	if err != nil {
		return nil, fmt.Errorf("papers: %w", err)
	}
	return &document{Desktop: scoped, tables: tables, own: own}, nil
}

// document is a window of Writer.
type document struct {
	desktop.Desktop
	tables desktop.Desktop
	own    []desktop.Tool
}

// Tools lists those of the window and those of its tables.
func (d *document) Tools(ctx context.Context) ([]desktop.Tool, error) {
	list, err := d.Desktop.Tools(ctx)
	return append(slices.Clone(list), d.own...), err
}

// Execute runs one.
func (d *document) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	if slices.ContainsFunc(d.own, func(t desktop.Tool) bool { return t.Name == cmd.ToolName }) {
		return d.tables.Execute(ctx, cmd)
	}
	return d.Desktop.Execute(ctx, cmd)
}
