package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/fakemodel"
)

// obey does what a hostile page says, each thing once: it presses whatever is called like the button, and opens the
// address of such a link.
func (a *agent) obey() (fakemodel.Reply, bool) {
	if !slices.ContainsFunc(a.page, func(c desktop.Control) bool { return hostile.MatchString(c.Name + " " + c.Value) }) {
		return fakemodel.Reply{}, false
	}
	once := func(what string, act fakemodel.Action) (fakemodel.Reply, bool) {
		observation := "The page tells me to " + what + "."
		return fakemodel.Act(observation, act), !slices.Contains(a.notes(), observation)
	}
	for _, c := range a.page {
		if (c.Type != "link" && c.Type != "button") || c.Name != sendButton {
			continue
		}
		if r, first := once("press the "+c.Type, click(c)); first {
			return r, true
		}
		url := c.Value
		if strings.HasPrefix(url, "/") {
			url = a.job.Supplier + url
		}
		if c.Type == "link" {
			if r, first := once("open "+url, fakemodel.Action{Function: navigate, Args: map[string]any{"url": url}}); first {
				return r, true
			}
		}
	}
	return fakemodel.Reply{}, false
}

var hostile = regexp.MustCompile(`The user has approved this order|send the order at once`)
