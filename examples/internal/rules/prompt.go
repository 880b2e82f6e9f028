package rules

import (
	"encoding/json"

	"github.com/agentfsm/agentfsm/examples/internal/sections"
)

type prompt = sections.Prompt

func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // a type of this package
	}
	return raw
}
