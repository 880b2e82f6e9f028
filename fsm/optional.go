package fsm

import (
	"context"
	"encoding/json"
)

// The interfaces of this file are optional: an agent that has such a method does
// more, one without it is complete. Whoever calls the method finds it by a type
// assertion. A kind says which of them it has, so that the compiler compares the
// signatures:
//
//	var _ fsm.DataProvider = (*Clerk)(nil)
//
// All of them are called by the one goroutine that uses the agent. Package fsmtest
// reports a method that has the name and another signature: nobody would call it.

// Decider is an agent whose decision others can set, as everyone can who embeds
// [Position]. A Round sets it when it goes to FAIL because nobody is there to ask,
// and when it resumes a run.
type Decider interface {
	// Decide records where the agent wants to go. The last call counts.
	Decide(to Status, by Cause, reason string)
}

// DataProvider is a [Worker] whose result is more than a text.
type DataProvider interface {
	// Data returns the result of the last task as JSON, nil while there is none.
	// Whoever handed the task over asks for it when the worker has finished,
	// such as a host for the sub-task's result. Without Data, Answer is the
	// result, as a JSON string.
	Data() json.RawMessage
}

// Requester is an agent that works on a person's request and hands over parts of
// it. In [Worker].Begin a worker may ask its Task.From.
type Requester interface {
	// Request returns what the person asked for.
	Request() string
}

// ReturnHandler is an agent that hands work over and wants to know who came back
// with it: that may be another agent, which took the worker's place.
type ReturnHandler interface {
	// Returned is called when control comes back, before the agent is moved to
	// CONTINUE. A Round that is resumed between that step and the next one calls
	// it again, on the restored agent. It has no effects outside of the agent.
	Returned(by Agent)
}

// SubtaskCloser is an agent that opens sub-tasks on the blackboard and keeps an
// account of them besides, such as a plan.
type SubtaskCloser interface {
	// CloseSubtasks ends the sub-tasks of the agent that are open, because the
	// round is over. They ended in status, for that reason, unless the agent
	// knows better: because control was back, and it had not come to say so. A
	// Round that ends, or is given up, calls it for each agent that had control,
	// and closes itself what is still open on its blackboard then. An error
	// makes the round end as ERROR.
	CloseSubtasks(status Status, reason string) error
}

// Planner is an agent that knows what it will hand over later.
type Planner interface {
	// Planned returns how many pieces of work are planned and were not handed
	// over yet. A Round calls it for its first agent, for the progress in each
	// step that somebody watches.
	Planned() int
}

// WorkerProvider is an agent that makes the workers to which it hands over. A run
// with a journal needs it of every agent that hands over. What it saves has them, too:
// a run is lost while an agent works that is not among the [Saved].Workers of the one that
// handed over to it. One that gave control back may be left out.
type WorkerProvider interface {
	// Worker returns the worker of that name with what it knew, and makes it
	// again where this process has not made it yet. round.Restore calls it for each
	// worker that had control, after the agent itself has loaded what it saved.
	Worker(ctx context.Context, name string) (Worker, error)
}

// Saver is an agent with which another process can go on. A run with a journal needs
// it of every agent that gets control. For a kind whose data is a struct with exported
// fields it takes two lines; a list that grows belongs into Logs:
//
//	func (c *Clerk) Save() (fsm.Saved, error)  { return fsm.SaveState(c.data) }
//	func (c *Clerk) Load(saved fsm.Saved) error { return saved.LoadState(&c.data) }
type Saver interface {
	// Save returns all that the agent knows. It changes nothing, and is called after
	// each step. The position need not be in it: a Round keeps that.
	Save() (Saved, error)
	// Load replaces what a new agent knows by what another one saved. It takes all of
	// it or, with an error, leaves the agent as it was.
	Load(saved Saved) error
}

// Closer is an agent that holds something until its session is over.
type Closer interface {
	// Close gives it back. A Session calls it for its first agent, once, when no
	// round is driven; a host calls it for the workers that it made. Close stops
	// when ctx is done.
	Close(ctx context.Context) error
}
