package processor_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
)

// person gives these answers in order, keeps what it was asked, and then is away.
type person struct {
	answers []any // a string, a bool, an error or a func
	asked   []people.Question
}

func (p *person) Ask(ctx context.Context, q people.Question) (people.Answer, error) {
	p.asked = append(p.asked, q)
	if len(p.answers) == 0 {
		<-ctx.Done()
		return people.Answer{}, ctx.Err()
	}
	next := p.answers[0]
	p.answers = p.answers[1:]
	switch v := next.(type) {
	case string:
		return people.Answer{Text: v}, nil
	case bool:
		return people.Answer{Approved: v}, nil
	case error:
		return people.Answer{}, v
	}
	return next.(func(context.Context, people.Question) (people.Answer, error))(ctx, q)
}

func answers(list ...any) *person { return &person{answers: list} }

// errSuspended is how a User says that the answer comes from elsewhere.
var errSuspended = fmt.Errorf("mail is out: %w", fsm.ErrSuspend)
