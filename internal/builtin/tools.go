package builtin

import (
	"context"
	"log/slog"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
)

// Tools lists the tools of an agent's desktop, and logs each that is left out once: it is in
// the list of every step.
type Tools struct {
	Agent     string
	LeaveOut  []string // names of tools that it does not have
	Validator desktop.Validator
	Logger    *slog.Logger // nil: slog.Default()
	leftOut   map[string]bool
}

func (l *Tools) open(ctx context.Context, d desktop.Desktop) (*desktop.Toolbox, error) {
	if len(l.LeaveOut) > 0 {
		d = fewer{d, l.LeaveOut}
	}
	box, err := desktop.Open(ctx, d, l.Validator)
	if err != nil {
		return nil, err
	}
	unusable := box.Unusable()
	leftOut := make(map[string]bool, len(unusable)) // of this list alone, so that it does not grow
	for _, problem := range unusable {
		if leftOut[problem.Error()] = true; !l.leftOut[problem.Error()] {
			l.log(ctx, problem)
		}
	}
	l.leftOut = leftOut
	return box, nil
}

// fewer is a desktop without some of its tools.
type fewer struct {
	desktop.Desktop
	leaveOut []string
}

func (f fewer) Tools(ctx context.Context) ([]desktop.Tool, error) {
	tools, err := f.Desktop.Tools(ctx)
	return slices.DeleteFunc(tools, func(tool desktop.Tool) bool { return slices.Contains(f.leaveOut, tool.Name) }), err
}

func (l *Tools) log(ctx context.Context, problem error) {
	logger := l.Logger
	if logger == nil {
		logger = slog.Default()
	}
	logger.LogAttrs(ctx, slog.LevelWarn, "tool left out", slog.String("gen_ai.agent.name", l.Agent), slog.String("exception.message", problem.Error()))
}
