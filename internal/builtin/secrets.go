package builtin

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// Announce makes the secrets in a call known to whoever records, as soon as a
// model has written it: also a call that is refused or never executed is part of
// a decision, and the model may speak of it later.
func Announce(ctx context.Context, box *desktop.Toolbox, function string, args map[string]any) {
	if function == "" {
		return
	}
	cmd := desktop.Command{ToolName: function, Parameters: args}
	trace.From(ctx).Secrets(box.Mask(cmd), cmd, box.Secrets(cmd))
}
