package shop

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

// sender judges the one act that a person must allow, and remembers what was allowed.
type sender struct {
	shop desktop.Desktop // the browser of the supplier
	rest processor.Policy
	user processor.User // nil: nobody

	mu       sync.Mutex
	asked    string // the order that the last question is about
	approved string // the order that was approved and not sent yet
	times    []time.Time
}

// judge is the policy of the supplier. Pressing the button needs a person's yes, who
// is told which order it is; with a yes it is pressed only while the page shows that
// same order.
func (s *sender) judge(ctx context.Context, tool desktop.Tool, cmd desktop.Command) processor.Verdict {
	control, seen := processor.ControlOf(ctx)
	if !seen || cmd.ToolName != desktop.ClickInput || control.Type != "button" || control.Name != sendButton {
		return s.rest(ctx, tool, cmd)
	}
	shown, err := desktop.UITree(ctx, s.shop)
	if err != nil {
		return deny("the order that would be sent cannot be seen")
	}
	order := review(shown)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch approved := s.approved; {
	case order == "":
		return deny("the page does not show which order would be sent")
	case approved != "" && approved != order:
		s.approved = ""
		return deny("the page shows another order than was approved")
	}
	s.asked = order
	return processor.Verdict{Action: processor.Confirm, Reason: "it sends a binding order. The page shows " + order}
}

// Ask asks the person, and remembers a yes.
func (s *sender) Ask(ctx context.Context, q processor.Question) (processor.Answer, error) {
	if s.user == nil {
		return processor.Answer{}, processor.ErrNobody
	}
	answer, err := s.user.Ask(ctx, q)
	if err == nil && answer.Approved && q.Command != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.approved = s.asked
		s.times = append(s.times, time.Now())
	}
	return answer, err
}

// first is when an order was approved for the first time, and how often one was.
func (s *sender) first() (at time.Time, times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.times) > 0 {
		at = s.times[0]
	}
	return at, len(s.times)
}

var referenceIs = regexp.MustCompile(`^Reference: (.+)$`)

// review is what a page says that would be ordered, "" when it does not say.
func review(controls []desktop.Control) string {
	var reference, caption string
	var rows []string
	var walk func([]desktop.Control)
	walk = func(list []desktop.Control) {
		for _, c := range list {
			switch found := referenceIs.FindStringSubmatch(c.Value); {
			case c.Type == "paragraph" && found != nil && reference == "":
				reference = found[1]
			case c.Type == "caption":
				caption = c.Value
			case c.Type == "row" && caption == "What will be ordered":
				rows = append(rows, c.Value)
			}
			walk(c.Children)
		}
	}
	walk(controls)
	if reference == "" || len(rows) < 2 { // the first has the names of the columns
		return ""
	}
	return fmt.Sprintf("reference %s and %s: %s", reference, rows[0], strings.Join(rows[1:], "; "))
}
