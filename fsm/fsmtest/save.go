package fsmtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"

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
		return []string{fmt.Sprintf("a new agent that loaded %s saves %s: another process would not go on with what it had", clip(before), clip(after))}
	}
	if problem := s.findUnread(had, before); problem != "" {
		return []string{problem}
	}
	if err := other.(fsm.Saver).Load(fsm.Saved{State: json.RawMessage(`{"`)}); err == nil {
		return []string{`Load takes a State that is no JSON: a record that is damaged would go unnoticed`}
	}
	if after, err := saved(other); err != nil || string(after) != string(before) {
		return []string{fmt.Sprintf("a Load that fails changes the agent from %s to %s", clip(before), clip(after))}
	}
	return nil
}

// findUnread says which part of what an agent saves Load does not read: without it, the agent that newAgent
// makes with data saves the same.
func (s *subject) findUnread(had fsm.Saved, all []byte) string {
	same := func(less fsm.Saved) bool {
		other := s.newAgent()
		if other.(fsm.Saver).Load(less) != nil {
			return false // it read that something is missing
		}
		after, err := saved(other)
		return err == nil && bytes.Equal(after, all)
	}
	for name, log := range had.Logs {
		less := had
		less.Logs = maps.Clone(had.Logs)
		delete(less.Logs, name)
		if len(log.Items) > 0 && same(less) {
			return fmt.Sprintf("Load does not read the log %q: what is in it is lost when another process goes on", name)
		}
	}
	for name := range had.Workers {
		less := had
		less.Workers = maps.Clone(had.Workers)
		delete(less.Workers, name)
		if same(less) {
			return fmt.Sprintf("Load does not read what the worker %q knows: it is lost when another process goes on", name)
		}
	}
	return ""
}
