package playwright

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// The tools beside the well-known commands. Those that act on a control call it by
// the parameter id, as the well-known ones do, so that a policy is told which it is.
const (
	navigate      = "navigate"       // url
	goBack        = "go_back"        //
	selectOption  = "select_option"  // id, name, options
	selectTab     = "select_tab"     // id
	closeTab      = "close_tab"      // id
	acceptDialog  = "accept_dialog"  // id, text
	dismissDialog = "dismiss_dialog" // id
	waitForText   = "wait_for_text"  // text, gone
	showPart      = "show_part"      // part
)

// wellKnown are the commands of package desktop that a browser has.
var wellKnown = []string{
	desktop.CaptureWindowScreenshot, desktop.ClickInput, desktop.GetAppWindow, desktop.GetDesktopAppInfo, desktop.GetUITree,
	desktop.KeyboardInput, desktop.SetEditText, desktop.Texts, desktop.Wait,
}

const (
	controlID   = `"id": {"description": "The id of the control, as it was listed.", "type": "string", "minLength": 1}`
	controlName = `"name": {"description": "The name of the control, as it was listed; a control of another name is not touched.", "type": "string"}`
	dialogID    = `"id": {"description": "The id of the dialog, as it was listed.", "type": "string", "enum": ["dialog"]}`
	tabID       = `"id": {"description": "The id of the browser tab, as it was listed.", "type": "string", "minLength": 1}`
)

// own are the tools of this package.
var own = []desktop.Tool{
	{
		Name: acceptDialog, Description: "Say yes to the dialog of the page that is open (OK).",
		InputSchema: object(dialogID+`, "text": {"description": "The answer, where the dialog asks for a text.", "type": "string"}`, "id"),
		Annotations: desktop.Annotations{Title: "Accept a dialog", DestructiveHint: true, OpenWorldHint: true},
	},
	{
		Name: closeTab, Description: "Close a browser tab. What was filled in there is lost.",
		InputSchema: object(tabID, "id"),
		Annotations: desktop.Annotations{Title: "Close a tab", OpenWorldHint: true},
	},
	{
		Name: dismissDialog, Description: "Say no to the dialog of the page that is open (Cancel).",
		InputSchema: object(dialogID, "id"),
		Annotations: desktop.Annotations{Title: "Dismiss a dialog", OpenWorldHint: true},
	},
	{
		Name: goBack, Description: "Go back to the page before this one.",
		InputSchema: object(``),
		Annotations: desktop.Annotations{Title: "Back", OpenWorldHint: true},
	},
	{
		Name: navigate, Description: "Open a web page.",
		InputSchema: object(`"url": {"description": "The address, with https:// or http:// in front.", "type": "string", "minLength": 1}`, "url"),
		Annotations: desktop.Annotations{Title: "Open a page", OpenWorldHint: true},
	},
	{
		Name: selectOption, Description: "Choose among the options of a combobox or listbox.",
		InputSchema: object(controlID+`, `+controlName+`,
			"options": {"description": "What to choose, as the options are listed.", "type": "array", "items": {"type": "string"}, "minItems": 1}`, "id", "options"),
		Annotations: desktop.Annotations{Title: "Choose an option", IdempotentHint: true, OpenWorldHint: true},
	},
	{
		Name: selectTab, Description: "Work in another browser tab from now on.",
		InputSchema: object(tabID, "id"),
		Annotations: desktop.Annotations{Title: "Select a tab", IdempotentHint: true},
	},
	{
		Name: showPart, Description: "Show another part of the controls of a long page.",
		InputSchema: object(`"part": {"description": "Which one, from 1.", "type": "integer", "minimum": 1}`, "part"),
		Annotations: desktop.Annotations{Title: "Show a part", ReadOnlyHint: true, IdempotentHint: true},
	},
	{
		Name: waitForText, Description: "Wait until a text is on the page, or is not any more.",
		InputSchema: object(`"text": {"description": "The text.", "type": "string", "minLength": 1},
			"gone": {"description": "Wait until it is gone.", "type": "boolean", "default": false}`, "text"),
		Annotations: desktop.Annotations{Title: "Wait for a text", ReadOnlyHint: true, IdempotentHint: true},
	},
}

func object(properties string, required ...string) json.RawMessage {
	names, err := json.Marshal(append([]string{}, required...))
	if err != nil {
		panic(err) // strings
	}
	return json.RawMessage(fmt.Sprintf(`{"type": "object", "properties": {%s}, "required": %s, "additionalProperties": false}`, properties, names))
}

// needed are the server's tools without which nothing works.
var needed = []string{
	"browser_snapshot", "browser_click", "browser_type", "browser_navigate", "browser_navigate_back", "browser_press_key",
	"browser_select_option", "browser_tabs", "browser_handle_dialog", "browser_file_upload", "browser_take_screenshot", "browser_wait_for",
}

// learn asks the server once which tools it has.
func (b *browser) learn(ctx context.Context) error {
	if b.tools != nil {
		return nil
	}
	list, err := b.server.Tools(ctx)
	if err != nil {
		return err
	}
	tools := map[string]desktop.Tool{}
	for _, t := range list {
		name := t.Name[strings.LastIndexByte(t.Name, '.')+1:] // "shop.browser_click"
		if strings.HasPrefix(name, "browser_") {
			if other, twice := tools[name]; twice {
				return fmt.Errorf("%w: it has both %s and %s", ErrServer, clip(other.Name, 60), clip(t.Name, 60))
			}
			tools[name] = t
		}
	}
	for _, name := range append(slices.Clone(needed), b.opts.ServerTools...) {
		if _, ok := tools[name]; !ok {
			return fmt.Errorf("%w: it has no %s", ErrServer, name)
		}
	}
	b.tools = tools
	return nil
}

// aimed adds the element that a tool of the server acts on.
func aimed(n *node, args map[string]any) map[string]any {
	args["target"] = n.ref
	args["element"] = clip(join(n.role, oneLine(n.name)), maxURL) // for a person who watches
	return args
}

// Tools lists what can be done.
func (v *view) Tools(ctx context.Context) ([]desktop.Tool, error) {
	if err := v.take(ctx); err != nil {
		return nil, err
	}
	defer v.give()
	if err := v.learn(ctx); err != nil {
		return nil, err
	}
	return v.offered(), nil
}

// toolbox is what commands are checked against. It is the same for ever.
func (b *browser) toolbox(ctx context.Context) (*desktop.Toolbox, error) {
	if err := b.take(ctx); err != nil {
		return nil, err
	}
	defer b.give()
	if err := b.learn(ctx); err != nil {
		return nil, err
	}
	if b.box == nil {
		box, err := desktop.NewToolbox(b.offered(), desktop.LeaveToTool)
		if err != nil {
			return nil, err
		}
		b.box = box
	}
	return b.box, nil
}

func (b *browser) offered() []desktop.Tool {
	var out []desktop.Tool
	for _, name := range wellKnown {
		t, _ := desktop.ToolNamed(name)
		out = append(out, t)
	}
	for _, t := range own {
		t.InputSchema = slices.Clone(t.InputSchema)
		out = append(out, t)
	}
	for _, name := range b.opts.ServerTools {
		t := b.tools[name]
		t.Name, t.InputSchema = name, slices.Clone(t.InputSchema)
		out = append(out, t)
	}
	return out
}
