package rules

import (
	"encoding/json"
	"strings"

	"github.com/agentfsm/agentfsm/examples/internal/sections"
)

type prompt = sections.Prompt

// mayHaveHappened reports whether an error says so of an action: a run that was
// interrupted, or a command without an answer.
func mayHaveHappened(text string) bool {
	return strings.Contains(text, "nobody knows whether it happened")
}

// note is what a prompt shows of a value that is too long for it.
type note struct {
	Ref string `json:"$ref"`
}

// whole is a value to hand on: as it was shown, or by its reference.
func whole(shown json.RawMessage) json.RawMessage {
	var n note
	if json.Unmarshal(shown, &n) == nil && n.Ref != "" {
		return mustJSON(n)
	}
	return shown
}

// member is a member of a value to hand on: as it was shown, or by its reference.
func member(shown json.RawMessage, name string) any {
	var n note
	if json.Unmarshal(shown, &n) == nil && n.Ref != "" {
		return note{Ref: n.Ref + "." + name}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(shown, &members) != nil {
		return nil
	}
	return members[name]
}

func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // a type of this package
	}
	return raw
}
