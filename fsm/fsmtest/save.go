package fsmtest

import (
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/fsm"
)

// saved returns what an agent saves, as JSON; nil of one that is no fsm.Saver.
func saved(a fsm.Agent) ([]byte, error) {
	s, ok := a.(fsm.Saver)
	if !ok {
		return nil, nil
	}
	all, err := s.Save()
	if err != nil {
		return nil, fmt.Errorf("its Save fails: %w", err)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("what it saves is no JSON: %w", err)
	}
	return raw, nil
}

// findUnsaved checks that a new agent is what another one was, once it has loaded what that saved, and
// that it stays what it is where it cannot load.
func (s *subject) findUnsaved(a fsm.Agent) []string {
	from, ok := a.(fsm.Saver)
	if !ok {
		return nil
	}
	had, err := from.Save()
	if err != nil {
		return []string{fmt.Sprintf("its Save fails: %v", err)}
	}
	before, err := saved(a)
	if err != nil {
		return []string{err.Error()}
	}
	other := s.newAgent()
	if err := other.(fsm.Saver).Load(had); err != nil {
		return []string{fmt.Sprintf("Load refuses what Save returned: %v", err)}
	}
	if after, err := saved(other); err != nil || string(after) != string(before) {
		return []string{fmt.Sprintf("a new agent that loaded %s saves %s: what is missing is lost when another process goes on", clip(before), clip(after))}
	}
	if err := other.(fsm.Saver).Load(fsm.Saved{State: json.RawMessage(`{"`)}); err == nil {
		return []string{`Load takes a State that is no JSON: a record that is damaged would go unnoticed`}
	}
	if after, err := saved(other); err != nil || string(after) != string(before) {
		return []string{fmt.Sprintf("a Load that fails changes the agent from %s to %s", clip(before), clip(after))}
	}
	return nil
}
