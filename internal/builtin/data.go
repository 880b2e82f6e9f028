package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
)

// Data is the part of an agent's data that both kinds have, in its stable JSON
// form. They embed it.
type Data struct {
	// Of the agent.
	Steps  int           `json:"steps"`
	Memory acting.Memory `json:"memory"`

	// Of its task.
	Answers        []acting.Entry  `json:"answers,omitempty"`
	LastError      string          `json:"last_error,omitempty"`
	Answer         string          `json:"answer,omitempty"`
	Result         json.RawMessage `json:"result,omitempty"`
	Did            bool            `json:"did,omitempty"` // something, for this task
	acting.Waiting                 // what it waits for from a person
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
func (d *Data) Act(ctx context.Context, actor *acting.Actor, acts []acting.Act, said Said) (acting.Performance, fsm.Decision, error) {
	wish := fsm.Decision{To: said.Status, By: fsm.ByModel, Reason: said.Comment}
	p, next, err := d.Perform(ctx, actor, acts, wish)
	d.LastError = p.Problem()
	d.did(p)
	return p, next, err
}

// did notes that something was done for the task.
func (d *Data) did(p acting.Performance) {
	for i := range p.Acted {
		d.Did = d.Did || p.Acted[i].Result.Status == desktop.Success
	}
}

var errBare = errors.New("FINISH without a Result, a Comment, or anything that was done: write what came of it into Result, or do it first")

// Bare says that a FINISH claims an end of which there is nothing to see: no word, no
// act, no sub-task. Models write that when they have not understood.
func (d *Data) Bare(said Said, acts int) error {
	if said.Status != fsm.Finish || acts > 0 || d.Did || strings.TrimSpace(said.Comment) != "" {
		return nil
	}
	var text any = ""
	if len(said.Result) > 0 && json.Unmarshal(said.Result, &text) != nil {
		return nil //nolint:nilerr // something is there
	}
	if words, isText := text.(string); text == nil || isText && strings.TrimSpace(words) == "" {
		return errBare
	}
	return nil
}

// Settle keeps what the state needs in which a decision leads. Approvals are
// kept already.
func (d *Data) Settle(said Said, next fsm.Decision, newID func() string) {
	switch next.To {
	case fsm.Pending:
		d.Interview = acting.NewInterview(said.Questions, said.Comment, newID)
	case fsm.Confirm:
		if d.Approval == nil {
			d.GoOn = &acting.GoOn{ID: newID(), Comment: said.Comment}
		}
	case fsm.Finish:
		d.Answer, d.Result = acting.Outcome(said.Result, said.Comment)
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
