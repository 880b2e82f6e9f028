package fsmtest

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/agentfsm/agentfsm/fsm"
)

func TestImpureNextMethods(t *testing.T) {
	m := table()
	other := &clerk{set: m}
	decided := func(c *clerk) fsm.Status { return c.Decision().To }
	tests := []struct {
		name      string
		nextState func(*clerk) fsm.Status
		nextAgent func(*clerk) fsm.Agent
		want      map[string]string
	}{
		{name: "NextState counts", nextState: func(c *clerk) fsm.Status {
			if c.calls.Add(1) == repeats {
				return fsm.Finish
			}
			return decided(c)
		}, want: map[string]string{"pure": `CONTINUE, with "" decided: NextState returns "" first and "FINISH" then, of the same agent`}},
		{name: "NextState fails when it is asked often", nextState: func(c *clerk) fsm.Status {
			if c.calls.Add(1) > repeats+1 {
				return fsm.Error
			}
			return decided(c)
		}, want: map[string]string{"pure": "asked by several goroutines: "}},
		{name: "NextAgent alternates", nextAgent: func(c *clerk) fsm.Agent {
			if c.calls.Add(1)%2 == 0 {
				return other
			}
			return c
		}, want: map[string]string{"pure": "NextAgent returns clerk first and clerk then, of the same agent"}},
		{name: "NextState moves", nextState: func(c *clerk) fsm.Status {
			to := decided(c)
			c.Position.SetStatus(fsm.Finish)
			c.Decide(to, fsm.ByModel, "")
			return to
		}, want: map[string]string{"pure": `effects belong in Handle: a Next method changes the agent: it is "at CONTINUE, `}},
		{name: "NextAgent decides", nextAgent: func(c *clerk) fsm.Agent {
			c.Decide(c.Decision().To, fsm.ByUser, "mine")
			return c
		}, want: map[string]string{"pure": "a Next method changes the agent: it is"}},
		{name: "NextAgent returns a nil pointer", nextAgent: func(*clerk) fsm.Agent { return (*clerk)(nil) },
			want: map[string]string{"pure": "NextAgent returns nil", "edges": "NextAgent returns nil"}},
		{name: "NextState panics", nextState: func(*clerk) fsm.Status { panic("oh") },
			want: map[string]string{"pure": "a Next method panics: oh", "edges": "a Next method panics: oh"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, inspect(m, with(m, test.nextState, test.nextAgent)), test.want)
		})
	}
}

// recorder is a clerk that can be saved.
type recorder struct {
	clerk
	save  func(*recorder) (fsm.Saved, error)
	load  func(*recorder, fsm.Saved) error
	notes string
}

func (r *recorder) Save() (fsm.Saved, error)   { return r.save(r) }
func (r *recorder) Load(saved fsm.Saved) error { return r.load(r, saved) }

func TestSavers(t *testing.T) {
	kind := func(next func(*recorder) fsm.Status) *fsm.Manager[*recorder] {
		return fsm.Table("Recorder", []fsm.Row[*recorder]{{Status: "A", NextState: next}, {Status: "END", RoundEnd: true, Success: true}},
			fsm.Edge{To: "A", By: fsm.BySystem}, fsm.Edge{From: "A", To: "END", By: fsm.ByModel})
	}
	save := func(r *recorder) (fsm.Saved, error) { return fsm.SaveState(r.notes) }
	load := func(r *recorder, saved fsm.Saved) error { return saved.LoadState(&r.notes) }
	full := errors.New("disk full")
	tests := []struct {
		name string
		next func(*recorder) fsm.Status
		save func(*recorder) (fsm.Saved, error)
		load func(*recorder, fsm.Saved) error
		want map[string]string
	}{
		{"right", nil, save, load, nil},
		{"changed", func(r *recorder) fsm.Status { r.notes += "asked;"; return r.Decision().To }, save, load,
			map[string]string{"pure": "a Next method changes the agent: it is"}},
		{"Save fails", nil, func(*recorder) (fsm.Saved, error) { return fsm.Saved{}, full }, load,
			map[string]string{"saved": "its Save fails: disk full", "pure": "disk full"}},
		{"Save fails later", nil, func(r *recorder) (fsm.Saved, error) {
			if r.Status() == "A" && r.calls.Add(1) > 2 {
				return fsm.Saved{}, full
			}
			return fsm.SaveState(r.notes)
		}, load, map[string]string{"pure": "disk full"}},
		{"Save counts", nil, func(r *recorder) (fsm.Saved, error) { return fsm.SaveState(r.calls.Add(1)) },
			func(*recorder, fsm.Saved) error { return nil },
			map[string]string{"saved": "a new agent that loaded", "pure": "two calls of Save in a row differ"}},
		{"Save returns no JSON", nil, func(*recorder) (fsm.Saved, error) { return fsm.Saved{State: []byte("{")}, nil }, load,
			map[string]string{"saved": "its Save fails: json: error", "pure": "json: error"}},
		{"Load refuses", nil, save, func(*recorder, fsm.Saved) error { return full },
			map[string]string{"saved": "Load refuses what Save returned: disk full"}},
		{"Load forgets", nil, save, func(r *recorder, _ fsm.Saved) error { r.notes = ""; return nil },
			map[string]string{"saved": `a new agent that loaded "{\"state\":\"new\"}" saves "{\"state\":\"\"}"`}},
		{"Load does not read the log", nil, func(r *recorder) (fsm.Saved, error) {
			saved, err := fsm.SaveState(r.notes)
			saved.Logs = map[string]fsm.Log{"memos": {Items: []json.RawMessage{json.RawMessage(`"new"`)}}}
			return saved, err
		}, load, map[string]string{"saved": `Load does not read the log "memos"`}},
		{"Load does not read a worker", nil, func(r *recorder) (fsm.Saved, error) {
			saved, err := fsm.SaveState(r.notes)
			saved.Workers = map[string]fsm.Saved{"below": {}}
			return saved, err
		}, load, map[string]string{"saved": `Load does not read the worker "below"`}},
		{"Load takes anything", nil, save, func(r *recorder, saved fsm.Saved) error { _ = load(r, saved); return nil },
			map[string]string{"saved": "Load takes a State that is no JSON"}},
		{"Load takes half", nil, save, func(r *recorder, saved fsm.Saved) error { r.notes = ""; return load(r, saved) },
			map[string]string{"saved": `a Load that fails changes the agent from "{\"state\":\"new\"}" to "{\"state\":\"\"}"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := kind(test.next)
			expect(t, inspect(m, func() fsm.Agent {
				return &recorder{clerk: clerk{set: m}, save: test.save, load: test.load, notes: "new"}
			}), test.want)
		})
	}
}
