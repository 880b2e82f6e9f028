package progress

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// leastPosition is how many columns a position gets before other parts are clipped.
const leastPosition = 16

// maxReason is how many columns of a reason a line has.
const maxReason = 300

// liveLine is where the round stands and what it used. The name of the agent is
// the first that is clipped, the status behind it the last.
func (p *Printer) liveLine(s *round.Step) string {
	name, status := clean(s.NextAgent), ":"+clean(string(s.To))
	rest := "  " + strings.Join(p.parts(s), "  ")
	if p.limit < 0 {
		return name + status + rest
	}
	limit := p.limit - 1 // a line that fills the last column wraps on some terminals
	room := max(limit-width(rest), leastPosition)
	return fit(fit(name, max(room-width(status), 1))+status+rest, limit)
}

// plainLine is one transition.
func (p *Printer) plainLine(s *round.Step) string {
	line := clean(s.String())
	if len(s.Refused) > 0 {
		line += fmt.Sprintf(", %s", plural(len(s.Refused), "refused reply", "refused replies"))
	}
	if s.Attempts > 1 {
		line += fmt.Sprintf(", attempt %d", s.Attempts)
	}
	if list := p.parts(s); len(list) > 0 {
		line += "; " + strings.Join(list, ", ")
	}
	if s.Reason != "" && (s.By == fsm.ByFault || s.To == fsm.Fail) {
		line += ": " + fit(clean(s.Reason), maxReason)
	}
	return line
}

// parts are what a round used so far.
func (p *Printer) parts(s *round.Step) []string {
	var list []string
	if text := p.subtask(s.Progress); text != "" {
		list = append(list, text)
	}
	return append(list, p.used(p.counts.steps, p.counts.tokens, p.counts.cost)...)
}

// subtask is "sub-task k of n": the open one, among those that are planned.
func (p *Printer) subtask(t round.Progress) string {
	n := p.counts.planned
	switch {
	case n == 0:
		return ""
	case t.Current == "":
		return fmt.Sprintf("%d of %d sub-tasks done", t.Finished+t.Failed, n)
	}
	return fmt.Sprintf("sub-task %d of %d", t.Opened, n)
}

func (p *Printer) used(steps, tokens int, cost float64) []string {
	var list []string
	switch {
	case p.maxSteps < 0 || steps > p.maxSteps:
		list = append(list, fmt.Sprintf("step %d", steps))
	default:
		list = append(list, fmt.Sprintf("step %d of %d", steps, p.maxSteps))
	}
	list = append(list, plural(tokens, "token", "tokens"))
	if cost != 0 {
		list = append(list, p.money(cost))
	}
	if p.elapsed {
		list = append(list, p.counts.elapsed.Truncate(time.Second).String())
	}
	return list
}

// money has cents, and more digits where a step costs less.
func (p *Printer) money(cost float64) string {
	unit := p.currency
	if unit == "" {
		unit = "cost "
	}
	if cost < 1 {
		return fmt.Sprintf("%s%.4f", unit, cost)
	}
	return fmt.Sprintf("%s%.2f", unit, cost)
}

// lastLine is a round's outcome.
func (p *Printer) lastLine(res *round.Result) string {
	line := clean(cmp.Or(string(res.Outcome), "UNFINISHED")) + " at " + clean(res.Agent+":"+string(res.Status))
	var list []string
	if n := len(res.Subtasks); n > 0 {
		finished := 0
		for _, t := range res.Subtasks {
			if t.Status == string(fsm.Finish) {
				finished++
			}
		}
		list = append(list, fmt.Sprintf("%d of %s finished", finished, plural(n, "sub-task", "sub-tasks")))
	}
	list = append(list, plural(res.Steps, "step", "steps"), plural(res.Usage.Total(), "token", "tokens"))
	if res.Cost != 0 {
		list = append(list, p.money(res.Cost))
	}
	if p.elapsed {
		list = append(list, p.counts.elapsed.Truncate(time.Second).String())
	}
	line += "; " + strings.Join(list, ", ")
	if res.Reason != "" && res.Outcome != round.Finished {
		line += ": " + fit(clean(res.Reason), maxReason)
	}
	return line
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
