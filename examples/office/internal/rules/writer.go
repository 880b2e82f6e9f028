package rules

import (
	"errors"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/reply"
	quick "github.com/agentfsm/agentfsm/examples/internal/rules"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/fsm"
)

// writer extracts the table that the request names, by the rules of the quickstart. Where several fit, a person says
// which.
func writer(p *prompt) reply.App {
	if d, ok := dialog(p); ok {
		return unexpected(p, d)
	}
	done := p.Done()
	if n := len(done); n > 0 && done[n-1].Status == desktop.Failure { // such as a document that loads
		last := done[n-1]
		switch {
		case failures(p) >= maxFailures:
			return givesUp(last.Error)
		case last.Tool == desktop.ClickInput || last.Tool == desktop.KeyboardInput: // of a dialog that went away by itself
			return wait(p, "The dialog is gone.")
		}
		return act("It may work once the document is there.", reply.Action{Function: last.Tool, Args: arguments(last)})
	}
	p.Request = p.wish.table
	for _, a := range p.Answers {
		p.Request += " " + a.Answer
	}
	d := quick.Word(&p.Prompt)
	if d.Status != fsm.Fail {
		return d
	}
	if err := unclear(p); err != nil && len(p.Answers) == 0 && p.Offers(fsm.Pending) {
		return reply.App{Status: fsm.Pending, Comment: d.Comment, Questions: []string{"Which table do you mean? " + strings.TrimPrefix(err.Error(), "table: ")}}
	}
	return never(d.Comment)
}

// unclear is the error of a request that more than one table fits.
func unclear(p *prompt) error {
	tables, next, err := quick.Listed(p.Done())
	if err != nil || next > 0 {
		return nil //nolint:nilerr // then that is the reason
	}
	if _, err = table.Choose(p.Request, tables); errors.Is(err, table.ErrSeveral) || errors.Is(err, table.ErrNotNamed) {
		return err
	}
	return nil
}
