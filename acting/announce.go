package acting

import (
	"context"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/trace"
)

// Announce makes the secrets in a command known to the Round, which shows them
// nowhere from then on: arguments that the tool's schema marks as writeOnly or
// of the format password. An agent calls it as soon as a model has written the
// command, in deciding.Inquiry.Seen: also one that is refused or never executed is part
// of a reply, and the model may speak of it later. [Actor.Perform] announces
// again, with references resolved. Without a Round, or without a ToolName,
// nothing happens. Of a tool that box does not have, or a nil box, all arguments
// are left out of records of the command.
func Announce(ctx context.Context, box *desktop.Toolbox, cmd desktop.Command) {
	if cmd.ToolName == "" {
		return
	}
	if box == nil {
		box = &desktop.Toolbox{}
	}
	if !box.Hides(cmd) {
		return // as mostly
	}
	trace.From(ctx).Secrets(box.Mask(cmd), cmd, box.Secrets(cmd))
}
