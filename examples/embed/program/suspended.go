package program

import (
	"context"
	"errors"
	"fmt"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// mailbox is a people.User that never waits. It answers what has been answered, and suspends the round over everything
// else. A question that is asked again has the same id.
type mailbox struct {
	open    []people.Question
	answers map[string]people.Answer
}

func (m *mailbox) Ask(_ context.Context, q people.Question) (people.Answer, error) {
	if a, there := m.answers[q.ID]; there {
		return a, nil
	}
	m.open = append(m.open, q)
	return people.Answer{}, fmt.Errorf("waiting for the answer to %s: %w", q.ID, fsm.ErrSuspend)
}

// lookUp is another job, from the first step to the last.
func (o *office) lookUp(ctx context.Context, number int) error {
	r, err := o.round(fmt.Sprintf("look up order %d", number), setup{})
	if err != nil {
		return err
	}
	_, err = r.Run(ctx)
	return err
}

// putAside drives a round, its approval and another round from one goroutine. When nobody has answered yet Run returns
// round.ErrSuspended, holding nothing: the round lies in a variable until the answer is there, a minute later or a
// week. Run goes on where it stopped; what was done is not done again.
func (o *office) putAside(ctx context.Context) (round.Result, error) {
	mail := &mailbox{answers: map[string]people.Answer{}}
	refund, err := o.round("refund 5 euros of order 1002", setup{user: mail})
	if err != nil {
		return round.Result{}, err
	}
	res, err := refund.Run(ctx)
	if !errors.Is(err, round.ErrSuspended) {
		return res, errors.Join(errNotReached, err)
	}
	o.say("    put aside at %s:%s", res.Agent, res.Status)

	o.say("    meanwhile")
	if err := o.lookUp(ctx, 1003); err != nil {
		return res, err
	}

	for errors.Is(err, round.ErrSuspended) {
		for _, q := range mail.open {
			mail.answers[q.ID] = o.decide(q)
		}
		mail.open = nil
		res, err = refund.Run(ctx)
	}
	return res, err
}
