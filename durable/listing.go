package durable

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// Record is one record of a journal, as far as it can be shown without the agents.
type Record struct {
	Seq   int64
	At    time.Time
	Kind  string // round, resume, call, tools, look, intent, result, ask, answer, drop, secret, blob, step, stop or end
	Round int    // from 1
	Step  int    // the step that was under way or is taken by it, from 1 in its round

	Request  string           // of a round
	Response *llm.Response    // of a call that came back
	Command  *desktop.Command // of a look and of an intent
	Tool     string           // of these and of a result
	Status   desktop.Status   // of a look's and of a command's result
	Question *people.Question // of an ask
	Answer   *people.Answer
	ID       string // of the command or the question
	From     string // of a step: where it came from, as agent:STATUS
	To       string // of a step, a stop and an end: who is at work, as agent:STATUS
	Outcome  string // of a stop and an end
	Err      string // what failed

	Data json.RawMessage // the record as it is stored
}

// String returns the record on one line.
func (r Record) String() string {
	text := fmt.Sprintf("%d %s", r.Seq, r.Kind)
	switch {
	case r.Tool != "":
		text += " " + r.Tool
	case r.Response != nil:
		text += fmt.Sprintf(" %q", r.Response.Text)
	case r.Question != nil:
		text += fmt.Sprintf(" %s %q", r.ID, r.Question.Text)
	case r.Answer != nil:
		text += fmt.Sprintf(" %s %q, approved: %t", r.ID, r.Answer.Text, r.Answer.Approved)
	case r.Request != "":
		text += fmt.Sprintf(" %q", r.Request)
	case r.From != "":
		text += " " + r.From + " -> " + r.To
	case r.Outcome != "":
		text += " " + r.Outcome + " at " + r.To
	case r.ID != "":
		text += " " + r.ID
	}
	if r.Status != "" {
		text += ": " + string(r.Status)
	}
	if r.Err != "" {
		text += fmt.Sprintf(": %q", r.Err)
	}
	return legible.Text(text)
}

// Records yields what is in the journal of a run, in order. Its errors are those of
// [Look]; an error is the last thing that is yielded.
func Records(ctx context.Context, in store.Store, run string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		scan, round, step := records.Scanner{Run: run}, 0, 1
		tools := map[string]string{} // of this step's commands
		for entry, err := range some(in.Read(ctx, run, 1)) {
			var rec *records.Record
			if err == nil {
				rec, err = scan.Read(entry)
			}
			if err != nil {
				yield(Record{}, fmt.Errorf("durable: %w", err))
				return
			}
			if rec.Kind == records.KindRound {
				round, step = round+1, 1
			}
			r := Record{Seq: entry.Seq, At: rec.At, Kind: rec.Kind, Round: round, Step: step, Data: entry.Data}
			r.show(rec)
			switch {
			case r.Command != nil:
				tools[r.ID], r.Tool = r.Command.ToolName, r.Command.ToolName
			case rec.Kind == records.KindResult:
				r.Tool = tools[r.ID]
			case rec.Kind == records.KindStep:
				step++
				clear(tools)
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (r *Record) show(rec *records.Record) {
	if rec.Round != nil {
		r.Request = rec.Round.Request
	}
	if rec.Call != nil {
		r.Response, r.Err = rec.Call.Response, textIn(rec.Call.Err)
	}
	if rec.Tools != nil {
		r.Err = textIn(rec.Tools.Err)
	}
	if rec.Act != nil {
		r.Command, r.ID = &rec.Act.Command, rec.Act.ID
	}
	if n := rec.Result; n != nil {
		r.ID, r.Status, r.Err = n.ID, n.Status, n.Error
		if n.Err != nil {
			r.Err = n.Err.Text
		}
	}
	if rec.Ask != nil {
		r.Question, r.ID = &rec.Ask.Question, rec.Ask.ID
	}
	if n := rec.Answer; n != nil {
		r.Answer, r.ID, r.Err = &people.Answer{Text: n.Text, Approved: n.Approved}, n.ID, textIn(n.Err)
	}
	if rec.Drop != nil {
		r.Err = rec.Drop.Text
	}
	if n := rec.Step; n != nil {
		r.Outcome, r.Err = string(n.Outcome()), textIn(n.Err)
		if n.Agent != "" {
			r.From = position(n.Agent, n.From)
		}
		if i := len(n.Stack); i > 0 {
			r.To = position(n.Stack[i-1].Agent, n.Stack[i-1].Status)
		}
	}
}

func textIn(err *records.Error) string {
	if err == nil {
		return ""
	}
	return err.Text
}
