package fsm

import (
	"context"
	"encoding/json"
)

// Agent is what a Round drives: a name, a set of states and a position in it.
// Embed [Position] for the last three methods. An agent is used by one
// goroutine at a time and must be comparable (a pointer).
type Agent interface {
	// Name is unique in a session and does not change.
	Name() string
	// States is the agent's Manager. It must be the same at every call.
	States() Set
	// Status is where the agent stands. "" means not started.
	Status() Status
	// SetStatus moves the agent. Only the Round calls it, after a step succeeded.
	SetStatus(Status)
	// Decision is what the last Handle wants.
	Decision() Decision
}

// Decision is the wish of a Handle: where to go, who is behind it and why.
type Decision struct {
	To     Status `json:"to,omitempty"`
	By     Cause  `json:"by,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Position holds an agent's status and decision. Embed it to get the methods
// of [Agent] that need no knowledge of the kind. Its zero value stands before
// the start.
type Position struct {
	status Status
	to     Status
	reason string
	by     Cause
}

// Status returns where the agent stands.
func (p *Position) Status() Status { return p.status }

// SetStatus moves the agent and clears the decision's To and By, so that a
// Handle which decides nothing cannot repeat an old wish. The reason stays
// until the next Decide, for whoever asks why the agent ended.
func (p *Position) SetStatus(s Status) {
	p.status = s
	p.to, p.by = "", 0
}

// Decision returns what the last Handle wants.
//
// It is kept as single fields and not inlined because a step asks for it right
// after it was written: inlined into the method of the embedding type it is
// copied twice in blocks of 16 bytes, each of which waits for two stores of 8.
// That took a third of a step.
//
//go:noinline
func (p *Position) Decision() Decision { return Decision{To: p.to, By: p.by, Reason: p.reason} }

// Decide records a wish. Handle calls it; the Round acts on it after Handle
// has returned without an error. The last call counts.
func (p *Position) Decide(to Status, by Cause, reason string) {
	p.to, p.by, p.reason = to, by, reason
}

// Settle records a decision that somebody else came to, unless that failed, and
// returns the error. A Handle that leaves the decision to a func ends with it:
//
//	return a.Settle(a.work.Confirm(ctx, …))
func (p *Position) Settle(d Decision, err error) error {
	if err == nil {
		p.Decide(d.To, d.By, d.Reason)
	}
	return err
}

// Worker is an agent that takes work: from a Round as the first agent, or
// from another agent's ASSIGN.
//
// A worker may implement more, which is found by assertion:
//
//	DataProvider             its result is JSON; else the answer is, as a JSON string
//	Closer                   it holds something until the session is over
//	blackboard.Holder        it shares its blackboard with the Round
//	hostagent.WindowSetter   it works in a window whose id or title may change
//
// An agent that hands work to others may also be a [Requester], a [ReturnHandler],
// a [SubtaskCloser], a [Planner], a [WorkerProvider] and a blackboard.SubtaskLister.
//
// So that a run can go on in another process, a worker is a [Saver].
type Worker interface {
	Agent
	// Begin hands over a task. It forgets the previous task's answer, keeps
	// the agent's memory and does not move the agent.
	Begin(ctx context.Context, task Task) error
	// Answer is the result for a person; "" while there is none.
	Answer() string
}

// Task is a piece of work for a [Worker].
type Task struct {
	ID      string          // unique in the session, "" in a Round's own task
	Text    string          // what is to be done
	Message string          // hints of whoever hands it over
	Context json.RawMessage // facts of whoever hands it over, an object; nil: none
	From    Agent           // who hands it over; nil: the Round
}
