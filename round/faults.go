package round

import (
	"context"
	"errors"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
)

// What the error of a Handle means: the round waits, goes to FAIL, or is at fault.

// suspends reports whether a Handle waits for an answer from elsewhere. A panic
// of a round inside it is a fault, whatever the value.
func suspends(err error) bool {
	var panicked *PanicError
	return errors.Is(err, fsm.ErrSuspend) && !errors.As(err, &panicked)
}

// lostElsewhere reports whether an error says that another run cannot be recorded, such as that of a round inside a
// Handle. That run can go on later, and so can this one: it stops, or where it has acted already is lost itself.
func lostElsewhere(err error) bool {
	var panicked *PanicError
	return errors.Is(err, ErrLost) && !errors.As(err, &panicked)
}

// waitsOut reports whether a Handle is to be tried again later instead of being at
// fault: Options.SuspendOn says so, and it has not sent a command yet that acts.
func (r *Round) waitsOut(err error) bool {
	on := r.options.Load().SuspendOn
	return on != nil && !r.meter.acted() && on(err)
}

// toError makes a step of a fault. An agent without ERROR, or at fault in it,
// ends the round where it stands; so does ERROR where it ends anything.
func (r *Round) toError(fault error) {
	step := &r.meter.step
	step.To, step.By, step.Err, step.Reason = fsm.Error, fsm.ByFault, fault, textOf(fault)
	step.NextAgent = step.Agent
	if r.pos.bound.Status() == fsm.Error || !r.pos.enterError() || r.pos.bound.Terminal() {
		r.fault = fault
	}
}

// toFail leads to FAIL where a Handle returned the error of people.Ask as it is: that
// there is nobody to ask is no fault. Wrapped in other words it is one. Like a return it is exempt from the table. It reports
// whether it led there: the agent needs a FAIL that ends, and a method Decide.
func (r *Round) toFail(ctx context.Context, err error) bool {
	at := r.pos.bound.Status()
	if err != people.ErrNobody || !r.pos.begun || at == fsm.Fail || at == fsm.Error { //nolint:errorlint // what is joined with it is a fault
		return false
	}
	decision, stop := people.Unanswered(ctx, err)
	told, ok := r.pos.agent.(fsm.Decider)
	bound := r.pos.agent.States().Bind(fsm.Fail)
	if stop != nil || !ok || bound.Err() != nil || !bound.Terminal() {
		return false
	}
	told.Decide(decision.To, decision.By, decision.Reason)
	r.pos.enter(r.pos.agent, bound)
	if r.meter.watched {
		r.arrived(decision.By, decision.Reason)
	}
	return true
}
