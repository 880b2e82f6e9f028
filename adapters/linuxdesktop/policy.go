package linuxdesktop

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/internal/atspi"
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
//   - Looks, texts, cells that are empty, clicks on fields and in lists: allowed. Cells that are not empty: asked.
//   - A click on a button: asked, with the title of its dialog. "Cancel", "Next", tool bars and
//     PolicyOptions.Allow are allowed.
//   - A menu entry: asked if its name has one of the words.
//   - {ENTER} in a dialog, shortcuts, keys and texts for a terminal, keys that write into filled cells: asked.
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
var harmless = atspi.Set("back", "cancel", "collapse", "details", "expand", "help", "later", "less", "more", "next", "not now", "previous", "search", "show", "skip")

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

func (j *judge) verdict(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	c, seen := policies.ControlOf(ctx)
	switch cmd.ToolName {
	case desktop.ClickInput, desktop.DoubleClick, desktop.ClickOnCoordinates, desktop.SetEditText:
		switch {
		case !seen:
			return ask("the control is not known")
		case cmd.ToolName == desktop.SetEditText:
			return text(ctx, cmd, c)
		}
		return j.click(ctx, cmd, c)
	case desktop.KeyboardInput:
		return keyboard(ctx, cmd, c, seen)
	case desktop.SelectMenu:
		return j.menu(ctx, cmd)
	case desktop.WheelMouseInput:
		if turned[c.Type] {
			return ask("the wheel can choose something else in the " + c.Type + " " + quote(c.Name))
		}
		return allowed
	case desktop.SelectApplicationWindow, showControls:
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
	var p arguments
	err := cmd.Decode(&p)
	argv, known := j.programs[p.Name]
	switch {
	case err != nil || !known:
		return ask("it starts a program")
	case len(p.Command) > 0 && !slices.Equal(p.Command, argv):
		return ask("it starts " + quote(p.Name) + " with a command that is not on the list")
	}
	return allowed
}

// text judges a text that replaces another. A program may refuse that, and the text is typed then.
func text(ctx context.Context, cmd desktop.Command, c desktop.Control) policies.Verdict {
	text, _ := cmd.Parameters["text"].(string)
	switch {
	case c.Type == "terminal":
		return ask("a terminal may run it")
	case !textual[c.Type]:
		return ask("the " + c.Type + " " + quote(c.Name) + " is no field of text")
	case strings.ContainsAny(text, "\n\r") && !hasLines(ctx, c):
		return ask("a line break can push a button")
	}
	return allowed
}

var (
	// fields are controls on which a click changes nothing that is kept.
	fields = atspi.Set("text", "entry", "password text", "spin button", "combo box", "check box", "radio button", "slider", "list item", "page tab", "table cell",
		"document text", "document spreadsheet", "paragraph", "heading", "table", "tree table", "tree item", "list", "list box", "menu", "label", "section",
		"table column header", "table row header", "scroll pane", "viewport", "document web", "terminal")
	// textual are controls that have a text, in which a second click selects a word.
	textual = atspi.Set("text", "entry", "password text", "spin button", "document text", "paragraph", "heading")
	// turned are controls in which the wheel chooses.
	turned = atspi.Set("combo box", "spin button", "slider")
	// pressed are controls that a click on what is inside them pushes.
	pressed = atspi.Set("push button", "toggle button", "link", "menu item", "check menu item", "radio menu item")

	pages   = atspi.Set("document web")
	dialogs = atspi.Set("Dialog")
)

func (j *judge) click(ctx context.Context, cmd desktop.Command, c desktop.Control) policies.Verdict {
	double, _ := cmd.Parameters["double"].(bool)
	button, _ := cmd.Parameters["button"].(string)
	clicked := c
	if around, ok := inPath(ctx, pressed); ok {
		c = around // a text of a button is the button
	}
	switch {
	case button != "" && button != "left":
		return ask("it is no plain click")
	case (double || cmd.ToolName == desktop.DoubleClick) && !textual[c.Type]:
		return ask("it can open " + quote(cmp.Or(clicked.Name, clicked.Value)))
	}
	dialog, inDialog := inPath(ctx, dialogs)
	_, onPage := inPath(ctx, pages)
	_, inBar := inPath(ctx, folded)
	named, says := atspi.OneLine(c.Name) != "", j.says(ctx, c.Name)
	switch {
	case j.allow[Choice{dialog.Name, c.Name}.folded()],
		fields[c.Type] && (textual[c.Type] || !onPage || !says && !j.says(ctx, c.Value)), // anything on a page may be a button
		harmless[folding(c.Name)] && c.Type == "push button",
		named && !says && (inBar || strings.HasSuffix(c.Type, "menu item")):
		return allowed
	case inDialog:
		return ask("nobody knows what the " + c.Type + " " + quote(c.Name) + " of the dialog " + quote(dialog.Name) + " does")
	case says:
		return ask("the " + c.Type + " " + quote(c.Name) + " may keep, send or lose something")
	}
	return ask("nobody knows what the " + c.Type + " " + quote(c.Name) + " does")
}

// inPath returns the innermost control of one of these types that the control is in, or is.
func inPath(ctx context.Context, types map[string]bool) (desktop.Control, bool) {
	for _, c := range slices.Backward(policies.ControlPath(ctx)) {
		if types[c.Type] {
			return c, true
		}
	}
	return desktop.Control{}, false
}

// says reports whether a name has one of the words, as it is written or in small letters: sAve is Save to a program that
// looks for the entry of a menu.
func (j *judge) says(ctx context.Context, name string) bool {
	click := desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "1"}}
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, atspi.OneLine(name))
	return slices.ContainsFunc([]string{name, strings.ToLower(name)}, func(name string) bool {
		named := policies.WithControl(ctx, desktop.Control{ID: "1", Type: "menu item", Name: name})
		return j.words(named, desktop.Tool{Name: desktop.ClickInput}, click).Action != policies.Allow
	})
}

func (j *judge) menu(ctx context.Context, cmd desktop.Command) policies.Verdict {
	var a arguments
	if err := cmd.Decode(&a); err != nil || len(a.Path) == 0 {
		return ask("it names no entry")
	}
	name := strings.Join(a.Path, " > ")
	dialog, _ := inPath(ctx, dialogs)
	entries := a.Path[min(1, len(a.Path)-1):] // the name of a menu, such as Format, says nothing
	if j.allow[Choice{dialog.Name, name}.folded()] || !slices.ContainsFunc(entries, func(e string) bool { return j.says(ctx, e) }) {
		return allowed
	}
	return ask("the menu entry " + quote(name) + " may keep, send or lose something")
}

// quote writes what a program calls itself, in ASCII and not too long.
func quote(s string) string { return strconv.QuoteToASCII(clip(s, maxName)) }
