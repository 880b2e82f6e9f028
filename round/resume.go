package round

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/records"
)

// Resume rebuilds the session whose run a journal has, mostly in another process:
// the agents with their memory, the blackboard, the position, and what was used of
// each bound. host is a new agent, made as the first one was: of the same kind, with
// the same name, and with the methods Restore and, where the journal has changes,
// Apply. opts are those of the session; they are not in the journal. Its Journal is j.
//
// [Session.Round] is the round to go on with: Run and Steps begin where it was
// interrupted. One that ended has its Result.
//
// One session at a time drives a run. Until the round ends or stops, or [Session.Close],
// everybody else who wants to gets a journal.ErrDriven, in other processes as well; [TakeOver]
// does not. A process that dies gives its runs back. What Resume itself records, it does with the
// first record that matters: to look whether a suspended run can go on leaves nothing.
//
// The step that was under way is handled again. What was recorded of it is given
// back: no model call, answer or command is made again whose outcome the journal has.
// A command that was begun, and whose outcome it does not have, is not executed
// again: its agent gets a failure which says so, and can look. See the package
// comment for all of it.
//
// Errors are [ErrNoRun]; journal.ErrDriven; an [*AgentError] over [ErrNotResumable] for another host, or
// an agent that cannot be made again; a *fsm.UnknownStatusError where a table has no
// such status any more; journal.ErrVersion and journal.ErrDamaged; the error of an
// agent's or the blackboard's Apply; and those of the store. Nothing was done then,
// but host and its blackboard are of no use any more, except after ErrNoRun.
func Resume(ctx context.Context, host fsm.Worker, j *Journal, opts *Options) (*Session, error) {
	return openRun(ctx, host, j, opts, opening{})
}

// Open is [Resume], or [NewSession] where the journal has no such run yet: then the
// session's Round is nil, and its first Run begins the run.
func Open(ctx context.Context, host fsm.Worker, j *Journal, opts *Options) (*Session, error) {
	return openRun(ctx, host, j, opts, opening{begins: true})
}

// round makes the round that can go on.
func (b *rebuild) round(ctx context.Context) error {
	r, err := newRound(b.host, b.begin.Request, &b.session.options, b.session)
	if err != nil {
		return err
	}
	r.first, b.session.rounds = b.begin.First, b.rounds
	r.history.before = b.history
	if b.last != nil {
		if err := b.place(ctx, r); err != nil {
			return err
		}
		b.used(r)
	}
	for _, n := range b.spent {
		r.meter.paidBefore(n)
	}
	r.meter.touched = true
	switch {
	case b.end != nil:
		res := Result{Outcome: Outcome(b.end.Outcome), Status: b.end.Status, Answer: b.end.Answer, Reason: b.end.Reason}
		if res.Outcome != Finished {
			res.Err = r.outcomeError(res.Outcome, res.Status, res.Reason, recorded(b.end.Err))
		}
		r.seal(res)
	case b.stopped:
		res := Result{Outcome: Outcome(b.last.Outcome), Reason: b.last.Reason}
		var cause error
		if res.Outcome == Suspended {
			res.Waits = r.meter.stillAsked(b.j.asked)
			cause = &SuspendedError{Questions: res.Waits, Err: &RecordedError{Text: res.Reason, errs: []error{fsm.ErrSuspend}}}
		}
		res.Err = r.outcomeError(res.Outcome, r.bound.Status(), res.Reason, cause)
		r.result = res
	}
	b.session.board.Track()
	b.session.current = r
	j := b.j
	j.at = placeOf(r.agent, r.bound.Status())
	j.owner, j.current, j.claim, j.seq = b.host, r, true, b.scan.Seq
	j.tape.cuts = b.cuts
	if b.stopped {
		j.stoppedAs(b.last)
	}
	return nil
}

// place puts the agents where they stood.
func (b *rebuild) place(ctx context.Context, r *Round) error {
	r.begun, r.held = b.last.Begun, b.last.Held
	var stack []fsm.Agent
	for _, at := range b.last.Stack {
		agent, bound, err := b.stand(ctx, at)
		if err != nil {
			return err
		}
		if slices.Contains(stack, agent) {
			return b.damaged("an agent is twice in its position")
		}
		stack = append(stack, agent)
		r.names[agent.Name()] = agent
		r.agent, r.bound = agent, bound
	}
	r.stack = stack[:len(stack)-1]
	if r.held {
		r.history.add(r.agent, r.bound)
	}
	if b.last.Returned == nil {
		return nil
	}
	by, _, err := b.stand(ctx, *b.last.Returned)
	if err != nil {
		return err
	}
	r.returned = by
	if host, ok := r.agent.(fsm.ReturnHandler); ok {
		host.Returned(by)
	}
	return nil
}

// stand returns an agent with its state, where it stood.
func (b *rebuild) stand(ctx context.Context, at records.Place) (fsm.Agent, *fsm.Bound, error) {
	agent, err := b.agent(ctx, at.Agent, 0)
	if err != nil {
		return nil, nil, err
	}
	if kind := agent.States().Kind(); kind != at.Kind {
		return nil, nil, otherKind(at.Agent, at.Kind, kind)
	}
	bound := agent.States().Bind(at.Status)
	if !bound.Known() {
		return nil, nil, &fsm.UnknownStatusError{Kind: at.Kind, Status: at.Status, Known: agent.States().Statuses()}
	}
	if agent.Status() != at.Status {
		agent.SetStatus(at.Status)
	}
	if agent.Decision() != at.Decision {
		decider, ok := agent.(fsm.Decider)
		if !ok && b.last.Held {
			return nil, nil, &AgentError{Agent: at.Agent, Err: ErrNotResumable, text: "what it decided last is not in its snapshot, and it has no method Decide"}
		}
		if ok {
			decider.Decide(at.Decision.To, at.Decision.By, at.Decision.Reason)
		}
	}
	return agent, bound, nil
}

// agent returns an agent by its name: the first one, or one that is made again by
// who handed over to it.
func (b *rebuild) agent(ctx context.Context, name string, depth int) (fsm.Agent, error) {
	if name == b.host.Name() {
		return b.host, nil
	}
	if agent, made := b.made[name]; made {
		return agent, nil
	}
	by, known := b.makers[name]
	if !known || depth > len(b.makers) {
		return nil, b.damaged("nobody is known who makes an agent of the position")
	}
	from, err := b.agent(ctx, by, depth+1)
	if err != nil {
		return nil, err
	}
	var worker fsm.Worker
	if m, ok := from.(fsm.WorkerProvider); ok {
		worker, err = m.Worker(ctx, name)
	} else {
		err = errNoWorker
	}
	if err == nil {
		err = checkAgent(by, worker)
	}
	if err == nil && worker.Name() != name {
		err = errOtherName
	}
	if err != nil {
		return nil, &AgentError{
			Agent: name, Err: fmt.Errorf("%w: %w", ErrNotResumable, err),
			text: fmt.Sprintf("%s cannot make it again: %s", by, textOf(err)),
		}
	}
	b.made[name] = worker
	return worker, nil
}

var (
	errNoWorker  = errors.New("it has no method Worker")
	errOtherName = errors.New("it makes one of another name")
)

func otherKind(agent, was, is string) error {
	return &AgentError{Agent: agent, Err: ErrNotResumable, text: fmt.Sprintf("it is a %q now, and was a %q", is, was)}
}

// used gives the round what was used of its bounds.
func (b *rebuild) used(r *Round) {
	n, m := b.last, &r.meter
	m.transitions, m.steps, m.calls, m.usage, m.cost = n.Used.Transitions, n.Used.Steps, n.Used.Calls, n.Used.Usage, n.Used.Cost
	b.session.used.steps, b.session.used.usage, b.session.used.cost = n.Session.Steps, n.Session.Usage, n.Session.Cost
	r.spent = time.Duration(n.Spent)
	m.repeats.last, m.repeats.seen = n.Last, b.repeats
	if now := n.Now; now != nil {
		m.tries, m.kept = now.Tries, true
		m.now.calls, m.now.usage, m.now.cost, m.now.model = now.Calls, now.Usage, now.Cost, now.Model
		m.repeats.acted, m.repeats.did = now.Acted, now.Did
		for _, mark := range now.Saw {
			m.repeats.add(deed{looks: true, mark: mark})
		}
		m.used.Store(true)
	}
}

// Diverged returns how the last step that was handled again after [Resume] differed
// from its recording; nil: it did not. Nothing more of the recording was given back
// from there on, and what the step did, it did anew. Where commands had been
// executed in the part that was dropped, its agent was refused every further command
// until it was told of them.
func (r *Round) Diverged() *DivergedError {
	if r.journal == nil {
		return nil
	}
	r.journal.mu.Lock()
	defer r.journal.mu.Unlock()
	return r.journal.diverged
}
