package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agentfsm/agentfsm/durable/store"
)

// window is where a kill fell, as the journal has it: what it knows of the command that
// was to be executed next, or was executed last.
type window int

const (
	beforeIntent window = iota // it knows of none, or all about one that was decided on since
	intentToAct                // it has the intent; the desktop never began
	actToResult                // it has the intent; the desktop began, and perhaps ended
	afterResult                // it has the result; nothing was decided since
	allWindows
)

func (w window) String() string {
	return [...]string{"before intent", "intent to act", "act to result", "after result", "any"}[w]
}

// position is where a journal ends.
type position struct {
	last string // the kind of the record that counts: intent, result, or another
	call string // of an intent: the CallID of its command
}

// trail is what a journal tells of the deaths of workers. It knows of records only what it
// must, so that it is no part of what it watches.
type trail struct {
	end     position          // where the journal ends
	resumed []position        // where it ended when a worker took the run over from a dead one
	died    []position        // where it ended when a process of a service died, or lost the run
	answers map[string]string // by the id of the question
	waits   []string          // ids of the questions that were open when it stopped last
}

// trailOf reads the journal of a run.
func trailOf(ctx context.Context, st store.Store, run string) (*trail, error) {
	t, before, driven := &trail{answers: map[string]string{}}, "", false // by a process of a service
	for entry, err := range st.Read(ctx, run, 1) {
		if err != nil {
			return nil, err
		}
		var r struct {
			Kind string `json:"kind"`
			Act  struct {
				ID      string `json:"id"`
				Refused bool   `json:"refused"`
			} `json:"act"`
			Answer struct {
				ID   string          `json:"id"`
				Text string          `json:"text"`
				Err  json.RawMessage `json:"error"` // nobody answered
			} `json:"answer"`
			Step struct {
				Waits []struct {
					ID string `json:"id"`
				} `json:"waits"`
				Result struct {
					Outcome string `json:"outcome"`
				} `json:"result"`
			} `json:"step"`
		}
		if err := json.Unmarshal(entry.Data, &r); err != nil {
			return nil, fmt.Errorf("crash: record %d of %s: %w", entry.Seq, run, err)
		}
		switch r.Kind {
		case "drive":
			if driven { // by a process that has died, or lost the run
				t.died = append(t.died, t.end)
			}
			driven = true
		case "postpone", "leave":
			driven = false
		case "intent":
			if t.end = (position{last: r.Kind, call: r.Act.ID}); r.Act.Refused {
				t.end = position{last: "result"}
			}
		case "round", "call", "ask", "answer", "drop":
			t.end = position{last: r.Kind}
		case "result", "end":
			t.end = position{last: "result"}
			driven = driven && r.Kind != "end"
		case "resume":
			if before != "stop" {
				t.resumed = append(t.resumed, t.end)
			}
		case "stop":
			if driven && r.Step.Result.Outcome != "SUSPENDED" { // its engine took the process for dead, and ended its drive
				t.died = append(t.died, t.end)
			}
			t.waits, driven = nil, false
			for _, w := range r.Step.Waits {
				t.waits = append(t.waits, w.ID)
			}
		}
		if r.Kind == "answer" && r.Answer.Err == nil {
			t.answers[r.Answer.ID] = r.Answer.Text
		}
		before = r.Kind
	}
	return t, nil
}

// window says in which one a kill fell. desk is what the desktop logged of the run, up
// to its end: what it did when the worker was dead already counts.
func (p position) window(desk []event) window {
	switch p.last {
	case "result":
		return afterResult
	case "intent":
		for _, e := range desk {
			if e.Call == p.call && e.What == evBegin {
				return actToResult
			}
		}
		return intentToAct
	}
	return beforeIntent
}
