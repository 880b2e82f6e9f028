package round

import (
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/blackboard/plan"
)

// plan is what the first agent planned in this round, without secrets. An agent
// says so itself: on the blackboard there may be the plan of somebody else's round.
func (r *Round) plan() plan.Plan {
	planner, ok := r.start.(interface{ Plan() plan.Plan })
	if !ok || !r.begun {
		return nil
	}
	var p plan.Plan
	err := guard(func() error {
		p = planner.Plan().Clone()
		return nil
	})
	if err != nil {
		return nil // the result of a round is there whatever its agents do
	}
	for i := range p {
		e := &p[i]
		e.ID, e.Task, e.Application = r.meter.Scrub(e.ID), r.meter.Scrub(e.Task), r.meter.Scrub(e.Application)
		for n, id := range e.DependsOn {
			e.DependsOn[n] = r.meter.Scrub(id)
		}
	}
	return p
}

// closePlanned says in the plan on the blackboard that a sub-task did not finish,
// which the Round closed in its agent's place.
func (r *Round) closePlanned(subtask string) error {
	// An agent of another kind may keep something else there, or nothing.
	p, ok, err := blackboard.Plan.Get(r.board)
	if ok && err == nil {
		if closed, planned := p.Close(subtask, false); planned {
			return blackboard.Plan.Put(r.board, closed)
		}
	}
	return nil
}
