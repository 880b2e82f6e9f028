package fsmtest

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/agentfsm/agentfsm/fsm"
)

// saved returns what an agent saves, as JSON, or "" if it is no fsm.Saver.
func saved(a fsm.Agent) (string, error) {
	s, ok := a.(fsm.Saver)
	if !ok {
		return "", nil
	}
	all, err := s.Save()
	if err != nil {
		return "", fmt.Errorf("its Save fails: %w", err)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return "", fmt.Errorf("what it saves is no JSON: %w", err)
	}
	return string(raw), nil
}

// findUnsaved checks that a new agent that loads what another one saved equals that,
// and that a Load that fails changes nothing.
func findUnsaved(s *subject) []string {
	from, ok := s.newAgent().(fsm.Saver)
	if !ok {
		return nil
	}
	all, err := from.Save()
	if err != nil {
		return []string{fmt.Sprintf("its Save fails: %v", err)}
	}
	before, err := saved(from.(fsm.Agent))
	if err != nil {
		return []string{err.Error()}
	}
	other := s.newAgent()
	if err := other.(fsm.Saver).Load(all); err != nil {
		return []string{fmt.Sprintf("Load refuses what Save returned: %v", err)}
	}
	if after, err := saved(other); err != nil || after != before {
		return []string{fmt.Sprintf("a new agent that loaded %q saves %q", clip(before), clip(after))}
	}
	if problem := s.findUnread(all, before); problem != "" {
		return []string{problem}
	}
	if err := other.(fsm.Saver).Load(fsm.Saved{State: json.RawMessage(`{"`)}); err == nil {
		return []string{"Load takes a State that is no JSON: damage to a record would go unnoticed"}
	}
	if after, err := saved(other); err != nil || after != before {
		return []string{fmt.Sprintf("a Load that fails changes the agent from %q to %q", clip(before), clip(after))}
	}
	return nil
}

// findUnread names a log or a worker that Load does not read: without it, a new agent loads and saves the same.
func (s *subject) findUnread(all fsm.Saved, before string) string {
	same := func(less fsm.Saved) bool {
		other := s.newAgent()
		if other.(fsm.Saver).Load(less) != nil {
			return false // it noticed
		}
		after, err := saved(other)
		return err == nil && after == before
	}
	for name, log := range all.Logs {
		less := all
		less.Logs = maps.Clone(all.Logs)
		delete(less.Logs, name)
		if len(log.Items) > 0 && same(less) {
			return fmt.Sprintf("Load does not read the log %q", name)
		}
	}
	for name := range all.Workers {
		less := all
		less.Workers = maps.Clone(all.Workers)
		delete(less.Workers, name)
		if same(less) {
			return fmt.Sprintf("Load does not read the data of the worker %q", name)
		}
	}
	return ""
}

func clip(s string) string {
	const limit = 200
	if len(s) > limit {
		return s[:limit] + "…"
	}
	return s
}
