package round

import (
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
)

// move asks the handled state, of the handled agent, for what is next. It runs
// under the recover of its caller and changes nothing before all is checked.
func (r *Round) move(agent fsm.Agent, b *fsm.Bound) error {
	to, by, next, err := b.Next(agent)
	if err != nil {
		return err
	}
	if r.meter.watched {
		step := &r.meter.step
		step.To, step.Reason, step.By = to, agent.Decision().Reason, by
	}
	stays := next == agent
	switch {
	case !stays:
		if err := checkAgent(agent.Name(), next); err != nil {
			return err
		}
		if b.Terminal() && len(r.stack) > 0 && next == r.stack[len(r.stack)-1] {
			return r.handBack()
		}
		return r.handOver(agent, b, next, to, by)
	case b.Terminal() && len(r.stack) > 0:
		return r.handBack()
	}
	return r.arrive(agent, b, agent, to, "", by)
}

// permits reports whether the table has the step. An edge to another agent that names
// no status leads to that agent's start.
func permits(b *fsm.Bound, next fsm.Agent, to fsm.Status, kind string, by fsm.Cause) bool {
	if b.PermitsBy(to, kind, by) {
		return true
	}
	if kind == "" {
		return false
	}
	start, ok := fsm.Start(next.States())
	return ok && start == to && b.PermitsBy("", kind, by)
}

// arrive moves next to that status, when the table has the step.
func (r *Round) arrive(agent fsm.Agent, b *fsm.Bound, next fsm.Agent, to fsm.Status, kind string, by fsm.Cause) error {
	if !permits(b, next, to, kind, by) {
		return b.Refuse(agent, to, next)
	}
	if kind != "" || to != b.Status() {
		if b = next.States().Bind(to); !b.Known() {
			return b.Refuse(agent, to, next)
		}
	}
	r.enter(next, b)
	return nil
}

// enter is the only place where an agent is moved by a step that succeeded.
func (r *Round) enter(next fsm.Agent, b *fsm.Bound) {
	if r.meter.watched {
		r.meter.step.NextAgent, r.meter.step.NextKind = next.Name(), next.States().Kind()
	}
	next.SetStatus(b.Status())
	r.agent, r.bound, r.returned = next, b, nil
}

// handOver gives control to another agent and remembers who gave it. A state
// that ends has nothing to come back to: whoever it names takes its place.
// Control that goes to somebody who waits below unwinds to there.
func (r *Round) handOver(agent fsm.Agent, b *fsm.Bound, next fsm.Agent, to fsm.Status, by fsm.Cause) error {
	name := next.Name()
	known, used := r.names[name]
	if used && known != next {
		return &AgentError{Agent: name, Err: ErrDuplicateName, text: "two agents have this name"}
	}
	if r.recorder != nil && !used {
		if err := r.comesBack(agent, next); err != nil {
			r.lose(err) // with an agent that can, the round goes on
			return err
		}
	}
	if err := r.arrive(agent, b, next, to, next.States().Kind(), by); err != nil {
		return err
	}
	if !used {
		r.names[name] = next
		if r.recorder != nil {
			if r.makers == nil {
				r.makers = map[string]string{}
			}
			r.makers[name] = agent.Name()
		}
	}
	if i := slices.Index(r.stack, next); i >= 0 {
		r.stack = r.stack[:i]
	} else if !b.Terminal() {
		r.stack = append(r.stack, agent)
	}
	return nil
}

// handBack returns control to whoever handed over, at CONTINUE. Like a fault it
// is exempt from the table. A fsm.ReturnHandler is told who came back: that may
// be another agent than it handed over to.
func (r *Round) handBack() error {
	to := r.stack[len(r.stack)-1]
	bound := to.States().Bind(fsm.Continue)
	if !bound.Known() {
		return &fsm.UnknownStatusError{Kind: to.States().Kind(), Status: fsm.Continue, Known: to.States().Statuses()}
	}
	if r.meter.watched {
		r.meter.step.To, r.meter.step.By = fsm.Continue, fsm.BySystem
	}
	if host, ok := to.(fsm.ReturnHandler); ok {
		host.Returned(r.agent)
	}
	by := r.agent
	r.enter(to, bound)
	r.stack = r.stack[:len(r.stack)-1]
	if r.recorder != nil {
		r.returned = by
	}
	return nil
}

// comesBack says whether an agent that gets control could be made again by who
// hands it over.
func (r *Round) comesBack(by, next fsm.Agent) error {
	if _, ok := by.(fsm.WorkerProvider); !ok {
		return notResumable(by.Name(), "it hands over in a round that is recorded, but has no method Worker that makes that agent again")
	}
	return keepable(next)
}
