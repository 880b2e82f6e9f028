package desktop

import "encoding/json"

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
	// GetAppWindow returns the window that commands act on, a list of one.
	GetAppWindow = "get_app_window"
	// GetUITree returns the controls of the window, a list of [Control] as JSON.
	GetUITree = "get_ui_tree"
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
	// SetEditText replaces the text of a control. Parameters: id, name, text.
	SetEditText = "set_edit_text"
	// KeyboardInput types. Parameters: id, keys, control_focus.
	KeyboardInput = "keyboard_input"
	// WheelMouseInput turns the mouse wheel. Parameters: id, wheel_dist.
	WheelMouseInput = "wheel_mouse_input"
	// Wait does nothing for a while. Parameter: seconds, at most 30.
	Wait = "wait"
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
			"button": {"description": "The mouse button.", "type": "string", "enum": ["left", "right", "middle"], "default": "left"},
			"double": {"description": "Click twice.", "type": "boolean", "default": false}}`, "id"),
		Annotations: Annotations{Title: "Click"},
	},
	{
		Name:        CloseApplication,
		Description: "Close a window. What is not saved in it may be lost.",
		InputSchema: parameters(`{`+windowID+`}`, "id"),
		Annotations: Annotations{Title: "Close an application", DestructiveHint: true},
	},
	{
		Name:        GetAppWindow,
		Description: "Describe the current window.",
		InputSchema: parameters(`{}`),
		Annotations: Annotations{Title: "Current window", ReadOnlyHint: true, IdempotentHint: true},
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
			"keys": {"description": "Plain text, and keys in braces such as {ENTER}, {TAB} or {F5}; ^, % and + before a key hold Ctrl, Alt and Shift.", "type": "string", "minLength": 1},
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
	savePath    = `"save_path": {"description": "Where the desktop also keeps the picture, if it can.", "type": "string"}`
	windowID    = `"id": {"description": "The id of the window, as it was listed.", "type": "string", "minLength": 1}`
)

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
