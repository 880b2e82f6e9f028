package builtin

import (
	"context"
	"slices"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
)

// Announce is acting.Announce of a command as a model wrote it, whose references are
// not resolved yet. What they stand for is announced, too: the reply may be refused for
// something else, and the model, which has read the blackboard, speaks of it later.
func (k *Kept) Announce(ctx context.Context, box *desktop.Toolbox, board *blackboard.Board, tool string, args map[string]any) {
	acting.Announce(ctx, box, desktop.Command{ToolName: tool, Parameters: args})
	for name, arg := range args {
		if !refers(arg) {
			continue
		}
		// Each by itself: a reference that leads nowhere does not hide the others.
		one, err := k.Resolve(board, map[string]any{name: arg})
		if err == nil {
			acting.Announce(ctx, box, desktop.Command{ToolName: tool, Parameters: one})
		}
	}
}

// refers reports whether a value that was JSON holds a reference.
func refers(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			if name == "$ref" || refers(item) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, refers)
	}
	return false
}
