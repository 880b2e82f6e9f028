package linuxdesktop

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
)

// showControls is the tool beside the well-known commands.
const showControls = "show_controls"

func tools(extensions []Extension) []desktop.Tool {
	list := []desktop.Tool{{
		Name:        showControls,
		Description: "Show what is inside a control whose value ends with [+], such as a tool bar, from now on. Once more hides it.",
		InputSchema: json.RawMessage(`{"type": "object", "properties": {
			"id": {"description": "The id of the control, as it was listed.", "type": "string", "minLength": 1}},
			"required": ["id"], "additionalProperties": false}`),
		Annotations: desktop.Annotations{Title: "Show more controls", ReadOnlyHint: true},
	}}
	for _, e := range extensions {
		list = append(list, e.Tools()...)
	}
	for _, handlers := range []map[string]handler{ofScreen, ofWindow} {
		for _, name := range slices.Sorted(maps.Keys(handlers)) {
			if tool, ok := desktop.ToolNamed(name); ok {
				list = append(list, tool)
			}
		}
	}
	return list
}
