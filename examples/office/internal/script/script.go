// Package script does the job of the example without agents and without a model: what the agents' time is compared
// with. It meets no dialog but those of a first start, and gives up where anything is not as it expects.
package script

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/examples/office/internal/papers"
)

// Job is what is to be done.
type Job struct {
	Writer, Calc []string // how they are started
	Request      string   // such as "draw a bar chart of the sales table"
	Out          string   // path of the spreadsheet
}

// Run does it.
func Run(ctx context.Context, d desktop.Desktop, j Job) error {
	s := &script{Desktop: d}
	writer, err := s.launch(ctx, "libreoffice-writer", j.Writer)
	if err != nil {
		return err
	}
	rows, drawn, err := extract(ctx, writer, j.Request)
	if err != nil {
		return err
	}
	calc, err := s.launch(ctx, "libreoffice-calc", j.Calc)
	if err != nil {
		return err
	}
	return fill(ctx, calc, rows, drawn, j.Out)
}

type script struct {
	desktop.Desktop
}

// window is a window, narrowed to.
type window struct {
	desktop.Desktop
	id string
}

var errPatience = errors.New("it does not come up")

// patience is how long a window or a control may take.
const patience = 40 * time.Second

// await asks until the answer is yes.
func await(ctx context.Context, what string, ask func() (bool, error)) error {
	end := time.Now().Add(patience)
	for {
		yes, err := ask()
		if yes {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("script: %s: %w", what, errors.Join(errPatience, err))
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (s *script) launch(ctx context.Context, root string, argv []string) (window, error) {
	if err := do(ctx, s.Desktop, desktop.LaunchApplication, map[string]any{"name": root, "command": argv}); err != nil {
		return window{}, err
	}
	var found desktop.Window
	err := await(ctx, root, func() (bool, error) {
		list, err := desktop.Windows(ctx, s.Desktop)
		at := slices.IndexFunc(list, func(w desktop.Window) bool { return w.Root == root && w.Owner == "" })
		if at >= 0 {
			found = list[at]
		}
		return at >= 0, err
	})
	if err != nil {
		return window{}, err
	}
	d, err := desktop.Scope(ctx, s.Desktop, found.ID)
	return window{d, found.ID}, err
}

// do runs a command, which must succeed.
func do(ctx context.Context, d desktop.Desktop, tool string, parameters map[string]any) error {
	res, err := desktop.Execute(ctx, d, desktop.Command{ToolName: tool, Parameters: parameters})
	if err == nil && res.Status != desktop.Success {
		err = fmt.Errorf("script: %s: %s", tool, res.Error)
	}
	return err
}

// find waits for a control.
func find(ctx context.Context, d desktop.Desktop, what string, is func(desktop.Control) bool) (found desktop.Control, err error) {
	err = await(ctx, what, func() (bool, error) {
		tree, err := desktop.UITree(ctx, d)
		if err != nil {
			return false, err
		}
		if c := papers.Find(tree, is); c != nil {
			found = *c
			return true, nil
		}
		return false, nil
	})
	return found, err
}

// click clicks on the button whose name begins so.
func click(ctx context.Context, d desktop.Desktop, name string) error {
	b, err := find(ctx, d, name, func(c desktop.Control) bool {
		return c.Type == "push button" && strings.HasPrefix(c.Name, name)
	})
	if err != nil {
		return err
	}
	return do(ctx, d, desktop.ClickInput, map[string]any{"id": b.ID})
}

// extract reads the table that the request names, and how many of its columns are drawn: the first ones behind the labels.
func extract(ctx context.Context, d desktop.Desktop, request string) (rows [][]any, drawn int, err error) {
	if _, err := find(ctx, d, "the document", func(c desktop.Control) bool { return c.Type == "document text" }); err != nil {
		return nil, 0, err
	}
	sources, err := papers.Tables(ctx, d)
	if err != nil {
		return nil, 0, err
	}
	data, err := table.Find(request, sources)
	if err != nil {
		return nil, 0, err
	}
	for i, column := range data.Drawn {
		if column != i {
			return nil, 0, errors.New("script: not the first columns are drawn")
		}
	}
	e, err := office.Extracted(data, data.Drawn)
	return e.Rows, len(data.Drawn), err
}

// fill writes rows into the sheet, draws their first columns, and saves.
func fill(ctx context.Context, d desktop.Desktop, rows [][]any, drawn int, out string) error {
	sheet, err := find(ctx, d, "the sheet", func(c desktop.Control) bool { return c.Type == "table" && strings.HasPrefix(c.Name, "Sheet") })
	if err != nil {
		return err
	}
	if err := do(ctx, d, "write_cells", map[string]any{"id": sheet.ID, "rows": rows}); err != nil {
		return err
	}
	keys := fmt.Sprintf("^{HOME}+{RIGHT %d}+{DOWN %d}", drawn, len(rows)-1)
	for _, act := range []struct {
		tool       string
		parameters map[string]any
	}{
		{desktop.KeyboardInput, map[string]any{"keys": keys}},
		{desktop.SelectMenu, map[string]any{"path": []any{"Insert", "Chart"}}},
	} {
		if err := do(ctx, d, act.tool, act.parameters); err != nil {
			return err
		}
	}
	if err := click(ctx, d, "Finish"); err != nil {
		return err
	}
	if err := do(ctx, d, desktop.KeyboardInput, map[string]any{"keys": "{ESC 2}"}); err != nil {
		return err
	}
	if err := do(ctx, d, desktop.SelectMenu, map[string]any{"path": []any{"File", "Save As"}}); err != nil {
		return err
	}
	name, err := find(ctx, d, "the name", func(c desktop.Control) bool { return c.Type == "text" && strings.HasPrefix(c.Name, "Name") })
	if err != nil {
		return err
	}
	if err := do(ctx, d, desktop.SetEditText, map[string]any{"id": name.ID, "text": out}); err != nil {
		return err
	}
	if err := click(ctx, d, "Save"); err != nil {
		return err
	}
	if !strings.HasSuffix(out, ".ods") {
		if err := click(ctx, d, "Use Excel"); err != nil {
			return err
		}
	}
	if err := do(ctx, d, desktop.WaitFor, map[string]any{"text": filepath.Base(out), "seconds": 20}); err != nil {
		return err
	}
	return await(ctx, "the file", func() (bool, error) { // its name stands in the dialog, too
		_, err := os.Stat(out)
		return err == nil, err
	})
}
