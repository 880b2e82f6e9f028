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
	// Buttons are names of buttons, and of all else that is clicked on, that may be
	// clicked on unasked: as the page writes them, case and blanks aside. Nil:
	// [HarmlessButtons]. Empty: none.
	Buttons []string
	// Words in the name of a link that make a question of a click on it, beside those
	// of policies.AskDestructive (delete, send, pay, …) and some that pages have (accept,
	// cancel, vote, "log out", …): for pages in another language.
	Words []string
	// Origins that may be navigated to unasked; written as in [Options]. Nil: each
	// navigate is asked about, because an address can carry away what was read.
	Origins []string
}

// HarmlessButtons returns names of buttons that mostly show something else and change
// nothing. Close and cancel are not among them: tickets and orders are closed and
// cancelled, too. The caller owns the slice.
func HarmlessButtons() []string {
	return []string{
		"back", "collapse", "details", "expand", "filter", "first page", "last page", "load more", "menu", "more", "next", "next page",
		"previous", "previous page", "refresh", "search", "show less", "show more", "sort",
	}
}

// Policy returns a policy for an agent whose desktop is a browser of this package. A person is asked before what may have an
// effect outside the page, and not before filling in a form, following links and reading:
//
//   - set_edit_text, select_option, and clicks on fields: allowed. They change the form, which is sent by another act.
//   - A click on a link that leads to another page, a tab or a tree item: asked if its name says so (PolicyOptions.Words), or if
//     it has none.
//   - Any other click: asked, unless its name is among PolicyOptions.Buttons. So is a double click, or another mouse button.
//   - keyboard_input: text without lines, and keys that move in it, in a text field: allowed. So is {ENTER} at the end in a
//     searchbox, if search is among the Buttons. All else is asked.
//   - navigate: allowed for PolicyOptions.Origins, else asked. accept_dialog: asked, but for an alert.
//   - All other tools: as policies.AskDestructive says.
//
// It believes the page's names and roles ([policies.ControlOf]); an act on a control that nobody has seen is asked about. A form
// that is saved at each change, or a link at whose address the site does something, passes unasked. Compose with a policy of the
// site by policies.All. The error is an [*OptionsError]. opts may be nil.
func Policy(opts *PolicyOptions) (policies.Func, error) {
	j := &judge{buttons: map[string]bool{}}
	if opts == nil {
		opts = &PolicyOptions{}
	}
	names := opts.Buttons
	if names == nil {
		names = HarmlessButtons()
	}
	for _, name := range names {
		j.buttons[fold(name)] = true
	}
	var err error
	if j.origins, err = newOrigins(opts.Origins); err != nil {
		return nil, &OptionsError{Field: "Origins", Err: err}
	}
	j.words = policies.AskDestructive(append(slices.Clone(onPages), opts.Words...)...)
	return j.verdict, nil
}

// onPages are words by which pages do something at an address, beside those of
// policies.AskDestructive: Accept, Log out, Check out.
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
	c, seen := policies.ControlOf(ctx)
	switch cmd.ToolName {
	case desktop.ClickInput:
		return j.click(ctx, tool, cmd, c, seen)
	case desktop.SetEditText, selectOption:
		if !seen {
			return ask(unseen)
		}
		return allowed
	case desktop.KeyboardInput:
		return j.keyboard(cmd, c, seen)
	case navigate:
		return j.navigate(cmd)
	case acceptDialog:
		switch {
		case !seen:
			return ask(unseen)
		case c.Type == typeDialog+" (alert)":
			return allowed
		}
		return ask("it says yes to the page, which asks " + quote(c.Name))
	case dismissDialog, goBack, selectTab, closeTab:
		return allowed
	}
	return j.words(ctx, tool, cmd)
}

const unseen = "the control is not known"

func (j *judge) click(ctx context.Context, tool desktop.Tool, cmd desktop.Command, c desktop.Control, seen bool) policies.Verdict {
	switch {
	case !seen:
		return ask(unseen)
	case !plain(cmd):
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

// plain reports whether a click is one, of the left mouse button.
func plain(cmd desktop.Command) bool {
	button, _ := cmd.Parameters["button"].(string)
	double, _ := cmd.Parameters["double"].(bool)
	return !double && (button == "" || button == "left")
}

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// leads reports whether the value of a link says that it opens a page, or another
// place of this one. A link without an address, with the address "#" or with that of
// a script is a button for whoever wrote the page.
func leads(value string) bool {
	url, _, _ := strings.Cut(value, " [") // what is behind it are states
	url = strings.Join(strings.Fields(url), "")
	if url == "" || url == "#" || strings.HasPrefix(url, "[") {
		return false
	}
	s := strings.ToLower(scheme.FindString(url))
	return s == "" || s == "http:" || s == "https:"
}

// inField are keys that do nothing but move and take away in a field.
var inField = []string{"ArrowLeft", "ArrowRight", "Home", "End", "Backspace", "Delete"}

// keyboard lets text be typed into a field, and nothing that a form or a button could
// be sent by.
func (j *judge) keyboard(cmd desktop.Command, c desktop.Control, seen bool) policies.Verdict {
	keys, _ := cmd.Parameters["keys"].(string)
	focus, said := cmd.Parameters["control_focus"].(bool)
	switch {
	case !seen:
		return ask("nobody has seen where these keys go")
	case said && !focus:
		return ask("these keys go where the input focus is")
	case !typed[c.Type]:
		return ask("keys can push the " + c.Type + " " + quote(c.Name))
	}
	list, err := strokes(keys)
	if err != nil {
		return allowed // nothing will be pressed
	}
	for i, s := range list {
		switch key := strings.TrimPrefix(s.key, "Shift+"); {
		case s.text != "", slices.Contains(inField, key), s.key == "Control+a":
		case s.key == "Enter" && i == len(list)-1 && c.Type == "searchbox" && j.buttons["search"]:
		case key == "Tab" && i == len(list)-1: // behind it another control has the focus
		default:
			return ask("the keys " + quote(keys) + " can do more than write into the field")
		}
	}
	return allowed
}

func (j *judge) navigate(cmd desktop.Command) policies.Verdict {
	url, _ := cmd.Parameters["url"].(string)
	if j.origins == nil {
		return ask("it opens the address " + quote(url))
	}
	if problem := j.origins.problem(url); problem != "" {
		return ask(problem)
	}
	return allowed
}

// quote writes what a page calls itself, in ASCII and not too long.
func quote(s string) string { return strconv.QuoteToASCII(clip(s, 120)) }
