package job

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/policies"
)

// act is one thing that an agent may do: a tool on a control of this type and name, as the browser shows it. If with is
// not nil, the text must match it, too.
type act struct {
	tool, kind string
	name, with *regexp.Regexp
}

// allowed are the acts of one site.
type allowed struct {
	address string
	acts    []act
}

func only(text string) *regexp.Regexp { return regexp.MustCompile("^" + regexp.QuoteMeta(text) + "$") }

// atWarehouse is what it takes to read the stock.
func atWarehouse(j rules.Job) allowed {
	return allowed{j.Warehouse, []act{
		{desktop.SetEditText, "textbox", only("User name"), only(j.User)},
		{desktop.SetEditText, "textbox", only("Password"), only(j.Password)},
		{desktop.ClickInput, "button", only("Log in"), nil},
		{desktop.ClickInput, "link", regexp.MustCompile("^(Previous|Next) page$"), nil},
	}}
}

// atSupplier is what it takes to make an order ready. The button that sends it is not in the list.
func atSupplier(j rules.Job) allowed {
	return allowed{j.Supplier, []act{
		{"select_option", "combobox", only("Article"), nil},
		{desktop.SetEditText, "textbox", only("Quantity"), regexp.MustCompile(`^[0-9]{1,6}$`)},
		{desktop.SetEditText, "textbox", only("Your reference"), only(j.Reference)},
		{desktop.ClickInput, "button", regexp.MustCompile(`^(Add line|Review the order|Remove [A-Z]{2}-[0-9]{4})$`), nil},
		{desktop.ClickInput, "link", regexp.MustCompile(`^(Catalogue|Basket \([0-9]+\))$`), nil},
	}}
}

// harmless are tools that only look, or say no to a dialog of a page.
var harmless = []string{desktop.Texts, desktop.Wait, "wait_for_text", "dismiss_dialog"}

// judge is the policy of a site.
func (a allowed) judge(ctx context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
	control, seen := policies.ControlOf(ctx)
	switch {
	case slices.Contains(harmless, cmd.ToolName):
		return allow
	case cmd.ToolName == "navigate":
		if url, _ := cmd.Parameters["url"].(string); strings.TrimSuffix(url, "/") == a.address {
			return allow
		}
		return deny("only %s/ may be opened", a.address)
	case !seen:
		return deny("%.80q is not on the list, or on no control that was seen", cmd.ToolName)
	case !plain(cmd):
		return deny("only plain clicks are needed")
	}
	text, _ := cmd.Parameters["text"].(string)
	for _, act := range a.acts {
		if act.tool == cmd.ToolName && act.kind == control.Type && act.name.MatchString(control.Name) && (act.with == nil || act.with.MatchString(text)) {
			return allow
		}
	}
	return deny("%.80q on the %.80s %.80q is not on the list", cmd.ToolName, control.Type, control.Name)
}

// plain reports whether a click is no more than that: not two, and not one for a menu.
func plain(cmd desktop.Command) bool {
	button := cmd.Parameters["button"]
	return cmd.ToolName != desktop.ClickInput || cmd.Parameters["double"] != true && (button == nil || button == "left")
}

// onlyFile is the policy of the files: the summary may be written and read.
func onlyFile(file string) policies.Func {
	return func(_ context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
		if (cmd.ToolName == "write_file" || cmd.ToolName == "read_text_file") && cmd.Parameters["path"] == file {
			return allow
		}
		return deny("only the summary is written and read")
	}
}

var allow = policies.Verdict{Action: policies.Allow}

func deny(reason string, args ...any) policies.Verdict {
	return policies.Verdict{Action: policies.Deny, Reason: fmt.Sprintf(reason, args...)}
}
