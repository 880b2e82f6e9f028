package scenarios_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// actNames are the names under which models write a call, or a part of one.
var actNames = []string{
	"tool", "name", "tool_calls", "function_call", "input", "tool_input", "params", "kwargs", "command", "bash_command", "steps", "calls", "actions", "args",
	"arguments", "parameters", "Function", "toolName", "action", "tool_use", "Bash", "cmd", "shell", "run", "execute", "functions", "operation", "action_input",
	"invoke", "TOOL CALL", "save", "cleanup", "dir", "tool_code", "python", "click", "directory", "options", "item", "description",
}

// wordsFrom is the first of them that means no act, but may be an argument of a call.
const wordsFrom = "directory"

// FuzzActNames puts a name that means an act at some place of an otherwise valid
// reply. What stands there is executed, with its arguments, or the reply is fed
// back: nothing is dropped.
func FuzzActNames(f *testing.F) {
	for name := range actNames {
		for place := range 30 {
			f.Add(byte(name), byte(place), byte(name+place), place%2 == 0, name%3 == 0)
		}
	}
	words := slices.Index(actNames, wordsFrom)
	f.Fuzz(func(t *testing.T, name, place, value byte, calls, host bool) {
		const mark = "marked"
		type object = map[string]any
		decision := object{"Thought": "t", "Status": "CONTINUE"}
		var action object
		given := calls && place%2 == 0 && place%5 != 1
		tool := []string{"cleanup", "wipe", "wipe_all"}[int(place)/10%3]
		if calls {
			decision["Function"] = tool
			if given {
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
		if (word == "name" || word == "dir") && (place%5 > 1 || word == "dir" && !calls) {
			return // a name among others, without a call that it could be an argument of
		}
		if slices.Contains(actNames[words:], word) || word == "click" {
			text, isText := what.(string)
			scalar := what == 7001 || isText && text == mark
			says := slices.Contains([]int{0, 1, 4, 6, 7, 8, 9, 10, 11}, at) // a call
			besides := place%5 == 0
			remark := word == "description" && besides && (scalar || given) || word == "description" && place%5 == 1 && scalar
			if !says && (!calls && place%5 != 1 || given && scalar && besides || remark) {
				return // a word about the call, or what happened
			}
		}
		switch place % 5 {
		case 1:
			action = object{"Function": tool, word: what}
			delete(decision, "Function")
			delete(decision, "Args")
			decision["Actions"] = []any{action}
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
		if got.fedBack != "" {
			assert.Empty(t, got.did, "what is fed back is not executed: %s", text)
			return
		}
		wants := mark
		switch values[at] {
		case "save":
			wants = "save"
		case 7001:
			wants = "7001"
		}
		if string(got.step.To) == "CONFIRM" {
			return // a person is asked about the whole
		}
		assert.Contains(t, got.did, wants, "%s", text)
	})
}
