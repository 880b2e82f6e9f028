package builtin

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
)

// Data is the part of an agent's data that both kinds have, in its stable JSON
// form. They embed it.
type Data struct {
	Steps int `json:"steps"`
	acting.Work
	Proving
	Knowledge Known `json:"knowledge,omitzero"`
}

// Next returns what is left for the next task: the memory.
func (d *Data) Next() Data { return Data{Steps: d.Steps, Work: d.Work.Next()} }

var errBare = errors.New("FINISH is too early: you have done nothing, and Result is empty; do the task, or write the answer into Result")

// Bare says that a FINISH claims an end of which there is nothing to see: no word, no
// act, no sub-task. Models write that when they have not understood.
func (d *Data) Bare(wish acting.Wish, acts bool) error {
	if wish.To != fsm.Finish || acts || d.Did || strings.TrimSpace(wish.Reason) != "" {
		return nil
	}
	var text any = ""
	if len(wish.Result) > 0 && json.Unmarshal(wish.Result, &text) != nil {
		return nil //nolint:nilerr // something is there
	}
	if words, isText := text.(string); text == nil || isText && strings.TrimSpace(words) == "" {
		return errBare
	}
	return nil
}

// Doubting returns a check of decisions that asks doubt after check, and that only for the first
// decision that passes check. doubt may be mistaken: what the model says then counts.
func Doubting[T any](check, doubt func(decision T) error) func(decision T) error {
	doubted := false
	return func(decision T) error {
		if err := check(decision); err != nil || doubted {
			return err
		}
		doubted = true
		return doubt(decision)
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
