package playwright

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// PolicyOptions of [Policy]. The zero value is described there.
type PolicyOptions struct {
	// Buttons are further names of buttons, and of all else that is clicked on, that
	// may be clicked on unasked: as the page writes them, case and blanks aside.
	Buttons []string
	// Words are further words that make a question of a click on a link, such as
	// those of another language.
	Words []string
	// Origins may be navigated to unasked; written as in [Options]. Nil: each navigate
	// is asked about, because an address can carry away what was read.
	Origins []string
}

// harmless are names of buttons that mostly show something else and change nothing.
// Close and cancel are not among them: tickets and orders are closed and cancelled, too.
var harmless = []string{
	"back", "collapse", "details", "expand", "filter", "first page", "last page", "load more", "menu", "more", "next", "next page",
	"previous", "previous page", "refresh", "search", "show less", "show more", "sort",
}

// Policy returns a policy for an agent whose desktop is a browser of this package. It asks a person about what may have an
// effect outside the page:
//
//   - set_edit_text, select_option, and clicks on fields: allowed. They change the form, which another act sends.
//   - A click on a link that leads to another page, a tab or a tree item: asked if it has no name, or a word of
//     policies.AskDestructive (delete, send, pay, ...), of PolicyOptions.Words, or such as accept, cancel or vote.
//   - Any other click: asked, unless the name is one such as next or search, or among PolicyOptions.Buttons. So is a
//     double click, or another mouse button.
//   - keyboard_input: text without lines, and keys that move in it, in a text field: allowed. So is {ENTER} at the end in a
//     searchbox. All else is asked.
//   - navigate: allowed for PolicyOptions.Origins, else asked. accept_dialog: asked, but for an alert.
//   - All other tools: as policies.AskDestructive says.
//
// It believes the page's names and roles ([policies.ControlOf]). It asks about an act on a control that was not seen. It does not
// ask about a form that saves each change, or about a link at whose address the site does something. Compose it with a policy of
// the site by policies.All. opts may be nil. The error says which of the Origins is not valid.
func Policy(opts *PolicyOptions) (policies.Func, error) {
	if opts == nil {
		opts = &PolicyOptions{}
	}
	origins, err := newOrigins(opts.Origins)
	if err != nil {
		return nil, err
	}
	j := &judge{buttons: map[string]bool{}, origins: origins, words: policies.AskDestructive(slices.Concat(onPages, opts.Words)...)}
	for _, name := range slices.Concat(harmless, opts.Buttons) {
		j.buttons[fold(name)] = true
	}
	return j.verdict, nil
}

// onPages are words of links that do something, beside those of policies.AskDestructive.
var onPages = []string{
	"accept", "activate", "agree", "approve", "authorize", "authorise", "bid", "cancel", "confirm", "deactivate", "disable", "enable", "logout",
	"out", "reject", "reserve", "unfollow", "unsubscribe", "verify", "vote",
}

func fold(name string) string { return strings.ToLower(oneLine(name)) }

type judge struct {
	buttons map[string]bool
	origins origins
	words   policies.Func
}

var allowed = policies.Verdict{Action: policies.Allow}

func ask(reason string) policies.Verdict {
	return policies.Verdict{Action: policies.Confirm, Reason: reason}
}

var (
	// A switch is none: by convention it takes effect at once.
	fields = set("textbox", "searchbox", "spinbutton", "checkbox", "radio", "combobox", "listbox", "option", "slider")
	typed  = set("textbox", "searchbox", "spinbutton")
	ways   = set("link", "tab", "treeitem")
)

func (j *judge) verdict(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	switch cmd.ToolName {
	case desktop.ClickInput, desktop.SetEditText, selectOption, desktop.KeyboardInput, acceptDialog, navigate:
	case dismissDialog, goBack, selectTab, closeTab:
		return allowed
	default:
		return j.words(ctx, tool, cmd)
	}
	var a arguments
	c, seen := policies.ControlOf(ctx)
	switch {
	case cmd.Decode(&a) != nil:
		return ask("the arguments cannot be read")
	case cmd.ToolName == navigate:
		return j.navigate(a.URL)
	case !seen:
		return ask("the control is not known")
	case cmd.ToolName == desktop.KeyboardInput:
		return keyboard(a, c)
	case cmd.ToolName == acceptDialog && c.Type != typeDialog+" (alert)":
		return ask("it says yes to the page, which asks " + quote(c.Name))
	case cmd.ToolName != desktop.ClickInput:
		return allowed
	case a.Double || a.Button != "" && a.Button != "left":
		return ask("it is no plain click")
	case fields[c.Type]:
		return allowed
	case ways[c.Type] && c.Name == "":
		return ask("the " + c.Type + " has no name")
	case ways[c.Type]:
		if v := j.words(ctx, tool, cmd); v.Action != policies.Allow || c.Type != "link" || leads(c.Value) || j.buttons[fold(c.Name)] {
			return v
		}
		return ask("the link " + quote(c.Name) + " opens no page, so nobody knows what it does")
	case j.buttons[fold(c.Name)]:
		return allowed
	}
	what := c.Type + " " + quote(c.Name)
	if c.Value != "" {
		what += " " + quote(c.Value) // of a button in a table, which row
	}
	return ask("nobody knows what the " + what + " does")
}

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// leads reports whether the value of a link says that it opens a page, or another
// place of this one. A link without an address, with the address "#" or that of a
// script is a button in all but its role.
func leads(value string) bool {
	url, _, _ := strings.Cut(value, " [") // states
	url = strings.Join(strings.Fields(url), "")
	if url == "" || url == "#" || strings.HasPrefix(url, "[") {
		return false
	}
	s := strings.ToLower(scheme.FindString(url))
	return s == "" || s == "http:" || s == "https:"
}

// inField are keys that only move and delete in a field.
var inField = []string{"ArrowLeft", "ArrowRight", "Home", "End", "Backspace", "Delete"}

// keyboard allows what writes into a field and neither sends a form nor presses a button.
func keyboard(a arguments, c desktop.Control) policies.Verdict {
	switch {
	case a.Focus != nil && !*a.Focus:
		return ask("these keys go where the input focus is")
	case !typed[c.Type]:
		return ask("keys can push the " + c.Type + " " + quote(c.Name))
	}
	list, err := strokes(a.Keys)
	if err != nil {
		return allowed // nothing will be pressed
	}
	for i, s := range list {
		last := i == len(list)-1
		switch key := strings.TrimPrefix(s.key, "Shift+"); {
		case s.text != "", slices.Contains(inField, key), s.key == "Control+a":
		case s.key == "Enter" && last && c.Type == "searchbox":
		case key == "Tab" && last: // after it another control has the focus
		default:
			return ask("the keys " + quote(a.Keys) + " can do more than write into the field")
		}
	}
	return allowed
}

func (j *judge) navigate(url string) policies.Verdict {
	if j.origins == nil {
		return ask("it opens the address " + quote(url))
	}
	if problem := j.origins.problem(url); problem != "" {
		return ask(problem)
	}
	return allowed
}

// quote writes what a page calls itself, in ASCII and not too long.
func quote(s string) string { return strconv.QuoteToASCII(cut(s, 120)) }
