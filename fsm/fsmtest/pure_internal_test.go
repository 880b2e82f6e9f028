package fsmtest

import (
	"errors"
	"fmt"
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
		}, want: map[string]string{"pure": `CONTINUE, with nothing decided: NextState returns "" first and "FINISH" then, of the same agent`}},
		{name: "NextState fails when it is asked often", nextState: func(c *clerk) fsm.Status {
			if c.calls.Add(1) > repeats+1 {
				return fsm.Error
			}
			return decided(c)
		}, want: map[string]string{"pure": "(asked by several goroutines at once)"}},
		{name: "NextAgent alternates", nextAgent: func(c *clerk) fsm.Agent {
			if c.calls.Add(1)%2 == 0 {
				return other
			}
			return c
		}, want: map[string]string{"pure": "NextAgent returns clerk first and clerk then, of the same agent", "walks": "which makes this a hand-over"}},
		{name: "NextState moves", nextState: func(c *clerk) fsm.Status {
			to := decided(c)
			c.Position.SetStatus(fsm.Finish)
			c.Decide(to, fsm.ByModel, "")
			return to
		}, want: map[string]string{"pure": `changes the status from "CONTINUE" to "FINISH": effects belong in Handle`}},
		{name: "NextAgent decides", nextAgent: func(c *clerk) fsm.Agent {
			c.Decide(c.Decision().To, fsm.ByUser, "mine")
			return c
		}, want: map[string]string{"pure": "NextState or NextAgent changes the decision from"}},
		{name: "NextAgent returns nil", nextAgent: func(*clerk) fsm.Agent { return nil },
			want: map[string]string{"pure": "NextAgent returns nil", "edges": "NextAgent returns nil", "walks": "NextAgent returns nil"}},
		{name: "NextAgent returns a nil pointer", nextAgent: func(*clerk) fsm.Agent { return (*clerk)(nil) },
			want: map[string]string{"pure": "NextAgent returns nil", "edges": "NextAgent returns nil", "walks": "NextAgent returns nil"}},
		{name: "NextState panics", nextState: func(*clerk) fsm.Status { panic("oh") },
			want: map[string]string{"pure": "a Next method panics: oh", "edges": "a Next method panics: oh", "walks": "a Next method panics: oh"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			expect(t, inspect(m, with(m, test.nextState, test.nextAgent)), test.want)
		})
	}
}

// recorder is a clerk with a snapshot.
type recorder struct {
	clerk
	snapshot func(*recorder) ([]byte, error)
	notes    string
}

func (r *recorder) Snapshot() ([]byte, error) { return r.snapshot(r) }

func TestSnapshots(t *testing.T) {
	kind := func(next func(*recorder) fsm.Status) *fsm.Manager[*recorder] {
		return fsm.Table("Recorder", []fsm.Row[*recorder]{{Status: "A", NextState: next}, {Status: "END", RoundEnd: true, Success: true}},
			fsm.Edge{To: "A", By: fsm.BySystem}, fsm.Edge{From: "A", To: "END", By: fsm.ByModel})
	}
	notes := func(r *recorder) ([]byte, error) { return []byte(r.notes), nil }
	tests := []struct {
		name     string
		next     func(*recorder) fsm.Status
		snapshot func(*recorder) ([]byte, error)
		want     map[string]string
	}{
		{"unchanged", nil, notes, nil},
		{"changed", func(r *recorder) fsm.Status { r.notes += "asked;"; return r.Decision().To }, notes,
			map[string]string{"pure": `changes the snapshot from "" to "asked;asked;`}},
		{"fails", nil, func(*recorder) ([]byte, error) { return nil, errors.New("disk full") },
			map[string]string{"pure": "Snapshot fails: disk full"}},
		{"fails later", nil, func(r *recorder) ([]byte, error) {
			if r.calls.Add(1) > 2 {
				return nil, errors.New("disk full")
			}
			return nil, nil
		}, map[string]string{"pure": "Snapshot fails: disk full"}},
		{"counts", nil, func(r *recorder) ([]byte, error) { return fmt.Append(nil, r.calls.Add(1)), nil },
			map[string]string{"pure": "Snapshot differs from one call to the next, with nothing in between"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := kind(test.next)
			expect(t, inspect(m, func() fsm.Agent { return &recorder{clerk: clerk{set: m}, snapshot: test.snapshot} }), test.want)
		})
	}
}
