package builtin

import (
	"context"
	"log/slog"

	"github.com/agentfsm/agentfsm/desktop"
)

// Tools lists the tools of an agent's desktop, and logs each that is left out once: it is in
// the list of every step.
type Tools struct {
	Agent     string
	Validator desktop.Validator
	Logger    *slog.Logger // nil: slog.Default()
	leftOut   map[string]bool
}

func (l *Tools) open(ctx context.Context, d desktop.Desktop) (*desktop.Toolbox, error) {
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

func (l *Tools) log(ctx context.Context, problem error) {
	logger := l.Logger
	if logger == nil {
		logger = slog.Default()
	}
	logger.LogAttrs(ctx, slog.LevelWarn, "tool left out", slog.String("gen_ai.agent.name", l.Agent), slog.String("exception.message", problem.Error()))
}
