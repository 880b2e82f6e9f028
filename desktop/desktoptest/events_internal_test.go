package desktoptest

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/desktop"
)

// WithEvents adds to opts what can happen to the windows of a fake. fake finds it in the desktop
// that is tested. There must be a control "1" in the window "1".
func WithEvents(opts Options, fake func(d desktop.Desktop) *Desktop) *Options {
	open := func(d *Desktop, app *App) string {
		d.Add(app)
		d.Show(app)
		w, _ := app.Window()
		return w.ID
	}
	opts.CloseWindow = func(d desktop.Desktop, id string) { fake(d).Gone(fake(d).appOf(id)) }
	opts.OpenDialog = func(d desktop.Desktop, id string) string {
		return open(fake(d), &App{Title: "Save the changes?", Owner: fake(d).appOf(id), Modal: true,
			Controls: []desktop.Control{{ID: "yes", Name: "Yes", Type: "Button"}, {ID: "no", Name: "No", Type: "Button"}}})
	}
	opts.OpenSecond = func(d desktop.Desktop, id string) string {
		first, _ := fake(d).appOf(id).Window()
		return open(fake(d), &App{Root: first.Root, Process: first.Process, Title: "another", Controls: []desktop.Control{{ID: "1", Name: "File"}}})
	}
	opts.MoveControl = func(d desktop.Desktop) (string, string) {
		fake(d).appOf("1").ChangeControl("1", func(c *desktop.Control) { c.Bounds[0] += 100 })
		return "1", "1"
	}
	opts.LargeWindow = func(d desktop.Desktop) string {
		app := &App{Root: "sheet"}
		for y := range 50 {
			row := desktop.Control{ID: fmt.Sprint("row", y), Type: "Row"}
			for x := range 40 {
				row.Children = append(row.Children, desktop.Control{ID: fmt.Sprint("cell", y, "-", x), Type: "Cell"})
			}
			app.Controls = append(app.Controls, row)
		}
		return open(fake(d), app)
	}
	return &opts
}

func (d *Desktop) appOf(window string) *App {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.windowByID(window).app
}

// bentAnswer is an answer that a test changes, and to whom it is: the id of the window that the
// desktop is narrowed to, "" for none.
type bentAnswer = func(ctx context.Context, c *crooked, window string, res desktop.Result) (desktop.Result, error)

// everywhere changes the answers to one tool, also in windows.
func everywhere(tool string, change bentAnswer) func(*crooked) {
	return func(c *crooked) {
		c.execute = changed(c.Desktop, c, "", tool, change).Execute
		c.scope = func(ctx context.Context, id string) (desktop.Desktop, error) {
			scoped, err := c.Desktop.Scope(ctx, id)
			if err != nil {
				return nil, err
			}
			return changed(scoped, c, id, tool, change), nil
		}
	}
}

type changedDesktop struct {
	desktop.Desktop
	execute func(ctx context.Context, cmd desktop.Command) (desktop.Result, error)
}

func (d changedDesktop) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	return d.execute(ctx, cmd)
}

func changed(d desktop.Desktop, c *crooked, window, tool string, change bentAnswer) desktop.Desktop {
	return changedDesktop{d, func(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
		res, err := d.Execute(ctx, cmd)
		if err != nil || cmd.ToolName != tool {
			return res, err
		}
		return change(ctx, c, window, res)
	}}
}

// gone changes the answers of windows that are closed.
func gone(tool string, change func(ctx context.Context, c *crooked, res desktop.Result) (desktop.Result, error)) func(*crooked) {
	return everywhere(tool, func(ctx context.Context, c *crooked, _ string, res desktop.Result) (desktop.Result, error) {
		if !res.Gone {
			return res, nil
		}
		return change(ctx, c, res)
	})
}

// sees changes what a tool shows, where it shows anything.
func sees[T any](tool string, change func(c *crooked, window string, v T) T) func(*crooked) {
	return everywhere(tool, func(_ context.Context, c *crooked, window string, res desktop.Result) (desktop.Result, error) {
		var v T
		if res.Status != desktop.Success {
			return res, nil
		}
		if err := res.Decode(&v); err != nil {
			return desktop.Result{}, err
		}
		return desktop.JSONResult(change(c, window, v))
	})
}

// tree changes the controls of windows.
func tree(change func(c *crooked, window string, list []desktop.Control) []desktop.Control) func(*crooked) {
	return sees(desktop.GetUITree, change)
}

// dialog changes the tree of a window in front of which the dialog is that WithEvents opens.
func dialog(change func(dialog desktop.Control, others []desktop.Control) []desktop.Control) func(*crooked) {
	return tree(func(_ *crooked, _ string, list []desktop.Control) []desktop.Control {
		if len(list) == 0 || list[0].ID != "window-3" {
			return list
		}
		return change(list[0], list[1:])
	})
}

// moved changes the tree after the control has moved.
func moved(change func(list []desktop.Control) []desktop.Control) func(*crooked) {
	return tree(func(_ *crooked, _ string, list []desktop.Control) []desktop.Control {
		if len(list) == 0 || list[0].Bounds[0] != 110 {
			return list
		}
		return change(list)
	})
}

// noScope refuses to narrow to a window while the third one shows.
func noScope(window string) func(*crooked) {
	return func(c *crooked) {
		c.scope = func(ctx context.Context, id string) (desktop.Desktop, error) {
			if third, err := c.Desktop.Scope(ctx, "3"); id == window && err == nil && third != nil {
				return nil, fmt.Errorf("the window %q is disabled", id)
			}
			return c.Desktop.Scope(ctx, id)
		}
	}
}
