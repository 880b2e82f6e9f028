package acting_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
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

var errBroken = errors.New("broken")

// sink keeps what a step reports, as a Round does.
type sink struct {
	untimed   bool
	phases    []string
	decisions []any
	repairs   []llm.Repair
	refused   []string
	verdicts  []trace.Verdict
	masked    []desktop.Command
	secrets   []string
}

func (s *sink) Timed() bool                        { return !s.untimed }
func (s *sink) Phase(name string, _ time.Duration) { s.phases = append(s.phases, name) }
func (s *sink) Decision(v any)                     { s.decisions = append(s.decisions, v) }
func (s *sink) Repaired(repairs []llm.Repair)      { s.repairs = append(s.repairs, repairs...) }
func (s *sink) Refused(problem error)              { s.refused = append(s.refused, problem.Error()) }
func (s *sink) Verdict(v trace.Verdict)            { s.verdicts = append(s.verdicts, v) }
func (s *sink) Secrets(masked, _ desktop.Command, values []string) {
	s.masked, s.secrets = append(s.masked, masked), append(s.secrets, values...)
}
