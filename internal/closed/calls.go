package closed

import (
	"encoding/json"
	"slices"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// Tool is a tool as its desktop describes it.
type Tool struct {
	Name   string
	Schema json.RawMessage // of its parameters
}

// Calls is the schema of a call of one of the tools, {"Function": its name, "Args": its
// arguments}. Tools that take the same arguments share a branch. Function comes first, with
// names that no other branch has: OpenAI's strict mode tells branches by how they begin. The
// Args of a tool without a closed form are an object in a text.
func Calls(tools []Tool) loosejson.Value {
	type branch struct {
		args  loosejson.Value
		names []string
	}
	branches := make([]branch, 0, len(tools))
	for _, tool := range tools {
		args, ok := arguments(tool.Schema, false)
		if !ok {
			args = Text
		}
		i := slices.IndexFunc(branches, func(b branch) bool { return loosejson.Equal(b.args, args) })
		if i < 0 {
			i = len(branches)
			branches = append(branches, branch{args: args})
		}
		branches[i].names = append(branches[i].names, tool.Name)
	}
	list := make([]loosejson.Value, len(branches))
	for i, b := range branches {
		list[i] = Object(
			loosejson.Member{Name: "Function", Value: Enum(b.names...)},
			loosejson.Member{Name: "Args", Value: b.args},
		)
	}
	if len(list) == 1 {
		return list[0]
	}
	return AnyOf(list...)
}
