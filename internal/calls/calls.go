// Package calls tells commands apart.
package calls

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/desktop"
)

// Key is the same for the same tool at one origin and arguments, before and after they were
// JSON. "" is that of arguments that cannot be JSON.
func Key(cmd desktop.Command) string {
	params := cmd.Parameters
	if params == nil {
		params = map[string]any{} // no arguments are no arguments
	}
	raw, err := json.Marshal([]any{cmd.ToolName, params, cmd.Origin})
	if err != nil {
		return ""
	}
	if settled(cmd.ToolName) && settled(params) && settled(cmd.Origin) {
		return string(raw)
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return ""
	}
	if raw, err = json.Marshal(v); err != nil {
		return ""
	}
	return string(raw)
}

// settled reports whether v is the same JSON again once it was JSON. Most arguments are.
func settled(v any) bool {
	switch v := v.(type) {
	case nil, bool, float64:
		return true
	case string:
		return utf8.ValidString(v)
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !settled(item) })
	case map[string]any:
		for name, item := range v {
			if !utf8.ValidString(name) || !settled(item) {
				return false
			}
		}
		return true
	}
	return false
}
