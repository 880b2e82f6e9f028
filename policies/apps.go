package policies

import (
	"context"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
)

// AppOptions are the details of [Apps].
type AppOptions struct {
	// Commands are, by name, the command lines with which a program may be
	// launched. One without an entry is launched by its name alone.
	Commands map[string][]string
	// Windows lists the open windows, so that the policy knows whose window an id is: desktop.Windows of the desktop
	// that executes the command. Nil: closing and selecting windows is denied, because an id alone says nothing.
	Windows func(ctx context.Context) ([]desktop.Window, error)
}

// Apps allows launching, selecting and closing the applications of these names and denies it of others. Commands that
// do none of that are allowed. A name is compared letter by letter with the name that a launch has, and with the Root
// of a window, which some desktops write otherwise: list both. Titles of windows say nothing. opts may be nil.
func Apps(names []string, opts *AppOptions) Func {
	l := apps{names: slices.Clone(names)}
	if opts != nil {
		l.windows, l.commands = opts.Windows, maps.Clone(opts.Commands)
	}
	return l.judge
}

type apps struct {
	names    []string
	commands map[string][]string
	windows  func(ctx context.Context) ([]desktop.Window, error)
}

func (l apps) judge(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
	switch cmd.ToolName {
	case desktop.LaunchApplication:
		return l.launch(tool, cmd)
	case desktop.SelectApplicationWindow, desktop.CloseApplication:
		return l.window(ctx, tool, cmd)
	}
	return allow
}

func (l apps) launch(tool desktop.Tool, cmd desktop.Command) Verdict {
	var p struct {
		Name    string   `json:"name"`
		Command []string `json:"command"`
	}
	if err := cmd.Decode(&p); err != nil {
		return deny("its parameters cannot be read")
	}
	switch {
	case !slices.Contains(l.names, p.Name):
		return deny("the application " + quoteOf(tool, cmd, p.Name, p.Name) + " is not on the list of applications")
	case len(p.Command) > 0 && !slices.Equal(p.Command, l.commands[p.Name]):
		return deny("the application " + quoteOf(tool, cmd, p.Name, p.Name) + " would be launched with a command that is not on the list")
	}
	return allow
}

func (l apps) window(ctx context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
	id, _ := cmd.Parameters["id"].(string)
	if l.windows == nil {
		return deny("the policy cannot see which application has the window " + quoteOf(tool, cmd, id, id))
	}
	windows, err := l.windows(ctx)
	if err != nil {
		return deny("the windows cannot be listed: " + quote(err.Error()))
	}
	for _, w := range windows {
		if w.ID != id {
			continue
		}
		if slices.Contains(l.names, w.Root) {
			return allow
		}
		return deny("the application " + quote(w.Root) + " is not on the list of applications")
	}
	return deny("there is no window " + quoteOf(tool, cmd, id, id))
}
