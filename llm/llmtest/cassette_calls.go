package llmtest

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/llm"
)

// tools returns the tools of a request as they are compared.
func (c *cleaner) tools(list []llm.Tool) (stored []llm.Tool) {
	for _, tool := range list {
		tool.Name, tool.Description = c.ask(tool.Name), c.ask(tool.Description)
		tool.Parameters, tool.Strict = cleanJSON(tool.Parameters, c.ask), cleanJSON(tool.Strict, c.ask)
		stored = append(stored, tool)
	}
	return stored
}

// cleanCalls returns calls as they are stored. clean is how texts are.
func cleanCalls(list []llm.Call, clean func(string) string) (stored []llm.Call) {
	for _, call := range list {
		call.ID, call.Name, call.Args = clean(call.ID), clean(call.Name), cleanJSON(call.Args, clean)
		stored = append(stored, call)
	}
	return stored
}

// cleanJSON returns JSON without secrets. What is none, also because of what was taken out of it, is
// a string with that text. Nothing stays nothing.
func cleanJSON(raw json.RawMessage, clean func(string) string) json.RawMessage {
	if raw == nil {
		return nil
	}
	text := []byte(clean(string(raw)))
	if !json.Valid(text) {
		text, _ = json.Marshal(string(text)) //nolint:errchkjson // a string has a JSON form
	}
	return text
}

// compact returns JSON without the spaces that the file has for its readers.
func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if raw == nil || json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// callLines show calls to people.
func callLines(list []llm.Call) (lines []string) {
	for _, call := range list {
		lines = append(lines, fmt.Sprintf("--- calls %s: %s", call.Name, compact(call.Args)))
	}
	return lines
}
