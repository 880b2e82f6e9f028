package anthropic_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/internal/jsonschema"
)

var toolName, propertyName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`), regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// The tools of servers, as they were recorded, are sent as the protocol wants tools (Anthropic's guide to tool use, and
// what its errors say): at the top is an object of properties with plain names, and no choice, and the whole is a JSON
// Schema. Those that are strict are so by the rules of structured outputs, alone and all of them together.
func TestToolsOfServersAreAsTheProtocolWantsThem(t *testing.T) {
	for name, box := range closedtest.Toolboxes(t, "../..") {
		offered := new(builtin.Kept).Tools(&builtin.ToolCalls{}, box, nil)
		for i := -1; i < len(offered); i++ {
			req := adapterstest.Ask("do it")
			if req.Tools = offered; i >= 0 {
				req.Tools = offered[i : i+1]
			}
			if len(req.Tools) == 0 {
				continue
			}
			s := serve(t, message([]any{map[string]any{"type": "tool_use", "id": "1", "name": "x", "input": map[string]any{}}}, "tool_use"))
			_, err := s.model(t, nil).Complete(t.Context(), req)
			require.NoError(t, err)
			var sent struct {
				Tools []struct {
					Name        string          `json:"name"`
					Description string          `json:"description"`
					Schema      json.RawMessage `json:"input_schema"`
					Strict      bool            `json:"strict"`
				} `json:"tools"`
			}
			require.NoError(t, json.Unmarshal([]byte(s.Sent()[0]), &sent))
			require.Len(t, sent.Tools, len(req.Tools))
			strict, names := 0, map[string]bool{}
			for _, tool := range sent.Tools {
				assert.Regexp(t, toolName, tool.Name)
				assert.False(t, names[tool.Name], "%s twice", tool.Name)
				names[tool.Name] = true
				var top map[string]json.RawMessage
				require.NoError(t, json.Unmarshal(tool.Schema, &top), tool.Name)
				assert.Equal(t, `"object"`, string(top["type"]), tool.Name)
				for _, word := range []string{"anyOf", "oneOf", "allOf", "$ref", "$schema"} {
					assert.NotContains(t, top, word, tool.Name)
				}
				var properties map[string]json.RawMessage
				require.NoError(t, json.Unmarshal(top["properties"], &properties), tool.Name)
				for property := range properties {
					assert.Regexp(t, propertyName, property, tool.Name)
				}
				_, err := jsonschema.Compile(tool.Schema)
				require.NoError(t, err, tool.Name)
				if tool.Strict {
					strict++
					assert.Empty(t, closedtest.Anthropic(tool.Schema), tool.Name)
				}
			}
			if i < 0 {
				assert.LessOrEqual(t, strict, 20, name)
				assert.Equal(t, map[string]int{"everything": 16, "open": 3}[name], strict, name)
			}
		}
	}
}
