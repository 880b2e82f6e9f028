package desktop

import (
	"context"
	"encoding/json"
)

// Desktop is what agents act on: one screen, one application, a set of MCP
// servers, a shell. Both methods honour ctx, are safe for concurrent use, and
// leave no goroutine behind. Agents do not call them: they call [Open] and
// [Execute], which know deadlines, ids and interceptors.
type Desktop interface {
	// Tools lists what can be executed (list_tools). The caller owns the slice.
	Tools(ctx context.Context) ([]Tool, error)
	// Execute runs one command, which it neither changes nor keeps. An error
	// means that the transport is broken; a tool that says no, or is not there,
	// is a Result with status failure. So is a command for a window that was closed:
	// its Result has Gone, or the error wraps [ErrWindowGone]. The CallID of the
	// Result is that of the command, or empty.
	Execute(ctx context.Context, cmd Command) (Result, error)
}

// Scoper is a [Desktop] that can narrow itself to one window.
type Scoper interface {
	// Scope returns a Desktop whose commands act on the window of that id, and on the
	// windows that it owns: get_ui_tree lists a control for each of those, a modal one
	// first, with what is inside it, before the controls of the window.
	Scope(ctx context.Context, windowID string) (Desktop, error)
}

// Command is one call of a tool.
type Command struct {
	ToolName   string         `json:"tool_name"`
	Parameters map[string]any `json:"parameters"`
	// Looks says that the agent runs it to see what there is. A Round counts an act
	// that is done again while all looks return the same as a repeat.
	Looks  bool   `json:"looks,omitempty"`
	CallID string `json:"call_id,omitempty"`
	// Origin is that of the [Tool] that was judged and approved. A Desktop that has
	// the tool from elsewhere by now answers with a failure. Empty: any.
	Origin string `json:"origin,omitempty"`
}

// Status is how a command ended.
type Status string

// The statuses of a result.
const (
	Success Status = "success"
	Failure Status = "failure" // the tool said no; Error says why
	Skipped Status = "skipped" // not run, because one before it failed
)

// Result is what a command returned.
type Result struct {
	Status  Status    `json:"status"`
	Content []Content `json:"content,omitempty"`
	Error   string    `json:"error,omitempty"`
	CallID  string    `json:"call_id,omitempty"`
	// Gone says of a failure that the window which the command was for is closed.
	Gone bool `json:"gone,omitempty"`
	// Unverified says what nobody saw. Of a success: the tool returned, but its effect could
	// not be read back, such as a text that was typed. Of a failure: no answer came, and it
	// may have happened all the same.
	Unverified string `json:"unverified,omitempty"`
}

// Content is one piece of a result: a text, an image or JSON; one of the
// three is set.
type Content struct {
	Text  string          `json:"text,omitempty"`
	Image *Image          `json:"image,omitempty"`
	JSON  json.RawMessage `json:"json,omitempty"`
}

// Image is a picture, usually a screenshot.
type Image struct {
	MediaType string `json:"media_type"` // such as image/png
	Data      []byte `json:"data"`
}

// Tool describes one command that a [Desktop] executes.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"` // JSON Schema of the parameters, see the package comment; empty: anything
	Annotations Annotations     `json:"annotations,omitzero"`
	// Origin is where the tool is, such as an MCP server, for a Desktop that has tools
	// from several places. An approval is of a tool at one origin.
	Origin string `json:"origin,omitempty"`
	// Group says what the tools of this Origin are for, such as "the mails of the team", in each of them.
	// The prompt of a host shows it once, as the Description of a window.
	Group string `json:"group,omitempty"`
}

// Annotations are a tool's own word about what it does, with MCP's names. They
// are hints for a Policy, no promise. Unlike in MCP what is not said is false.
// After a crash a command with an IdempotentHint is executed again (package durable).
type Annotations struct {
	Title           string `json:"title,omitempty"`
	ReadOnlyHint    bool   `json:"readOnlyHint,omitempty"`
	DestructiveHint bool   `json:"destructiveHint,omitempty"`
	IdempotentHint  bool   `json:"idempotentHint,omitempty"`
	OpenWorldHint   bool   `json:"openWorldHint,omitempty"`
}

// Window is a running application's window. An agent takes the windows that its own
// window owns for parts of it.
type Window struct {
	ID      string `json:"id"`                // the desktop's name for the window
	Root    string `json:"root"`              // the program, such as winword
	Process string `json:"process"`           // this instance: a document or window id, not the title
	Title   string `json:"title"`             // what a person reads
	Focused bool   `json:"focused,omitempty"` // has the input focus
	// Owner is the id of the window that this one belongs to: it is a dialog, a sheet or
	// a pop-up of that one. "": it belongs to none.
	Owner string `json:"owner,omitempty"`
	// Description says what the window is for, where its title does not: a model chooses
	// by it.
	Description string `json:"description,omitempty"`
	// Dialog is the id of the modal dialog in front of the window, which takes its input;
	// Focus is that of the control that gets keys. get_app_window fills them in, where
	// the desktop can tell. An approval is void when the Dialog changes, and one of keys
	// without an id (keyboard_input, press_key and the like) when the Focus does.
	Dialog string `json:"dialog,omitempty"`
	Focus  string `json:"focus,omitempty"`
}

// Control is one element of a window's user interface.
type Control struct {
	ID    string `json:"id"` // what commands and ControlLabel refer to
	Name  string `json:"name,omitempty"`
	Type  string `json:"type,omitempty"` // such as Button, Edit, Table
	Value string `json:"value,omitempty"`
	// State has words such as disabled, focused, checked, selected, expanded and
	// offscreen. None: it is as one would expect.
	State   []string `json:"state,omitempty"`
	Actions []string `json:"actions,omitempty"` // what can be done to it, such as press or expand
	// Bounds are its place in the picture of the window, in pixels: x, y, width and height.
	// Zero: nobody knows.
	Bounds   [4]int    `json:"bounds,omitzero"`
	Children []Control `json:"children,omitempty"`
}
