package llm

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Tool is what a reply may call, see [Request].
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"` // a JSON Schema of type object
	// Strict are the Parameters as providers want them who hold a model to them: every object is closed, and
	// every property required. A property that may be left out takes null. An adapter sends them instead,
	// with strict, where the provider takes that. Nil: nobody can be held to these Parameters.
	Strict json.RawMessage `json:"strict,omitempty"`
}

// Call is a call of a tool, as a model wrote it.
type Call struct {
	ID   string `json:"id,omitempty"` // of the provider; the result of the call names it
	Name string `json:"name"`
	// Args are mostly an object. What a model wrote that is no JSON is a string with that text.
	Args json.RawMessage `json:"args,omitempty"`
}

// cloneCalls returns a deep copy; nil stays nil.
func cloneCalls(calls []Call) []Call {
	calls = slices.Clone(calls)
	for i := range calls {
		calls[i].Args = bytes.Clone(calls[i].Args)
	}
	return calls
}

func cloneTools(tools []Tool) []Tool {
	tools = slices.Clone(tools)
	for i := range tools {
		tools[i].Parameters, tools[i].Strict = bytes.Clone(tools[i].Parameters), bytes.Clone(tools[i].Strict)
	}
	return tools
}
