package fsmtest

import (
	"encoding/json"
	"errors"
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
		return "", err
	}
	raw, err := json.Marshal(all)
	return string(raw), err
}

// findUnsaved checks that a new agent that loads what another one saved equals that,
// and that a Load that fails changes nothing.
func findUnsaved(s *subject) {
	from := s.newAgent()
	saver, ok := from.(fsm.Saver)
	if !ok {
		return
	}
	all, err := saver.Save()
	before, err2 := saved(from)
	if err := errors.Join(err, err2); err != nil {
		s.add("its Save fails: %v", err)
		return
	}
	other := s.newAgent()
	if err := other.(fsm.Saver).Load(all); err != nil {
		s.add("Load refuses what Save returned: %v", err)
		return
	}
	if after, err := saved(other); err != nil || after != before {
		s.add("a new agent that loaded %q saves %q", clip(before), clip(after))
		return
	}
	s.findUnread(all, before)
	if err := other.(fsm.Saver).Load(fsm.Saved{State: json.RawMessage(`{"`)}); err == nil {
		s.add("Load takes a State that is no JSON: damage to a record would go unnoticed")
	} else if after, err := saved(other); err != nil || after != before {
		s.add("a Load that fails changes the agent from %q to %q", clip(before), clip(after))
	}
}

// findUnread names a log or a worker that Load does not read: without it, a new agent loads and saves the same.
func (s *subject) findUnread(all fsm.Saved, before string) {
	compare := func(what, name string, less fsm.Saved) {
		other := s.newAgent()
		if other.(fsm.Saver).Load(less) != nil {
			return // it noticed
		}
		if after, err := saved(other); err == nil && after == before {
			s.add("Load does not read the %s %q", what, name)
		}
	}
	for name, log := range all.Logs {
		if len(log.Items) > 0 {
			less := all
			less.Logs = without(all.Logs, name)
			compare("log", name, less)
		}
	}
	for name := range all.Workers {
		less := all
		less.Workers = without(all.Workers, name)
		compare("worker", name, less)
	}
}

func without[V any](all map[string]V, name string) map[string]V {
	all = maps.Clone(all)
	delete(all, name)
	return all
}

func clip(s string) string {
	const limit = 200
	if len(s) > limit {
		return s[:limit] + "…"
	}
	return s
}
