package builtin

import (
	"errors"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/people"
)

// Offered returns those of the statuses that the table allows which can work now, the
// others being idle. With nobody to ask, PENDING and CONFIRM only lead to FAIL: where the
// model may write that itself, they are not offered. Where nothing would be left, all are.
func Offered(allowed []fsm.Status, user people.User, idle ...fsm.Status) []fsm.Status {
	alone := nilcheck.IsNil(user) && slices.Contains(allowed, fsm.Fail)
	offered := make([]fsm.Status, 0, len(allowed))
	for _, s := range allowed {
		if !slices.Contains(idle, s) && !(alone && (s == fsm.Pending || s == fsm.Confirm)) {
			offered = append(offered, s)
		}
	}
	if len(offered) == 0 {
		return allowed
	}
	return offered
}

// CheckProving returns what a table lacks for Config.Verify: after a no the agent stays in CONTINUE,
// and after more than most of them it ends in FAIL. A negative most is any number. Only the edges
// are looked at: to bind a state would make it.
func CheckProving(set fsm.Set, most int) error {
	edges := set.Edges()
	lacks := func(to fsm.Status) bool {
		return !slices.ContainsFunc(edges, func(e fsm.Edge) bool {
			return e.From == fsm.Continue && e.To == to && e.Kind == "" && e.By&fsm.BySystem != 0
		})
	}
	switch {
	case lacks(fsm.Continue):
		return errors.New("Config.Verify needs an edge from CONTINUE to CONTINUE: add fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.BySystem}")
	case most >= 0 && lacks(fsm.Fail):
		return errors.New("Config.Verify needs an edge from CONTINUE to FAIL: add fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem}, or set MaxReplans to -1")
	}
	return nil
}

// Unnamed returns what the section allowed_statuses has: nothing where the model knows of all that
// are offered from its tools, or from a prompt that says which of the known ones are offered.
func Unnamed(offered []fsm.Status, known map[fsm.Status]Says, ownPrompt, calls bool) []fsm.Status {
	unknown := func(s fsm.Status) bool { _, ok := known[s]; return !ok }
	if calls || ownPrompt && !slices.ContainsFunc(offered, unknown) {
		return nil
	}
	return offered
}

// Statuses are those that a prompt speaks of. They can be compared.
type Statuses string

// StatusesOf returns the list as Statuses.
func StatusesOf(list []fsm.Status) Statuses {
	all := make([]string, len(list))
	for i, status := range list {
		all[i] = string(status)
	}
	return Statuses(strings.Join(all, "\n"))
}

// Offers reports whether one is among them. It is for templates.
func (s Statuses) Offers(status fsm.Status) bool {
	for one := range strings.SplitSeq(string(s), "\n") {
		if one == string(status) {
			return one != ""
		}
	}
	return false
}

// OfferedTools returns the tools that a prompt lists: all but those that agents call in every
// step to observe, and of each what a model can use.
func OfferedTools(tools []desktop.Tool) []desktop.Tool {
	offered := []desktop.Tool{}
	for _, tool := range tools {
		switch tool.Name {
		case desktop.CaptureDesktopScreenshot, desktop.CaptureWindowScreenshot, desktop.GetDesktopAppInfo,
			desktop.GetAppWindow, desktop.GetUITree, desktop.GetControl, desktop.ListTools:
		default:
			if strings.TrimSpace(tool.Description) == "" {
				tool.Description = tool.Annotations.Title
			}
			// The rest is for programs.
			tool.Annotations = desktop.Annotations{ReadOnlyHint: tool.Annotations.ReadOnlyHint, DestructiveHint: tool.Annotations.DestructiveHint}
			offered = append(offered, tool)
		}
	}
	return offered
}

// Group is an entry of the section tool_groups.
type Group struct {
	Origin      string `json:"origin,omitempty"` // that of its tools
	Description string `json:"description"`
}

// Groups returns what the tools of each origin are for, as far as they say so.
func Groups(tools []desktop.Tool) (list []Group) {
	listed := map[string]bool{}
	for _, tool := range tools {
		if tool.Group != "" && !listed[tool.Origin] {
			listed[tool.Origin] = true
			list = append(list, Group{Origin: tool.Origin, Description: clip.Text(tool.Group, promptsize.Group)})
		}
	}
	return list
}
