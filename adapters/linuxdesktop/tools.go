package linuxdesktop

import (
	"encoding/json"

	"github.com/agentfsm/agentfsm/desktop"
)

// The tools beside the well-known commands.
const (
	writeCells   = "write_cells"   // id, cell, rows
	showControls = "show_controls" // id
	readDocument = "read_document" // id, first, blocks
)

// wellKnown are the commands of package desktop that a screen has.
var wellKnown = []string{
	desktop.CaptureDesktopScreenshot, desktop.CaptureWindowScreenshot, desktop.ClickInput, desktop.ClickOnCoordinates,
	desktop.CloseApplication, desktop.DoubleClick, desktop.DragOnCoordinates, desktop.GetAppWindow, desktop.GetControl,
	desktop.GetDesktopAppInfo, desktop.GetUITree, desktop.KeyboardInput, desktop.LaunchApplication, desktop.ReadTable,
	desktop.SelectApplicationWindow, desktop.SelectMenu, desktop.SetEditText, desktop.Texts, desktop.Wait, desktop.WaitFor,
	desktop.WheelMouseInput,
}

func tools() []desktop.Tool {
	list := []desktop.Tool{
		{
			Name:        showControls,
			Description: "Show what is inside a control whose value ends with [+], such as a tool bar, from now on. Once more hides it.",
			InputSchema: json.RawMessage(`{"type": "object", "properties": {
				"id": {"description": "The id of the control, as it was listed.", "type": "string", "minLength": 1}},
				"required": ["id"], "additionalProperties": false}`),
			Annotations: desktop.Annotations{Title: "Show more controls", ReadOnlyHint: true},
		},
		{
			Name:        readDocument,
			Description: "Read a text document from its beginning to its end, in view or not: headings, paragraphs, and tables with their rows. It scrolls the document, and moves the cursor.",
			InputSchema: json.RawMessage(`{"type": "object", "properties": {
				"id": {"description": "The id of the document, a document text.", "type": "string", "minLength": 1},
				"first": {"description": "The number of the first to return, from 1.", "type": "integer", "minimum": 1, "default": 1},
				"blocks": {"description": "How many to return. None: all.", "type": "integer", "minimum": 1, "maximum": 2000}},
				"required": ["id"], "additionalProperties": false}`),
			Annotations: desktop.Annotations{Title: "Read a document", ReadOnlyHint: true},
		},
		{
			Name:        writeCells,
			Description: "Write rows into a spreadsheet, and read them back. A text stays a text, also one such as 2024. One such as =A1 is refused: it would be a formula.",
			InputSchema: json.RawMessage(`{"type": "object", "properties": {
				"id": {"description": "The id of the sheet, a table.", "type": "string", "minLength": 1},
				"cell": {"description": "The first cell, such as B3.", "type": "string", "pattern": "^[A-Z]{1,3}[1-9][0-9]{0,6}$", "default": "A1"},
				"numbers_from": {"description": "From this cell on, to the right and down, texts such as 1,204.5 or -3 are written as numbers. None: nowhere.", "type": "string", "pattern": "^[A-Z]{1,3}[1-9][0-9]{0,6}$"},
				"rows": {"description": "The rows: numbers, texts, and null for a cell that stays as it is.", "type": "array", "minItems": 1, "maxItems": 500,
					"items": {"type": "array", "maxItems": 100, "items": {"type": ["string", "number", "null"]}}},
				"replace": {"description": "Whether cells that hold something else may be replaced. Without it that fails.", "type": "boolean", "default": false}},
				"required": ["id", "rows"], "additionalProperties": false}`),
			Annotations: desktop.Annotations{Title: "Write cells", IdempotentHint: true},
		},
	}
	for _, name := range wellKnown {
		if tool, ok := desktop.ToolNamed(name); ok {
			list = append(list, tool)
		}
	}
	return list
}
