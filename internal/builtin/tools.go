package builtin

import (
	"context"
	"log/slog"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
)

// Tools lists the tools of an agent's desktop, and logs each that is left out once: it is in
// the list of every step. Of its first list it logs which names of LeaveOut and which tools of Needs
// are missing: a misspelt name leaves nothing out, and an option without its tool does nothing.
type Tools struct {
	Agent     string
	LeaveOut  []string // names of tools that it does not have
	Needs     []Need
	Calls     *ToolCalls // reserves names; nil: a tool can have any
	Validator desktop.Validator
	Logger    *slog.Logger // nil: slog.Default()
	leftOut   map[string]bool
	listed    bool // by the desktop itself: a run that goes on has its list from the journal
	opened    bool
	last      *desktop.Toolbox
}

// Need is an option of a Config that does nothing without a tool. One that nobody has to set is
// worth a line for who looks for it: its Level is lower.
type Need struct {
	Option, Tool string
	Level        slog.Level // zero: Info
}

func (l *Tools) open(ctx context.Context, d desktop.Desktop) (*desktop.Toolbox, error) {
	if len(l.LeaveOut) > 0 || l.Calls != nil {
		d = fewer{d, l}
	}
	shelf := shelfOf(ctx)
	box, err := desktop.Open(ctx, d, l.Validator, shelf.known(l)...)
	if err != nil {
		return nil, err
	}
	shelf.put(l, box)
	if box == l.last {
		return box, nil // and was logged
	}
	l.last = box
	unusable := box.Unusable()
	leftOut := make(map[string]bool, len(unusable)) // of this list alone, so that it does not grow
	for _, problem := range unusable {
		if leftOut[problem.Error()] = true; !l.leftOut[problem.Error()] {
			l.log(ctx, slog.LevelWarn, "tool left out", slog.String("exception.message", problem.Error()))
		}
	}
	l.leftOut = leftOut
	for _, need := range l.Needs {
		if _, there := box.Tool(need.Tool); !there && !l.opened {
			l.log(ctx, need.Level, "option without its tool", slog.String("option", need.Option), slog.String("gen_ai.tool.name", need.Tool))
		}
	}
	l.opened = true
	return box, nil
}

// fewer is a desktop without some of its tools.
type fewer struct {
	desktop.Desktop
	agent *Tools
}

func (f fewer) Tools(ctx context.Context) ([]desktop.Tool, error) {
	tools, err := f.Desktop.Tools(ctx)
	if err != nil {
		return nil, err
	}
	if !f.agent.listed {
		f.agent.listed = true
		for _, name := range f.agent.LeaveOut {
			if !slices.ContainsFunc(tools, func(tool desktop.Tool) bool { return tool.Name == name }) {
				f.agent.log(ctx, slog.LevelWarn, "no tool of a name in LeaveOut", slog.String("gen_ai.tool.name", name))
			}
		}
	}
	return slices.DeleteFunc(tools, func(tool desktop.Tool) bool {
		return slices.Contains(f.agent.LeaveOut, tool.Name) || f.agent.reserved(ctx, tool.Name)
	}), nil
}

// reserved reports whether a tool has a name that is not its own, and logs it once.
func (l *Tools) reserved(ctx context.Context, name string) bool {
	if l.Calls == nil {
		return false
	}
	why := l.Calls.Reserves(name)
	if why != "" && !slices.Contains(l.Calls.logged, name) {
		l.Calls.logged = append(l.Calls.logged, name)
		l.log(ctx, slog.LevelWarn, "tool left out", slog.String("gen_ai.tool.name", name), slog.String("exception.message", why))
	}
	return why != ""
}

func (l *Tools) log(ctx context.Context, level slog.Level, text string, about ...slog.Attr) {
	logger := l.Logger
	if logger == nil {
		logger = slog.Default()
	}
	logger.LogAttrs(ctx, level, text, append([]slog.Attr{slog.String("gen_ai.agent.name", l.Agent)}, about...)...)
}
