package blackboard

// The interfaces of this file are those optional ones of an agent that have a type
// of this package in their methods; see fsm.Worker for the others. Their methods
// are called by the one goroutine that uses the agent.

// Holder is an agent that has a blackboard. A Round whose first agent is one
// shares it, and refuses an Options.Board that is another one.
type Holder interface {
	// Board returns the same blackboard at every call; nil: the Round's will do.
	Board() *Board
}

// SubtaskLister is an agent that hands over sub-tasks. A worker that gets one may
// ask in Begin what was done before: fsm.Task.From is whoever hands it over.
type SubtaskLister interface {
	// Subtasks returns the sub-tasks of the request that is worked on, open and
	// closed, in the order in which they were opened.
	Subtasks() []Subtask
}
