package desktop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// App is a window and what is done in it, for a [Screen].
type App struct {
	// Window is how it is listed. Its Root must be set; ID is "1", "2", … in the
	// order of the Apps when empty, Process then the ID, Title then the Root.
	Window  Window
	Desktop Desktop
}

// Screen makes one Desktop of several, each behind a window of its own, so that
// a HostAgent can choose among desktops that know nothing of windows: those of
// [New], an MCP server, a shell.
//
// The screen itself has only get_desktop_app_info. Its Scope, narrowed to a
// window, has the tools of that App, and get_app_window and
// get_desktop_app_info, which are the screen's also where the App has them. All
// windows are there all the time; none has the focus, since no command needs it.
//
// The error is a [*ScreenError]: an App has no Desktop or no Root, or the ID, or
// both Root and Process, of another.
func Screen(apps ...App) (Desktop, error) {
	s := &screen{}
	seen := map[string]bool{}
	for i, app := range apps {
		w := &app.Window
		if w.ID == "" {
			w.ID = fmt.Sprint(i + 1)
		}
		if w.Process == "" {
			w.Process = w.ID
		}
		if w.Title == "" {
			w.Title = w.Root
		}
		var problem error
		switch {
		case w.Root == "":
			problem = errors.New("it has no Root")
		case nilcheck.IsNil(app.Desktop):
			problem = errNoDesktop
		case seen[w.ID]:
			problem = fmt.Errorf("another has the id %q", clip(w.ID))
		case slices.ContainsFunc(s.windows, func(o Window) bool { return o.Root == w.Root && o.Process == w.Process }):
			problem = fmt.Errorf("another has the Root %q and the Process %q", clip(w.Root), clip(w.Process))
		}
		if problem != nil {
			return nil, &ScreenError{Index: i, Err: problem}
		}
		seen[w.ID] = true
		w.Focused = false
		s.apps = append(s.apps, app)
		s.windows = append(s.windows, *w)
	}
	return s, nil
}

// screen never changes.
type screen struct {
	apps    []App
	windows []Window
}

var errNoSuchWindow = errors.New("there is no such window")

func (s *screen) Tools(context.Context) ([]Tool, error) { return known(GetDesktopAppInfo), nil }

func (s *screen) Execute(ctx context.Context, cmd Command) (Result, error) {
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	if cmd.ToolName != GetDesktopAppInfo {
		return FailureResult("%v", &UnknownToolError{Name: cmd.ToolName, Known: []string{GetDesktopAppInfo}}), nil
	}
	return JSONResult(append([]Window{}, s.windows...)) // none is [], not null
}

func (s *screen) Scope(_ context.Context, windowID string) (Desktop, error) {
	for _, app := range s.apps {
		if app.Window.ID == windowID {
			return &onScreen{screen: s, app: app}, nil
		}
	}
	return nil, errNoSuchWindow
}

// onScreen is a screen narrowed to one window.
type onScreen struct {
	screen *screen
	app    App
}

func (o *onScreen) Tools(ctx context.Context) ([]Tool, error) {
	own, err := o.app.Desktop.Tools(ctx)
	if err != nil {
		return nil, err
	}
	tools := known(GetAppWindow, GetDesktopAppInfo)
	for _, tool := range own {
		if tool.Name != GetAppWindow && tool.Name != GetDesktopAppInfo {
			tools = append(tools, tool)
		}
	}
	return tools, nil
}

func (o *onScreen) Execute(ctx context.Context, cmd Command) (Result, error) {
	switch {
	case ctx.Err() != nil:
		return Result{}, context.Cause(ctx)
	case cmd.ToolName == GetDesktopAppInfo:
		return o.screen.Execute(ctx, cmd)
	case cmd.ToolName == GetAppWindow:
		return JSONResult([]Window{o.app.Window})
	}
	return o.app.Desktop.Execute(ctx, cmd)
}

// known are the descriptions of well-known tools.
func known(names ...string) []Tool {
	return slices.DeleteFunc(WellKnown(), func(t Tool) bool { return !slices.Contains(names, t.Name) })
}
