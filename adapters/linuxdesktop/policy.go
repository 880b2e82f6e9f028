package linuxdesktop

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/x11"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// Choice is a control in a dialog, such as the button "Save" of the dialog "Save As". Case, blanks
// and dots at the end do not matter.
type Choice struct {
	Dialog  string // the dialog's title; "": the control is in none
	Control string // the control's name; of an entry of a menu its path, such as "File > Save As"
}

// PolicyOptions of [Policy]. The zero value is described there.
type PolicyOptions struct {
	// Allow are the clicks and the menu entries that nobody is asked about.
	Allow []Choice
	// Programs may be launched unasked: by their names, with this command or without one. It may be
	// the Programs of [Options].
	Programs map[string][]string
	// Words in the name of a button or of a menu entry make a question of it, beside those of
	// policies.AskDestructive (delete, send, pay, …) and some that programs have (save, export,
	// print, quit, …): for programs in another language.
	Words []string
}

// Policy returns a policy for an agent on a screen. A person is asked before what is kept, sent or
// lost, and not before work in a document that is not saved yet:
//
//   - Looks, texts and cells, clicks on fields and in lists: allowed.
//   - A click on a button: asked, with the title of its dialog. "Cancel", "Next", tool bars and
//     PolicyOptions.Allow are allowed.
//   - A menu entry: asked if its name has one of the words.
//   - {ENTER} in a dialog, shortcuts, keys and texts for a terminal: asked.
//   - Launching, closing, dragging: asked.
//
// It believes the names that programs show. A control that nobody has seen is asked about. The guide
// docs/guides/screen.md has the rules. opts may be nil.
func Policy(opts *PolicyOptions) policies.Func {
	if opts == nil {
		opts = &PolicyOptions{}
	}
	j := &judge{allow: map[Choice]bool{}, programs: maps.Clone(opts.Programs)}
	for _, c := range opts.Allow {
		j.allow[c.folded()] = true
	}
	j.words = policies.AskDestructive(append(slices.Clone(inPrograms), opts.Words...)...)
	return j.verdict
}

// inPrograms are words of buttons and menus beside those of policies.AskDestructive.
var inPrograms = []string{
	"accept", "agree", "apply", "close", "connect", "exit", "export", "extension", "import", "install", "leave", "macro", "mail", "ok", "open", "overwrite",
	"password", "preferences", "print", "properties", "quit", "rename", "replace", "restore", "run", "save", "settings", "share", "sign", "update", "upload", "yes",
}

// harmless are buttons that change nothing, or can be taken back.
var harmless = set("back", "cancel", "collapse", "details", "expand", "help", "later", "less", "more", "next", "not now", "previous", "search", "show", "skip")

func (c Choice) folded() Choice {
	steps := strings.Split(c.Control, ">")
	for i := range steps {
		steps[i] = folding(steps[i])
	}
	return Choice{folding(c.Dialog), strings.Join(steps, ">")}
}

type judge struct {
	allow    map[Choice]bool
	programs map[string][]string
	words    policies.Func
}

var allowed = policies.Verdict{Action: policies.Allow}

func ask(reason string) policies.Verdict {
	return policies.Verdict{Action: policies.Confirm, Reason: reason}
}

const unseen = "the control is not known"

func (j *judge) verdict(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	c, seen := policies.ControlOf(ctx)
	switch cmd.ToolName {
	case desktop.ClickInput, desktop.DoubleClick, desktop.ClickOnCoordinates:
		if !seen {
			return ask(unseen)
		}
		return j.click(ctx, tool, cmd, c)
	case desktop.SetEditText, writeCells:
		if !seen {
			return ask(unseen)
		}
		return j.text(ctx, cmd, c)
	case desktop.KeyboardInput:
		return j.keyboard(ctx, cmd, c, seen)
	case desktop.SelectMenu:
		return j.menu(ctx, cmd)
	case desktop.WheelMouseInput, desktop.SelectApplicationWindow, showControls:
		return allowed
	case desktop.LaunchApplication:
		return j.launch(cmd)
	case desktop.CloseApplication:
		return ask("what is not saved in the window is lost")
	case desktop.DragOnCoordinates:
		return ask("nobody knows what the drag does")
	}
	return j.words(ctx, tool, cmd)
}

// launch judges what a program is started with: the command decides, and not the name that it was given.
func (j *judge) launch(cmd desktop.Command) policies.Verdict {
	var p struct {
		Name    string   `json:"name"`
		Command []string `json:"command"`
	}
	if err := cmd.Decode(&p); err != nil {
		return ask("it starts a program")
	}
	argv, known := j.programs[p.Name]
	switch {
	case !known:
		return ask("it starts a program")
	case len(p.Command) > 0 && !slices.Equal(p.Command, argv):
		return ask("it starts " + quote(p.Name) + " with a command that is not on the list")
	}
	return allowed
}

// text judges a text that replaces another. A program may refuse that, and the text is typed then.
func (j *judge) text(ctx context.Context, cmd desktop.Command, c desktop.Control) policies.Verdict {
	text, _ := cmd.Parameters["text"].(string)
	switch {
	case c.Type == "terminal":
		return ask("a terminal may run it")
	case strings.ContainsAny(text, "\n\r") && !hasLines(ctx, c):
		return ask("a line break can push a button")
	}
	return allowed
}

// fields are controls on which a click changes nothing that is kept.
var fields = set("text", "entry", "password text", "spin button", "combo box", "check box", "radio button", "slider", "list item", "page tab", "table cell",
	"document text", "document spreadsheet", "paragraph", "heading", "table", "tree table", "tree item", "list", "list box", "menu", "label", "section",
	"table column header", "table row header", "scroll pane", "viewport", "document web", "terminal")

// opens are controls that a second click opens.
var opens = set("list item", "table cell", "icon", "tree item")

func (j *judge) click(ctx context.Context, tool desktop.Tool, cmd desktop.Command, c desktop.Control) policies.Verdict {
	dialog := dialogAround(ctx)
	double, _ := cmd.Parameters["double"].(bool)
	double = double || cmd.ToolName == desktop.DoubleClick
	button, _ := cmd.Parameters["button"].(string)
	switch {
	case button != "" && button != "left":
		return ask("it is no plain click")
	case j.allow[Choice{dialog, c.Name}.folded()]:
		return allowed
	case double && opens[c.Type]:
		return ask("it opens " + quote(c.Name))
	case fields[c.Type], harmless[folding(c.Name)] && c.Type == "push button":
		return allowed
	case slices.ContainsFunc(policies.ControlPath(ctx), func(p desktop.Control) bool { return folded[p.Type] }) && c.Name != "":
		return j.words(ctx, tool, cmd)
	case strings.HasSuffix(c.Type, "menu item"):
		if v := j.words(ctx, tool, cmd); c.Name != "" {
			return v
		}
	}
	what := "nobody knows what the " + c.Type + " " + quote(c.Name)
	if dialog != "" {
		what += " of the dialog " + quote(dialog)
	}
	return ask(what + " does")
}

// dialogAround returns the title of the dialog that the control is in, "" for none.
func dialogAround(ctx context.Context) string {
	for _, c := range slices.Backward(policies.ControlPath(ctx)) {
		if c.Type == "Dialog" {
			return c.Name
		}
	}
	return ""
}

// writing are controls in which {ENTER} begins a line, or ends a cell.
var writing = set("document text", "document spreadsheet", "paragraph", "heading", "table", "table cell", "text")

// hasLines reports whether {ENTER} does no more than write in a control.
func hasLines(ctx context.Context, c desktop.Control) bool {
	return writing[c.Type] && (c.Type != "text" || dialogAround(ctx) == "")
}

// moving are keys that do nothing in a text but move, mark, write and take away.
var moving = set("{LEFT}", "{RIGHT}", "{UP}", "{DOWN}", "{HOME}", "{END}", "{PAGEUP}", "{PAGEDOWN}", "{BACK}", "{DEL}", "^a", "^c", "^x", "^v", "^z", "^y",
	"^{HOME}", "^{END}", "^{LEFT}", "^{RIGHT}", "^{UP}", "^{DOWN}")

func (j *judge) keyboard(ctx context.Context, cmd desktop.Command, c desktop.Control, seen bool) policies.Verdict {
	text, _ := cmd.Parameters["keys"].(string)
	strokes, err := x11.Keys(text)
	if err != nil {
		return allowed // nothing will be pressed
	}
	names := make([]string, len(strokes))
	for i, s := range strokes {
		names[i] = strings.TrimPrefix(s.String(), "+")
	}
	focus, said := cmd.Parameters["control_focus"].(bool)
	switch {
	case !slices.ContainsFunc(names, func(n string) bool { return n != "{ESC}" && n != "{ESCAPE}" && n != "{PAGEUP}" && n != "{PAGEDOWN}" }):
		return allowed
	case !seen:
		return ask("nobody has seen where these keys go")
	case said && !focus:
		return ask("these keys go where the input focus is")
	case !writing[c.Type] && !typedInto[c.Type]:
		return ask("keys can push the " + c.Type + " " + quote(c.Name))
	}
	lines := hasLines(ctx, c)
	for i, n := range names {
		switch {
		case moving[n], len([]rune(n)) == 1, len(n) == 3 && n[0] == '{': // a letter; or a sign in braces
		case n == "{ENTER}" && lines, n == "{TAB}" && (lines || i == len(names)-1):
		default:
			return ask("the keys " + quote(text) + " can do more than write")
		}
	}
	return allowed
}

// typedInto are fields of one line.
var typedInto = set("entry", "password text", "spin button", "combo box")

func (j *judge) menu(ctx context.Context, cmd desktop.Command) policies.Verdict {
	list, _ := cmd.Parameters["path"].([]any)
	var path []string
	for _, step := range list {
		name, _ := step.(string)
		path = append(path, name)
	}
	if len(path) == 0 {
		return ask("it names no entry")
	}
	name := strings.Join(path, " > ")
	if j.allow[Choice{dialogAround(ctx), name}.folded()] {
		return allowed
	}
	// As a control of that name would be judged.
	named := policies.WithControl(ctx, desktop.Control{ID: "menu", Type: "menu item", Name: path[len(path)-1]})
	click := desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "menu"}}
	if v := j.words(named, desktop.Tool{Name: desktop.ClickInput}, click); v.Action != policies.Allow {
		return ask("the menu entry " + quote(name) + " may keep, send or lose something")
	}
	return allowed
}

// quote writes what a program calls itself, in ASCII and not too long.
func quote(s string) string { return strconv.QuoteToASCII(clip(s, maxName)) }
