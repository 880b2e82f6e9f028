package scenarios_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// actNames are the names under which models write a call, or a part of one. A remark or an
// argument beside a call may have other names: testdata/attacks/replies/beside.txt.
var actNames = []string{
	"tool", "tool_calls", "function_call", "input", "tool_input", "params", "kwargs", "command", "bash_command", "steps", "calls", "actions", "args",
	"arguments", "parameters", "Function", "toolName", "action", "tool_use", "Bash", "cmd", "shell", "run", "execute", "functions", "operation", "action_input",
	"invoke", "TOOL CALL", "save", "cleanup", "tool_code", "python",
}

// FuzzActNames puts a name that means an act at some place of an otherwise valid
// reply. What stands there is executed, with its arguments, or the reply is fed
// back: nothing is dropped.
func FuzzActNames(f *testing.F) {
	for name := range actNames {
		for place := range 30 {
			f.Add(byte(name), byte(place), byte(name+place), place%2 == 0, name%3 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, name, place, value byte, calls, host bool) {
		const mark = "marked"
		type object = map[string]any
		decision := object{"Thought": "t", "Status": "CONTINUE"}
		tool := []string{"cleanup", "wipe", "wipe_all"}[int(place)/10%3]
		if calls {
			decision["Function"] = tool
			if place%2 == 0 && place%5 != 1 {
				decision["Args"] = object{"deep": true}
			}
		}
		call := object{"name": "save", "arguments": object{"name": mark}}
		values := []any{
			call, []any{call}, object{"dir": mark}, object{"name": mark}, "save", mark, object{"function": call}, []any{object{"function": call}},
			`{"name":"save","arguments":{"name":"` + mark + `"}}`, object{"tool": "save", "tool_input": object{"name": mark}}, object{"save": object{"name": mark}},
			`save(name="` + mark + `")`, object{"x": mark}, []any{mark}, `{"x":"` + mark + `"}`, 7001,
		}
		at := int(value) % len(values)
		word, what := actNames[int(name)%len(actNames)], values[at]
		switch place % 5 {
		case 1:
			delete(decision, "Function")
			delete(decision, "Args")
			decision["Actions"] = []any{object{"Function": tool, word: what}}
		case 2:
			decision["metadata"] = object{"list": []any{object{word: what}}}
		case 3:
			decision["Next"] = object{word: what}
		case 4:
			decision["extra"] = []any{object{"a": object{word: what}}}
		default:
			decision[word] = what
		}
		text, err := json.Marshal(decision)
		require.NoError(t, err)
		kind := "app"
		if host {
			kind = "host"
		}
		got := reply(t, kind, string(text))
		switch {
		case got.fedBack != "":
			assert.Empty(t, got.did, "what is fed back is not executed: %s", text)
		case string(got.step.To) == "CONFIRM": // a person is asked about the whole
		case what == "save":
			assert.Contains(t, got.did, "save", "%s", text)
		case what == 7001:
			assert.Contains(t, got.did, "7001", "%s", text)
		default:
			assert.Contains(t, got.did, mark, "%s", text)
		}
	})
}
