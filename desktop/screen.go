package desktop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// App is a window and what is done in it, for a [Screen].
type App struct {
	// Window is how it is listed. Its Root must be set; ID is "1", "2", … in the
	// order of the Apps when empty, Process then the ID, Title then the Root.
	Window  Window
	Desktop Desktop
}

// Screen makes one Desktop of several, each in a window of its own, so that a
// HostAgent can choose among desktops that know nothing of windows: those of
// [New], an MCP server, a shell.
//
// The screen itself has only get_desktop_app_info. Its Scope, narrowed to a
// window, has the tools of that App, and get_app_window and
// get_desktop_app_info, which are the screen's also where the App has them. All
// windows are there all the time; none has the focus, since no command needs it.
// get_app_window alone lists what the App's own window owns, such as "1/save" for a
// dialog "save" in the window "1".
// The package comment says what becomes of an App that has a window itself.
//
// The error says which App has no Desktop or no Root, or the ID, or both Root
// and Process, of another.
func Screen(apps ...App) (Desktop, error) {
	s := &screen{}
	var windows []Window
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
		case slices.ContainsFunc(windows, func(o Window) bool { return o.Root == w.Root && o.Process == w.Process }):
			problem = fmt.Errorf("another has the Root %q and the Process %q", clip(w.Root), clip(w.Process))
		}
		if problem != nil {
			return nil, fmt.Errorf("desktop: App %d of a screen: %w", i, problem)
		}
		seen[w.ID] = true
		w.Focused = false
		windows = append(windows, *w)
		s.apps = append(s.apps, &onScreen{App: app, now: *w, instance: 1})
	}
	return s, nil
}

// screen never changes, but for the windows of its Apps.
type screen struct{ apps []*onScreen }

var errNoSuchWindow = errors.New("there is no such window")

func (s *screen) Tools(context.Context) ([]Tool, error) { return known(GetDesktopAppInfo), nil }

func (s *screen) Execute(ctx context.Context, cmd Command) (Result, error) {
	if ctx.Err() != nil {
		return Result{}, context.Cause(ctx)
	}
	if cmd.ToolName != GetDesktopAppInfo {
		return FailureResult("%v", unknownTool(cmd.ToolName, []string{GetDesktopAppInfo})), nil
	}
	windows := []Window{} // none is [], not null
	for _, app := range s.apps {
		w, _ := app.window()
		windows = append(windows, w)
	}
	return JSONResult(windows)
}

func (s *screen) Scope(ctx context.Context, windowID string) (Desktop, error) {
	for _, app := range s.apps {
		if app.Window.ID == windowID {
			return s.narrow(ctx, app)
		}
	}
	return nil, errNoSuchWindow
}

// inWindow is a screen narrowed to one window.
type inWindow struct {
	screen   *screen
	app      *onScreen
	desktop  Desktop // the App's, narrowed where it can be
	narrowed bool
	own      string      // the id of the App's own window, when it was narrowed
	instance int         // likewise
	tells    atomic.Bool // the App's desktop has get_app_window
}

func (o *inWindow) Tools(ctx context.Context) ([]Tool, error) {
	own, err := o.desktop.Tools(ctx)
	if err != nil {
		return nil, err
	}
	tools := known(GetAppWindow, GetDesktopAppInfo)
	for _, tool := range own {
		if tool.Name == GetAppWindow {
			o.tells.Store(true)
		}
		if tool.Name != GetAppWindow && tool.Name != GetDesktopAppInfo {
			tools = append(tools, tool)
		}
	}
	return tools, nil
}

func (o *inWindow) Execute(ctx context.Context, cmd Command) (Result, error) {
	switch {
	case ctx.Err() != nil:
		return Result{}, context.Cause(ctx)
	case cmd.ToolName == GetDesktopAppInfo:
		return o.screen.Execute(ctx, cmd)
	case cmd.ToolName == GetAppWindow:
		return o.appWindow(ctx)
	}
	res, err := o.desktop.Execute(ctx, cmd)
	if errors.Is(err, ErrWindowGone) || err == nil && res.Status == Failure && res.Gone {
		if id := cmd.Parameters["id"]; cmd.ToolName != SelectApplicationWindow && cmd.ToolName != CloseApplication || id == o.own {
			o.lose() // not another window of the App
		}
	}
	return res, err
}

// known are the descriptions of well-known tools.
func known(names ...string) []Tool {
	return slices.DeleteFunc(cloneTools(wellKnown), func(t Tool) bool { return !slices.Contains(names, t.Name) })
}
