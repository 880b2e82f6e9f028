package job

import (
	"context"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// sendButton is the name of the button that sends the order. A link of that name is something else.
const sendButton = "Send the order"

// sender is the policy of the supplier and the user of the run. It remembers which order a person approved and whether
// the button was pressed.
type sender struct {
	shop      desktop.Desktop // the browser of the supplier
	reference string          // of the request
	rest      policies.Func
	user      people.User // nil: nobody

	mu        sync.Mutex
	asked     string // the order of the last question
	approved  string // the order that was approved and not yet sent
	button    any    // the id of the button that was judged last
	pressed   bool   // with an approval: there may be an order, whatever came of it
	approvals int
	last      time.Time
}

// judge lets a person decide on the button, by the order that the page shows. An approved button is judged again right
// before it is pressed, so that it sends the approved order and no other one.
func (s *sender) judge(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	control, seen := policies.ControlOf(ctx)
	if !seen || cmd.ToolName != desktop.ClickInput || control.Type != "button" || control.Name != sendButton {
		return s.rest(ctx, tool, cmd)
	}
	shown, err := desktop.UITree(ctx, s.shop)
	order, problem := review(shown)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.button = nil
	switch {
	case err != nil:
		return deny("the order cannot be seen")
	case !plain(cmd):
		return deny("only plain clicks are needed")
	case s.pressed:
		return deny(pressedAlready)
	case problem != "":
		return deny("%s", problem)
	case order.reference != s.reference:
		return deny("the page shows another reference")
	case s.approved != "" && s.approved != order.text:
		s.approved = ""
		return deny("the page shows another order than was approved")
	}
	s.asked, s.button = order.text, cmd.Parameters["id"]
	return policies.Verdict{Action: policies.Confirm, Reason: "it sends a binding order: " + order.text}
}

const pressedAlready = "the button was pressed already, and there may be an order: " + rules.Final

// Ask asks the person and remembers a yes.
func (s *sender) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	if s.user == nil {
		return people.Answer{}, people.ErrNobody
	}
	answer, err := s.user.Ask(ctx, q)
	if err == nil && answer.Approved && q.Command != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.approved, s.last = s.asked, time.Now()
		s.approvals++
	}
	return answer, err
}

// watch notes the command that presses the button before it is sent: no answer says for sure that it did not arrive.
func (s *sender) watch(d desktop.Desktop) desktop.Desktop { return watched{d, s} }

type watched struct {
	desktop.Desktop

	by *sender
}

func (w watched) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	w.by.mu.Lock()
	if cmd.ToolName == desktop.ClickInput && w.by.button != nil && cmd.Parameters["id"] == w.by.button && w.by.approved != "" {
		w.by.pressed = true
	}
	w.by.mu.Unlock()
	return w.Desktop.Execute(ctx, cmd)
}
