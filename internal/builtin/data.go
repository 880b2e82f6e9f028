package builtin

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/blackboard/plan"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/processor"
)

// Data is the part of an agent's data that both kinds have, in its stable JSON
// form. They embed it.
type Data struct {
	// Of the agent.
	Steps  int              `json:"steps"`
	Memory processor.Memory `json:"memory"`

	// Of its task.
	Plan              plan.Plan         `json:"plan,omitempty"`
	Answers           []processor.Entry `json:"answers,omitempty"`
	LastError         string            `json:"last_error,omitempty"`
	Answer            string            `json:"answer,omitempty"`
	Result            json.RawMessage   `json:"result,omitempty"`
	processor.Waiting                   // what it waits for from a person
}

// Next returns what is left for the next task: the memory.
func (d *Data) Next() Data { return Data{Steps: d.Steps, Memory: d.Memory} }

// Said is what a decision says besides its acts.
type Said struct {
	Status    fsm.Status
	Comment   string
	Questions []string
	Result    json.RawMessage
}

// Act executes the acts of a decision and returns where to go. Unless an act
// needs approval or failed, that is where the decision leads, and what the state
// there needs is kept.
func (d *Data) Act(ctx context.Context, actor *processor.Actor, acts []processor.Act, said Said) (processor.Performance, fsm.Decision, error) {
	wish := fsm.Decision{To: said.Status, By: fsm.ByModel, Reason: said.Comment}
	p, next, err := d.Perform(ctx, actor, acts, wish)
	d.LastError = p.Problem()
	return p, next, err
}

// Settle keeps what the state needs in which a decision leads. Approvals are
// kept already.
func (d *Data) Settle(said Said, next fsm.Decision, newID func() string) {
	switch next.To {
	case fsm.Pending:
		d.Interview = processor.NewInterview(said.Questions, said.Comment, newID)
	case fsm.Confirm:
		if d.Approval == nil {
			d.GoOn = &processor.GoOn{ID: newID(), Comment: said.Comment}
		}
	case fsm.Finish:
		d.Answer, d.Result = processor.Outcome(said.Result, said.Comment)
	default:
	}
}

// NotFull returns the error of a note on the blackboard, but nil where the board
// has no room for it or does not take it. What was done is done without the
// note, and a board that stays full must not fail every later step.
func NotFull(err error) error {
	if errors.Is(err, blackboard.ErrFull) || errors.Is(err, blackboard.ErrNotSerialisable) {
		return nil
	}
	return err
}
