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
	windowCount
)

func (w window) String() string {
	return [...]string{"before intent", "intent to act", "act to result", "after result"}[w]
}

// position is where a journal ends.
type position struct {
	last string // the kind of the record that counts: intent, result, or another
	call string // of an intent: the CallID of its command
}

// trail is what a journal tells. It knows of records only what it must, so that it is no part of what it watches.
type trail struct {
	kinds   []string          // of its records
	end     position          // where the journal ends
	died    []position        // where it ended when a driver died, or lost the run
	answers map[string]string // by the id of the question
}

// trailOf reads the journal of a run.
func trailOf(ctx context.Context, st store.Store, run string) (*trail, error) {
	t, driven := &trail{answers: map[string]string{}}, false
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
				Result struct {
					Outcome string `json:"outcome"`
				} `json:"result"`
			} `json:"step"`
		}
		if err := json.Unmarshal(entry.Data, &r); err != nil {
			return nil, fmt.Errorf("crash: record %d of %s: %w", entry.Seq, run, err)
		}
		t.kinds = append(t.kinds, r.Kind)
		switch r.Kind {
		case "drive":
			if driven { // by one that has died, or lost the run
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
		case "stop":
			if driven && r.Step.Result.Outcome != "SUSPENDED" { // its engine took the process for dead, and ended its drive
				t.died = append(t.died, t.end)
			}
			driven = false
		}
		if r.Kind == "answer" && r.Answer.Err == nil {
			t.answers[r.Answer.ID] = r.Answer.Text
		}
	}
	return t, nil
}

// window says in which one a kill fell. log is that of the run up to its end: what the desktop did when the driver was
// dead already counts.
func (p position) window(log []event) window {
	switch p.last {
	case "result":
		return afterResult
	case "intent":
		for _, e := range log {
			if e.Call == p.call && e.What == evBegin {
				return actToResult
			}
		}
		return intentToAct
	}
	return beforeIntent
}
