package processor

import "github.com/agentfsm/agentfsm/fsm"

// Allowed returns the statuses that a model may write where the agent stands:
// what its table has for ByModel, never nil. It is the usual value of
// [Inquiry].Allowed.
// It reaches the table through the agent, so a method that calls it can be a
// cell of that table without an initialization cycle.
func Allowed(agent fsm.Agent) []fsm.Status {
	// Not nil: no status is something else than any status.
	return append([]fsm.Status{}, agent.States().Bind(agent.Status()).Targets(fsm.ByModel)...)
}
