package shop

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/rules"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// sender judges the one act that a person must allow, and remembers what was allowed
// and what was done.
type sender struct {
	shop      desktop.Desktop // the browser of the supplier
	reference string          // that the user gave
	rest      policies.Func
	user      people.User // nil: nobody

	mu       sync.Mutex
	asked    order // that the last question is about
	approved order // that was approved and not sent yet
	button   any   // the id of the button that was judged last
	pressed  bool  // it was, with an approval: whatever came of it, there may be an order
	accepted bool  // the dialog behind it was
	times    []time.Time
	allowed  order // that was approved last
}

// judge is the policy of the supplier. Pressing the button needs a person's yes, who
// is told which order it is; with a yes it is pressed only while the page shows that
// same order, and once: when nobody can say whether the order came, it is not sent
// another time.
func (s *sender) judge(ctx context.Context, tool desktop.Tool, cmd desktop.Command) policies.Verdict {
	control, seen := policies.ControlOf(ctx)
	if seen && cmd.ToolName == acceptDialog {
		return s.oncemore(control)
	}
	if !seen || cmd.ToolName != desktop.ClickInput || control.Type != "button" || control.Name != sendButton {
		if fills := cmd.ToolName == selectOption || cmd.ToolName == desktop.SetEditText; fills && s.wasPressed() {
			return deny(pressedAlready) // what would be filled in is another order
		}
		return s.rest(ctx, tool, cmd)
	}
	if odd(cmd) {
		return deny("only plain clicks are needed")
	}
	shown, err := desktop.UITree(ctx, s.shop)
	if err != nil {
		return deny("the order that would be sent cannot be seen")
	}
	order, problem := review(shown)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.button = nil
	switch approved := s.approved; {
	case s.pressed:
		return deny(pressedAlready)
	case problem != "":
		return deny("%s", problem)
	case order.reference != s.reference:
		return deny("the page shows another reference")
	case approved.text != "" && approved.text != order.text:
		s.approved.text = ""
		return deny("the page shows another order than was approved")
	}
	s.asked, s.button = order, cmd.Parameters["id"]
	return policies.Verdict{Action: policies.Confirm, Reason: "it sends a binding order: " + order.text}
}

const pressedAlready = "the button was pressed already, and there may be an order: " + rules.Final

func (s *sender) wasPressed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pressed
}

// oncemore judges a yes to a dialog of the page. The one that the page asks with when the
// button was pressed is the person's to answer, too, once.
func (s *sender) oncemore(dialog desktop.Control) policies.Verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.pressed || s.accepted || dialog.Type != confirmDialog {
		return deny("nobody has to say yes to a dialog")
	}
	return policies.Verdict{Action: policies.Confirm, Reason: fmt.Sprintf(
		"the page asks once more, %q, and then sends a binding order: %s", clip(dialog.Name), s.allowed.text)}
}

// watch notes the command that presses the button, before it is on its way: no answer
// says for sure that it did not arrive.
func (s *sender) watch(d desktop.Desktop) desktop.Desktop { return watched{d, s} }

type watched struct {
	desktop.Desktop

	by *sender
}

// Execute implements desktop.Desktop.
func (w watched) Execute(ctx context.Context, cmd desktop.Command) (desktop.Result, error) {
	w.by.executes(cmd)
	return w.Desktop.Execute(ctx, cmd)
}

func (s *sender) executes(cmd desktop.Command) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cmd.ToolName == acceptDialog {
		s.accepted = true
	}
	if cmd.ToolName == desktop.ClickInput && s.button != nil && cmd.Parameters["id"] == s.button && s.approved.text != "" {
		s.pressed = true
	}
}

// Ask asks the person, and remembers a yes.
func (s *sender) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	if s.user == nil {
		return people.Answer{}, people.ErrNobody
	}
	answer, err := s.user.Ask(ctx, q)
	if err == nil && answer.Approved && q.Command != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.approved, s.allowed = s.asked, s.asked
		s.times = append(s.times, time.Now())
	}
	return answer, err
}

// last is when an order was approved for the last time, how often one was, and which.
func (s *sender) last() (at time.Time, times int, allowed order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if times = len(s.times); times > 0 {
		at = s.times[times-1]
	}
	return at, times, s.allowed
}
