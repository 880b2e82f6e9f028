package shop

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/policies"
)

// The tools of a browser that are not well-known ones.
const (
	navigate      = "navigate"
	selectOption  = "select_option"
	acceptDialog  = "accept_dialog"
	dismissDialog = "dismiss_dialog"
	waitForText   = "wait_for_text"
)

// The tools of the files that are used.
const (
	writeFile = "write_file"
	readFile  = "read_text_file"
)

// sendButton is the control that sends the order: a button. A link of that name is
// something else.
const sendButton = "Send the order"

// confirmDialog is the control of a page's confirm.
const confirmDialog = "dialog (confirm)"

// act is one thing that an agent may do: a tool on a control of this type and name,
// as the browser shows it. With says, where it is not nil, what the text may be.
type act struct {
	tool, kind string
	name       *regexp.Regexp
	with       func(string) bool
}

// allowed are the acts of one site, and where it is.
type allowed struct {
	address string
	acts    []act
}

func only(text string) *regexp.Regexp { return regexp.MustCompile("^" + regexp.QuoteMeta(text) + "$") }

func exactly(text string) func(string) bool { return func(s string) bool { return s == text } }

var (
	digits   = regexp.MustCompile(`^[0-9]{1,6}$`)
	ofLine   = `[A-Z]{2}-[0-9]{4}(-L)?$`
	inBasket = regexp.MustCompile(`^Basket \([0-9]+\)$`)
)

// atWarehouse is what is needed to read the stock.
func atWarehouse(address, user string) allowed {
	return allowed{address, []act{
		{desktop.SetEditText, "textbox", only("User name"), exactly(user)},
		{desktop.SetEditText, "textbox", only("Password"), exactly(passwordName)},
		{desktop.ClickInput, "button", only("Log in"), nil},
		{desktop.ClickInput, "link", only("Previous page"), nil},
		{desktop.ClickInput, "link", only("Next page"), nil},
	}}
}

// atSupplier is what is needed to make an order ready. Sending it is not in here.
func atSupplier(address, reference string) allowed {
	return allowed{address, []act{
		{selectOption, "combobox", only("Article"), nil},
		{desktop.SetEditText, "textbox", only("Quantity"), digits.MatchString},
		{desktop.SetEditText, "textbox", regexp.MustCompile(`^Quantity of ` + ofLine), digits.MatchString},
		{desktop.SetEditText, "textbox", only("Your reference"), exactly(reference)},
		{desktop.ClickInput, "button", only("Add line"), nil},
		{desktop.ClickInput, "button", regexp.MustCompile(`^(Change|Remove) ` + ofLine), nil},
		{desktop.ClickInput, "button", only("Review the order"), nil},
		{desktop.ClickInput, "link", inBasket, nil},
		{desktop.ClickInput, "link", regexp.MustCompile(`^(Catalogue|Add a line|Back to the basket|Orders|All orders)$`), nil},
	}}
}

// looks are the tools that only look, or say no to a dialog of a page.
var looks = map[string]bool{desktop.Texts: true, desktop.Wait: true, waitForText: true, dismissDialog: true}

// judge is the policy of a site. What only looks is allowed, and so is what is on the
// list. All else is denied: keys, which go where nobody sees, too.
func (a allowed) judge(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	control, seen := policies.ControlOf(ctx)
	switch {
	case looks[cmd.ToolName]:
		return allow
	case cmd.ToolName == navigate:
		if url, _ := cmd.Parameters["url"].(string); strings.TrimSuffix(url, "/") == a.address {
			return allow
		}
		return deny("only %s/ may be opened", a.address)
	case !seen:
		return deny("%s is not on the list, or on no control that was seen", clip(tool.Name))
	case odd(cmd):
		return deny("only plain clicks are needed")
	}
	may := slices.ContainsFunc(a.acts, func(act act) bool {
		return act.tool == cmd.ToolName && act.kind == control.Type && act.name.MatchString(control.Name) && act.fits(cmd)
	})
	if may {
		return allow
	}
	return deny("%s on the %s %q is not on the list", clip(cmd.ToolName), clip(control.Type), clip(control.Name))
}

// odd reports whether a click is more than that: two of them, or one for a menu.
func odd(cmd desktop.Command) bool {
	button := cmd.Parameters["button"]
	return cmd.ToolName == desktop.ClickInput && (cmd.Parameters["double"] == true || button != nil && button != "left")
}

// fits reports whether the text of a command may be.
func (a act) fits(cmd desktop.Command) bool {
	if a.with == nil {
		return true
	}
	text, ok := cmd.Parameters["text"].(string)
	return ok && a.with(text)
}

// inFolder is the policy of the files: one file may be written and read.
func inFolder(file string) (policies.Func, error) {
	roots, err := policies.NewRoots([]string{file}, nil)
	if err != nil {
		return nil, fmt.Errorf("shop: %w", err)
	}
	return policies.All(policies.Tools(writeFile, readFile), policies.Paths(roots, nil), func(_ context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
		if cmd.Parameters["path"] == file {
			return allow
		}
		return deny("only the summary is written and read")
	}), nil
}

var allow = policies.Verdict{Action: policies.Allow}

func deny(reason string, args ...any) policies.Verdict {
	return policies.Verdict{Action: policies.Deny, Reason: fmt.Sprintf(reason, args...)}
}

// clip keeps a page from filling a record with one name.
func clip(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
