package playwright

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/agentfsm/agentfsm/desktop"
)

// The tools beside the well-known commands. Those that act on a control name it by
// the parameter id, so that a policy is told which it is.
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
	tool(acceptDialog, "Accept a dialog", "Say yes to the dialog of the page that is open (OK).", `"id"`,
		dialogID+`, "text": {"description": "The answer, where the dialog asks for a text.", "type": "string"}`,
		desktop.Annotations{DestructiveHint: true, OpenWorldHint: true}),
	tool(closeTab, "Close a tab", "Close a browser tab. What was filled in there is lost.", `"id"`, tabID,
		desktop.Annotations{OpenWorldHint: true}),
	tool(dismissDialog, "Dismiss a dialog", "Say no to the dialog of the page that is open (Cancel).", `"id"`, dialogID,
		desktop.Annotations{OpenWorldHint: true}),
	tool(goBack, "Back", "Go back to the page before this one.", ``, ``,
		desktop.Annotations{OpenWorldHint: true}),
	tool(navigate, "Open a page", "Open a web page.", `"url"`,
		`"url": {"description": "The address, with https:// or http:// in front.", "type": "string", "minLength": 1}`,
		desktop.Annotations{OpenWorldHint: true}),
	tool(selectOption, "Choose an option", "Choose among the options of a combobox or listbox.", `"id", "options"`,
		controlID+`, `+controlName+`,
			"options": {"description": "What to choose, as the options are listed.", "type": "array", "items": {"type": "string"}, "minItems": 1}`,
		desktop.Annotations{IdempotentHint: true, OpenWorldHint: true}),
	tool(selectTab, "Select a tab", "Work in another browser tab from now on.", `"id"`, tabID,
		desktop.Annotations{IdempotentHint: true}),
	tool(showPart, "Show a part", "Show another part of the controls of a long page.", `"part"`,
		`"part": {"description": "Which one, from 1.", "type": "integer", "minimum": 1}`,
		desktop.Annotations{ReadOnlyHint: true, IdempotentHint: true}),
	tool(waitForText, "Wait for a text", "Wait until a text is on the page, or is not any more.", `"text"`,
		`"text": {"description": "The text.", "type": "string", "minLength": 1},
			"gone": {"description": "Wait until it is gone.", "type": "boolean", "default": false}`,
		desktop.Annotations{ReadOnlyHint: true, IdempotentHint: true}),
}

func tool(name, title, description, required, properties string, hints desktop.Annotations) desktop.Tool {
	hints.Title = title
	schema := fmt.Sprintf(`{"type": "object", "properties": {%s}, "required": [%s], "additionalProperties": false}`, properties, required)
	return desktop.Tool{Name: name, Description: description, InputSchema: json.RawMessage(schema), Annotations: hints}
}

// toolbox has the tools of every browser.
var toolbox = sync.OnceValues(func() (*desktop.Toolbox, error) {
	list := own
	for _, name := range wellKnown {
		t, _ := desktop.ToolNamed(name)
		list = append(list, t)
	}
	return desktop.NewToolbox(list, nil)
})

// needed are the server's tools without which nothing works.
var needed = []string{
	"browser_snapshot", "browser_click", "browser_type", "browser_navigate", "browser_navigate_back", "browser_press_key",
	"browser_select_option", "browser_tabs", "browser_handle_dialog", "browser_file_upload", "browser_take_screenshot", "browser_wait_for",
}

// begin waits until no other call is running, and asks the server once which tools it has.
func (b *browser) begin(ctx context.Context) (done func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case b.turn <- struct{}{}:
		done = func() { <-b.turn }
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if b.known {
		return done, nil
	}
	list, err := b.server.Tools(ctx)
	for _, name := range needed {
		if err == nil && !slices.ContainsFunc(list, func(t desktop.Tool) bool { return t.Name == name }) {
			err = fmt.Errorf("%w: it has no %s", ErrServer, name)
		}
	}
	if err != nil {
		done()
		return nil, err
	}
	b.known = true
	return done, nil
}

// Tools lists what can be done.
func (v *view) Tools(ctx context.Context) ([]desktop.Tool, error) {
	box, err := toolbox()
	if err != nil {
		return nil, err
	}
	done, err := v.begin(ctx)
	if err != nil {
		return nil, err
	}
	done()
	return box.Tools(), nil
}
