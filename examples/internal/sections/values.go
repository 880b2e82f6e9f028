package sections

import (
	"encoding/json"
	"strings"
)

// MayHaveHappened reports whether an error says so of an action: a run that was
// interrupted, or a command without an answer.
func MayHaveHappened(text string) bool {
	return strings.Contains(text, "nobody knows whether it happened")
}

// note is what a prompt shows of a value that is too long for it.
type note struct {
	Ref string `json:"$ref"`
}

// Whole is a value to hand on: as it was shown, or by its reference.
func Whole(shown json.RawMessage) json.RawMessage {
	var n note
	if json.Unmarshal(shown, &n) == nil && n.Ref != "" {
		return json.RawMessage(`{"$ref":` + quoted(n.Ref) + `}`)
	}
	return shown
}

// Member is a member of a value to hand on: as it was shown, or by its reference.
func Member(shown json.RawMessage, name string) any {
	var n note
	if json.Unmarshal(shown, &n) == nil && n.Ref != "" {
		return note{Ref: n.Ref + "." + name}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(shown, &members) != nil {
		return nil
	}
	return Whole(members[name])
}

func quoted(text string) string {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text always can
	}
	return string(raw)
}
