package builtin

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/llm"
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

// AnnounceCalls announces each call of a reply, and each call that the arguments of one hide. It does so before the
// reply is a decision: the calls may make none.
func (k *Kept) AnnounceCalls(ctx context.Context, box *desktop.Toolbox, board *blackboard.Board, calls []llm.Call) {
	for _, call := range calls {
		if args, err := argumentsOf(call.Args); err == nil {
			k.announceIn(ctx, box, board, loosejson.Value{Kind: loosejson.Object, Members: []loosejson.Member{
				{Name: "function", Value: loosejson.Text(call.Name)}, {Name: "args", Value: args},
			}})
		}
	}
}

// announceIn announces what in a value names a tool and has its arguments beside the name.
func (k *Kept) announceIn(ctx context.Context, box *desktop.Toolbox, board *blackboard.Board, v loosejson.Value) {
	if inner, ok := inText(v.Text); ok && v.Kind == loosejson.String {
		v = inner
	}
	for _, item := range v.Items {
		k.announceIn(ctx, box, board, item)
	}
	tool := ""
	for _, m := range v.Members {
		if callNames[Fold(m.Name)] && m.Value.Kind == loosejson.String {
			tool, _ = ToolName(box, m.Value.Text)
		}
	}
	_, there := box.Tool(tool) // no status
	for _, m := range v.Members {
		var args map[string]any
		raw := m.Value.Append(nil)
		if m.Value.Kind == loosejson.String { // JSON in a text
			raw = []byte(m.Value.Text)
		}
		if there && argNames[Fold(m.Name)] && json.Unmarshal(raw, &args) == nil {
			k.Announce(ctx, box, board, tool, args)
		}
		k.announceIn(ctx, box, board, m.Value)
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
