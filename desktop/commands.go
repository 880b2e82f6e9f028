package desktop

import (
	"encoding/json"
	"fmt"
)

// The names of the well-known commands. A Desktop offers those that it can;
// what else it offers is its own, described by its [Tool]s. [ToolNamed] has
// their descriptions.
const (
	// CaptureDesktopScreenshot returns an image of the whole screen.
	CaptureDesktopScreenshot = "capture_desktop_screenshot"
	// CaptureWindowScreenshot returns an image of the window.
	CaptureWindowScreenshot = "capture_window_screenshot"
	// GetDesktopAppInfo returns the open windows, a list of [Window] as JSON.
	GetDesktopAppInfo = "get_desktop_app_info"
	// GetAppWindow returns the window that commands act on, as a list, and behind it the
	// windows that it owns.
	GetAppWindow = "get_app_window"
	// GetUITree returns the controls of the window, a list of [Control] as JSON.
	GetUITree = "get_ui_tree"
	// GetControl returns one control without what is inside it, so that an agent can look
	// at it again without the whole tree. Parameter: id.
	GetControl = "get_control"
	// Texts returns the text of a control. Parameter: id.
	Texts = "texts"
	// ListTools returns the tools of the desktop, a list of [Tool] as JSON.
	ListTools = "list_tools"
	// SelectApplicationWindow brings a window to the front, so that commands act
	// on it. Parameters: id, name.
	SelectApplicationWindow = "select_application_window"
	// LaunchApplication starts a program. Parameters: name, command.
	LaunchApplication = "launch_application"
	// CloseApplication closes a window. Parameter: id.
	CloseApplication = "close_application"
	// ClickInput clicks on a control. Parameters: id, name, button, double.
	ClickInput = "click_input"
	// DoubleClick clicks twice on a control. Parameters: id, name.
	DoubleClick = "double_click"
	// ClickOnCoordinates clicks on a point of the window's picture. Parameters: x, y,
	// button, double.
	ClickOnCoordinates = "click_on_coordinates"
	// DragOnCoordinates drags from one point to another. Parameters: start_x, start_y,
	// end_x, end_y, button.
	DragOnCoordinates = "drag_on_coordinates"
	// SelectMenu selects an entry of a menu. Parameter: path, its names from the outermost.
	SelectMenu = "select_menu"
	// ReadTable returns the cells of a table, a list of rows, each a list of texts.
	// Parameters: id, first_row, rows.
	ReadTable = "read_table"
	// SetEditText replaces the text of a control. Parameters: id, name, text.
	SetEditText = "set_edit_text"
	// KeyboardInput types. Parameters: id, keys, control_focus.
	KeyboardInput = "keyboard_input"
	// WheelMouseInput turns the mouse wheel. Parameters: id, wheel_dist.
	WheelMouseInput = "wheel_mouse_input"
	// Wait does nothing for a while. Parameter: seconds, at most 30.
	Wait = "wait"
	// WaitFor waits until a text is in the window, or is not there any more. Parameters:
	// text, gone, seconds, at most 30.
	WaitFor = "wait_for"
	// RunShell runs a command line and returns what it prints. Parameter:
	// bash_command.
	RunShell = "run_shell"
)

// ToolNamed returns the description of one well-known command. A Desktop that
// can do it takes its description from here. The caller owns what is returned.
func ToolNamed(name string) (Tool, bool) {
	for _, tool := range wellKnown {
		if tool.Name == name {
			return tool.clone(), true
		}
	}
	return Tool{}, false
}

// Shell returns the command that runs a command line.
func Shell(line string) Command {
	return Command{ToolName: RunShell, Parameters: map[string]any{"bash_command": line}}
}

// wellKnown is sorted by name.
var wellKnown = []Tool{
	{
		Name:        CaptureDesktopScreenshot,
		Description: "Take a picture of the whole screen.",
		InputSchema: parameters(`{` + savePath + `}`),
		Annotations: Annotations{Title: "Screenshot of the desktop", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        CaptureWindowScreenshot,
		Description: "Take a picture of the current window.",
		InputSchema: parameters(`{` + savePath + `}`),
		Annotations: Annotations{Title: "Screenshot of the window", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        ClickInput,
		Description: "Click on a control of the current window.",
		InputSchema: parameters(`{`+controlID+`, `+controlName+`,
			`+mouseButton+`,
			"double": {"description": "Click twice.", "type": "boolean", "default": false}}`, "id"),
		Annotations: Annotations{Title: "Click"},
	},
	{
		Name:        ClickOnCoordinates,
		Description: "Click on a point of the current window.",
		InputSchema: parameters(`{`+point("x", "y", "of the point")+`,
			`+mouseButton+`,
			"double": {"description": "Click twice.", "type": "boolean", "default": false}}`, "x", "y"),
		Annotations: Annotations{Title: "Click on a point"},
	},
	{
		Name:        CloseApplication,
		Description: "Close a window. What is not saved in it may be lost.",
		InputSchema: parameters(`{`+windowID+`}`, "id"),
		Annotations: Annotations{Title: "Close an application", DestructiveHint: true},
	},
	{
		Name:        DoubleClick,
		Description: "Click twice on a control of the current window.",
		InputSchema: parameters(`{`+controlID+`, `+controlName+`}`, "id"),
		Annotations: Annotations{Title: "Double click"},
	},
	{
		Name:        DragOnCoordinates,
		Description: "Drag from one point of the current window to another.",
		InputSchema: parameters(`{`+point("start_x", "start_y", "where it begins")+`,
			`+point("end_x", "end_y", "where it ends")+`,
			`+mouseButton+`}`, "start_x", "start_y", "end_x", "end_y"),
		Annotations: Annotations{Title: "Drag"},
	},
	{
		Name:        GetAppWindow,
		Description: "Describe the current window.",
		InputSchema: parameters(`{}`),
		Annotations: Annotations{Title: "Current window", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        GetControl,
		Description: "Describe one control.",
		InputSchema: parameters(`{`+controlID+`}`, "id"),
		Annotations: Annotations{Title: "One control", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        GetDesktopAppInfo,
		Description: "List the open windows.",
		InputSchema: parameters(`{}`),
		Annotations: Annotations{Title: "Open windows", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        GetUITree,
		Description: "List the controls of the current window.",
		InputSchema: parameters(`{}`),
		Annotations: Annotations{Title: "Controls of the window", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        KeyboardInput,
		Description: "Press keys, in a control or wherever the input focus is.",
		InputSchema: parameters(`{`+controlID+`,
			"keys": {"description": "Plain text, and keys in braces such as {ENTER}, {TAB} or {F5}; ^, % and + before a key hold Ctrl, Alt and Shift; the signs are {^}, {%} and {+}.", "type": "string", "minLength": 1},
			"control_focus": {"description": "Give the control the input focus first.", "type": "boolean", "default": true}}`, "keys"),
		Annotations: Annotations{Title: "Type"},
	},
	{
		Name:        LaunchApplication,
		Description: "Start an application.",
		InputSchema: parameters(`{
			"name": {"description": "The name of the program.", "type": "string", "minLength": 1},
			"command": {"description": "The program and its arguments, when the name alone does not say how to start it.", "type": "array", "items": {"type": "string"}, "minItems": 1}}`, "name"),
		Annotations: Annotations{Title: "Launch an application"},
	},
	{
		Name:        ListTools,
		Description: "List the tools of this desktop.",
		InputSchema: parameters(`{}`),
		Annotations: Annotations{Title: "Tools", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        ReadTable,
		Description: "Read the cells of a table.",
		InputSchema: parameters(`{`+controlID+`,
			"first_row": {"description": "The first row to read, from 1.", "type": "integer", "minimum": 1, "default": 1},
			"rows": {"description": "How many rows to read; none: as many as there are.", "type": "integer", "minimum": 1}}`, "id"),
		Annotations: Annotations{Title: "Read a table", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        RunShell,
		Description: "Run a command line in a shell and return what it prints.",
		InputSchema: parameters(`{"bash_command": {"description": "The command line.", "type": "string", "minLength": 1}}`, "bash_command"),
		Annotations: Annotations{Title: "Shell", DestructiveHint: true, OpenWorldHint: true},
	},
	{
		Name:        SelectApplicationWindow,
		Description: "Bring a window to the front and work in it from now on.",
		InputSchema: parameters(`{`+windowID+`,
			"name": {"description": "The title of the window, as it was listed.", "type": "string"}}`, "id"),
		Annotations: Annotations{Title: "Select a window", IdempotentHint: true},
	},
	{
		Name:        SelectMenu,
		Description: "Select an entry of a menu of the current window.",
		InputSchema: parameters(`{"path": {"description": "The names of the menu and of its entries, from the outermost, such as [\"Insert\", \"Chart...\"].", "type": "array", "items": {"type": "string"}, "minItems": 1}}`, "path"),
		Annotations: Annotations{Title: "Menu"},
	},
	{
		Name:        SetEditText,
		Description: "Replace the text of a control.",
		InputSchema: parameters(`{`+controlID+`, `+controlName+`,
			"text": {"description": "The new text.", "type": "string"}}`, "id", "text"),
		Annotations: Annotations{Title: "Set text", IdempotentHint: true},
	},
	{
		Name:        Texts,
		Description: "Read the text of a control.",
		InputSchema: parameters(`{`+controlID+`}`, "id"),
		Annotations: Annotations{Title: "Text of a control", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        Wait,
		Description: "Wait, for example until a window has finished loading.",
		InputSchema: parameters(`{"seconds": {"description": "How long.", "type": "number", "minimum": 0, "maximum": 30}}`, "seconds"),
		Annotations: Annotations{Title: "Wait", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        WaitFor,
		Description: "Wait until a text is in the current window, or is not there any more.",
		InputSchema: parameters(`{
			"text": {"description": "The text, or a part of it.", "type": "string", "minLength": 1},
			"gone": {"description": "Wait until it is not there any more.", "type": "boolean", "default": false},
			"seconds": {"description": "How long at most.", "type": "number", "minimum": 0, "maximum": 30, "default": 10}}`, "text"),
		Annotations: Annotations{Title: "Wait for a text", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name:        WheelMouseInput,
		Description: "Turn the mouse wheel, over a control or in the middle of the window.",
		InputSchema: parameters(`{`+controlID+`,
			"wheel_dist": {"description": "Notches of the wheel: above 0 up, below 0 down.", "type": "integer"}}`, "wheel_dist"),
		Annotations: Annotations{Title: "Scroll"},
	},
}

const (
	controlID   = `"id": {"description": "The id of the control, as it was listed.", "type": "string", "minLength": 1}`
	controlName = `"name": {"description": "The name of the control, as it was listed; a control of another name is not touched.", "type": "string"}`
	mouseButton = `"button": {"description": "The mouse button.", "type": "string", "enum": ["left", "right", "middle"], "default": "left"}`
	savePath    = `"save_path": {"description": "Where the desktop also keeps the picture, if it can.", "type": "string"}`
	windowID    = `"id": {"description": "The id of the window, as it was listed.", "type": "string", "minLength": 1}`
)

// point are the parameters of a point of the window's picture.
func point(x, y, what string) string {
	const form = `"%s": {"description": "Pixels from the %s of the window's picture, %s.", "type": "integer"}`
	return fmt.Sprintf(form, x, "left", what) + ", " + fmt.Sprintf(form, y, "top", what)
}

// parameters returns the schema of an object with these properties and no
// others.
func parameters(properties string, required ...string) json.RawMessage {
	schema := map[string]any{
		"type":                 "object",
		"properties":           json.RawMessage(properties),
		"additionalProperties": false,
	}
	if len(required) > 0 {
		schema["required"] = required
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		panic(err) // a literal above is no JSON
	}
	return raw
}
