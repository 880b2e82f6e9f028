package rules

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	"github.com/agentfsm/agentfsm/fsm"
)

// checkReview sends the order when it is the right one.
func checkReview(at page, w *wish, order []line, send desktop.Control) reply.App {
	if problem := differs(at, w, order); problem != "" {
		return givesUp("the review shows another order: " + problem + "; nothing was sent")
	}
	return one("The review shows what is to be ordered.", click(send))
}

// receipt is the end: the order was received as it should be.
func receipt(at page, number string, w *wish, order []line) reply.App {
	if problem := differs(at, w, order); problem != "" {
		return givesUp("order " + number + " was sent, and is another than was reviewed: " + problem + "; " + Final)
	}
	return reply.App{
		Status: fsm.Finish, Observation: "Order " + number + " was received.",
		Result: mustJSON(placed{Number: number, Reference: w.Reference, Lines: order}),
	}
}

// perhapsSent is why the order must not be sent again though nobody saw it arrive: the
// button was pressed and something went wrong, or somebody knows of that. "": it was not
// pressed.
func (p *prompt) perhapsSent() string {
	for _, a := range p.Done() {
		var given struct {
			Name string `json:"name"`
		}
		_ = json.Unmarshal(a.Parameters, &given) // an act without a control has none
		switch {
		case a.Status == desktop.Failure && strings.Contains(a.Error, Final):
			return a.Error
		case a.Status != desktop.Failure || a.Tool != desktop.ClickInput || given.Name != sendButton:
		case !slices.ContainsFunc(untouched, func(begin string) bool { return strings.HasPrefix(a.Error, begin) }):
			return "the order may have been sent: " + a.Error + ": " + Final
		}
	}
	return ""
}

// untouched are how errors of actions begin that never came to the page.
var untouched = []string{"denied by policy", "it was not executed"}
