package job

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/tables"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
)

// screen is a screen without the windows that were open before the run, since they show documents that nobody has named.
// Windows of Writer have list_tables and extract_table, too.
type screen struct {
	desktop.Desktop

	document string            // the file that Writer shows
	others   map[string]string // roots of the windows of before, by their ids
}

func newScreen(ctx context.Context, d desktop.Desktop, document string) (*screen, error) {
	windows, err := desktop.Windows(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("job: %w", err)
	}
	s := &screen{d, document, map[string]string{}}
	for _, w := range windows {
		s.others[w.ID] = w.Root
	}
	return s, nil
}

// own are the windows of the run. A window of before that shows another program by now is one of them, such as that of a
// start.
func (s *screen) own(ctx context.Context) ([]desktop.Window, error) {
	windows, err := desktop.Windows(ctx, s.Desktop)
	return slices.DeleteFunc(windows, func(w desktop.Window) bool { return w.Root != "" && s.others[w.ID] == w.Root }), err
}

// Execute runs a command that is not for a window of before.
func (s *screen) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	windows, err := s.own(ctx)
	if err != nil {
		return desktop.Result{}, err
	}
	if cmd.ToolName == desktop.GetDesktopAppInfo {
		return desktop.JSONResult(windows)
	}
	if id, _ := cmd.Parameters["id"].(string); s.others[id] != "" && !slices.ContainsFunc(windows, func(w desktop.Window) bool { return w.ID == id }) {
		return desktop.FailureResult("the window %s was open before, and is not part of the job", id), nil
	}
	return s.Desktop.Execute(ctx, cmd)
}

// Scope narrows the screen to a window of the run.
func (s *screen) Scope(ctx context.Context, id string) (desktop.Desktop, error) {
	windows, err := s.own(ctx)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(windows, func(w desktop.Window) bool { return w.ID == id })
	if at < 0 {
		return nil, fmt.Errorf("job: the window %s is not part of the job", id)
	}
	scoped, err := desktop.Scope(ctx, s.Desktop, id)
	if err != nil || windows[at].Root != rules.Writer {
		return scoped, err
	}
	var read []*tables.Table
	tools, err := desktop.New(tables.Tools(func(ctx context.Context) ([]*tables.Table, error) {
		if read != nil {
			return read, nil
		}
		if err := s.shows(ctx, id); err != nil {
			return nil, err
		}
		read, err = readTables(ctx, scoped, s.document)
		return read, err
	})...)
	return desktop.Join(scoped, tools), err
}

// shows refuses a window of another document.
func (s *screen) shows(ctx context.Context, id string) error {
	windows, err := s.own(ctx)
	if err != nil {
		return err
	}
	name := filepath.Base(s.document)
	for _, w := range windows {
		if w.ID == id && w.Title != name && !strings.HasPrefix(w.Title, name+" ") {
			return fmt.Errorf("the window shows %q, and the document is %s", w.Title, name)
		}
	}
	return nil
}

// pictured keeps the pictures that agents take.
type pictured struct {
	desktop.Desktop

	dir string
	n   *int
}

func (p pictured) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	result, err := p.Desktop.Execute(ctx, cmd)
	for _, part := range result.Content {
		if part.Image == nil || err != nil {
			continue
		}
		*p.n++
		_, kind, _ := strings.Cut(part.Image.MediaType, "/")
		err = os.WriteFile(filepath.Join(p.dir, fmt.Sprintf("%03d.%s", *p.n, kind)), part.Image.Data, 0o600)
	}
	return result, err
}
