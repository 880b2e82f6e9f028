// Package calls tells commands apart, and copies what is recorded of a question.
package calls

import (
	"encoding/json"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clone"
	"github.com/agentfsm/agentfsm/people"
)

// Key is the same for the same tool at one origin and arguments, before and after they were
// JSON. "" is that of arguments that cannot be JSON.
func Key(cmd desktop.Command) string {
	raw, err := json.Marshal([]any{cmd.ToolName, cmd.Parameters, cmd.Origin})
	if err != nil {
		return ""
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return ""
	}
	if params, ok := v.([]any); ok && params[1] == nil {
		params[1] = map[string]any{} // no arguments are no arguments
	}
	if raw, err = json.Marshal(v); err != nil {
		return ""
	}
	return string(raw)
}

// Question is a copy of a question that shares nothing with who asks it.
func Question(q people.Question) people.Question {
	for _, cmd := range []**desktop.Command{&q.Command, &q.Shown} {
		if *cmd != nil {
			own := **cmd
			own.Parameters = clone.Map(own.Parameters)
			*cmd = &own
		}
	}
	return q
}
