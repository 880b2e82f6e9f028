package durable

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/legible"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// Record is one record of a journal, as far as it can be shown without the agents.
type Record struct {
	Seq   int64
	At    time.Time
	Kind  string // start, round, resume, call, tools, look, intent, result, effect, done, timer, ask, answer, drop, secret, blob, step, stop, end, fork, change, cancel, postpone, retry, drive or leave
	Round int    // from 1
	Step  int    // the step that was under way or is taken by it, from 1 in its round

	ID string // of the command or the question; of an effect or a wait its key
	By string // who gave the answer

	Data json.RawMessage // the record as it is stored

	of   *records.Record
	tool string // of a command and of its result
}

// String returns the record on one line: what was called, asked, answered or reached, and what failed. It may have
// secrets.
func (r Record) String() string { return fmt.Sprintf("%d %s", r.Seq, r.line(false)) }

// Shown returns the record on one line as everybody may read it: without replies of a model, arguments and contents,
// which may have secrets. It has the names of agents, statuses and tools, and what is redacted: questions in the words
// that people see, reasons and answers of a round.
func (r Record) Shown() string { return r.line(true) }

// line is the record on one line. shown: without what may have secrets.
func (r Record) line(shown bool) string {
	if r.of == nil {
		return r.Kind
	}
	text, failed := r.told(shown)
	if text = r.Kind + text; failed != "" {
		text += fmt.Sprintf(": %q", failed)
	}
	return legible.Text(text)
}

// told says what the record is of, and what failed.
func (r Record) told(shown bool) (what, failed string) {
	secret := func(text string) string {
		if shown {
			return ""
		}
		return text
	}
	switch of := r.of; {
	case of.Start != nil:
		return fmt.Sprintf(" %q", of.Start.Request), ""
	case of.Cancel != nil:
		return fmt.Sprintf(" %q", of.Cancel.Reason), ""
	case of.Postpone != nil && of.Postpone.Until.IsZero():
		return " until somebody retries", of.Postpone.Reason
	case of.Postpone != nil:
		return " until " + of.Postpone.Until.Format(time.RFC3339), of.Postpone.Reason
	case of.Round != nil:
		return fmt.Sprintf(" %q", of.Round.Request), ""
	case of.Call != nil && of.Call.Ended && (of.Call.Response == nil || said(of.Call.Response) == ""):
		return secret(" that only cost something"), secret(textIn(of.Call.Err))
	case of.Call != nil && of.Call.Response != nil:
		return secret(fmt.Sprintf(" %q", said(of.Call.Response))), secret(textIn(of.Call.Err))
	case of.Call != nil:
		return "", secret(textIn(of.Call.Err))
	case of.Tools != nil:
		return "", secret(textIn(of.Tools.Err))
	case of.Result != nil:
		failed = cmp.Or(textIn(of.Result.Err), of.Result.Error)
		return " " + cmp.Or(r.tool, r.ID) + with(string(of.Result.Status)), secret(failed)
	case of.Act != nil && of.Act.Again:
		return " " + r.tool + " again", ""
	case of.Act != nil:
		return " " + r.tool, ""
	case of.Done != nil:
		return " " + of.Done.Key + with(string(of.Done.As)), secret(textIn(of.Done.Err))
	case of.Effect != nil:
		return " " + of.Effect.Key, ""
	case of.Timer != nil && of.Timer.Over:
		return " " + of.Timer.Key + " is over", ""
	case of.Timer != nil:
		return " " + of.Timer.Key + " until " + of.Timer.Until.Format(time.RFC3339), ""
	case of.Ask != nil && shown:
		return fmt.Sprintf(" %q", of.Ask.Legible().Text), ""
	case of.Ask != nil:
		return fmt.Sprintf(" %s %q", r.ID, of.Ask.Text), ""
	case of.Answer != nil && shown && of.Answer.Err != nil:
		return "", ""
	case of.Answer != nil:
		return secret(fmt.Sprintf(" %s %q", r.ID, of.Answer.Text)) + gave(of.Answer), textIn(of.Answer.Err)
	case of.Drop != nil:
		return "", secret(of.Drop.Text)
	case of.Step != nil && shown:
		return stood(of.Step) + ended(of.Step.Result), ""
	case of.Step != nil:
		return stood(of.Step), textIn(of.Step.Err)
	}
	return "", ""
}

func with(detail string) string {
	if detail == "" {
		return ""
	}
	return ": " + detail
}

// ended is the reason and the answer of a result.
func ended(res *round.Result) (text string) {
	if res != nil && res.Reason != "" {
		text = fmt.Sprintf(": %q", res.Reason)
	}
	if res != nil && res.Answer != "" {
		text += fmt.Sprintf(", answer %q", res.Answer)
	}
	return text
}

// gave says who answered, and the yes or no of an answer that is one.
func gave(a *records.Answer) string {
	text := ""
	if a.By != "" {
		text = fmt.Sprintf(" by %q", a.By)
	}
	if a.Approval || a.Approved {
		text += fmt.Sprintf(", approved: %t", a.Approved)
	}
	return text
}

// said is a reply as a text: what the model thinks, and what it calls.
func said(reply *llm.Response) string {
	text := reply.Text
	for _, c := range reply.Calls {
		if text != "" {
			text += " "
		}
		text += c.Name + " " + string(c.Args)
	}
	return text
}

// stood says from where to where a step led, or where the round stopped.
func stood(n *records.Step) string {
	to := ""
	if i := len(n.Stack); i > 0 {
		to = position(n.Stack[i-1].Agent, n.Stack[i-1].Status)
	}
	switch {
	case n.Agent != "":
		return " " + position(n.Agent, n.From) + " -> " + to
	case n.Outcome() != "":
		return " " + string(n.Outcome()) + " at " + to
	}
	return ""
}

// Records yields what is in the journal of a run, in order. Its errors are those of
// [Look]; an error is the last thing that is yielded.
func Records(ctx context.Context, in store.Store, run string) iter.Seq2[Record, error] {
	return newLister(run).read(ctx, in)
}

// Follow yields what is in the journal of a run behind the record with the seq after, and then what is
// appended to it, until the run has ended or was cancelled. wait is called when there is nothing more: it returns
// when there may be, and its error ends the loop. changed, which wait is given, asks the store whether there is.
//
// Errors are those of [Look] and of wait; an error is the last thing that is yielded.
func Follow(ctx context.Context, in store.Store, run string, after int64, wait func(ctx context.Context, changed func() bool) error) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		l := listerAt(ctx, in, run, after)
		for {
			for r, err := range l.read(ctx, in) {
				if (err != nil || r.Seq > after) && !yield(r, err) || err != nil {
					return
				}
			}
			switch {
			case l.scan.Seq == 0:
				yield(Record{}, fmt.Errorf("durable: %q: %w", run, ErrNoRun))
				return
			case l.over:
				return
			}
			var gone error
			err := wait(ctx, func() bool {
				short, cancel := context.WithTimeout(ctx, lockPatience)
				defer cancel()
				err := in.Append(short, run, l.scan.Seq) // without a record it only compares
				if err != nil && short.Err() != nil && ctx.Err() == nil {
					return false // somebody hangs within an Append
				}
				if conflict, ok := errors.AsType[*store.ConflictError](err); ok && conflict.Last < l.scan.Seq {
					gone = fmt.Errorf("durable: %q: %w: it was deleted", run, ErrNoRun)
				} else if err != nil && !ok {
					gone = fmt.Errorf("durable: %w", err)
				}
				return err != nil
			})
			if err = cmp.Or(err, gone); err != nil {
				yield(Record{}, err)
				return
			}
		}
	}
}

// lister makes a [Record] of each record of a journal. It can go on where it came to.
type lister struct {
	scan        records.Scanner
	round, step int
	tools       map[string]string // of this step's commands
	over        bool              // nothing more is done in the run
	placed      bool              // round and step are known: from the start, or by a record
}

func newLister(run string) *lister {
	return &lister{scan: records.Scanner{Run: run}, step: 1, placed: true, tools: map[string]string{}}
}

// nearby is how many records listerAt reads first. Most steps have fewer.
const nearby = 8

// listerAt returns a lister that has read up to the record with the seq after. It looks back no farther than to the end
// of the step before that: coming back to a long journal costs little.
func listerAt(ctx context.Context, in store.Store, run string, after int64) *lister {
	for back := int64(nearby); back < after; back *= nearby {
		l := newLister(run)
		l.scan.Seq, l.placed = after-back, false
		there := false
		for r, err := range l.read(ctx, in) {
			if there = err == nil && r.Seq == after; there || err != nil {
				break
			}
		}
		if !there {
			break // reading from the start says what is wrong
		}
		if l.placed {
			return l
		}
	}
	return newLister(run)
}

// read reads on.
func (l *lister) read(ctx context.Context, in store.Store) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for entry, err := range in.Read(ctx, l.scan.Run, l.scan.Seq+1) {
			var rec *records.Record
			if err == nil {
				rec, err = l.scan.Read(entry)
			}
			if err != nil {
				yield(Record{}, fmt.Errorf("durable: %w", err))
				return
			}
			if !yield(l.add(rec, entry), nil) {
				return
			}
		}
	}
}

func (l *lister) add(rec *records.Record, entry store.Entry) Record {
	switch rec.Kind {
	case records.KindRound:
		l.round, l.step, l.over = l.round+1, 1, false
		if !l.placed && rec.Round != nil && rec.Round.Checkpoint.Round > 0 {
			l.round, l.placed = rec.Round.Checkpoint.Round, true
		}
	case records.KindEnd, records.KindCancel:
		l.over = true
	case records.KindStep:
		if !l.placed && rec.Step != nil && rec.Step.Number > 0 {
			l.round, l.step, l.placed = rec.Step.Round, rec.Step.Number, true
		}
	}
	r := Record{Seq: entry.Seq, At: rec.At, Kind: rec.Kind, Round: l.round, Step: l.step, Data: entry.Data, of: rec}
	switch {
	case rec.Act != nil:
		r.ID, r.tool = rec.Act.ID, rec.Act.Command.ToolName
		l.tools[r.ID] = r.tool
	case rec.Result != nil:
		r.ID, r.tool = rec.Result.ID, l.tools[rec.Result.ID]
	case rec.Effect != nil:
		r.ID = rec.Effect.Key
	case rec.Done != nil:
		r.ID = rec.Done.Key
	case rec.Timer != nil:
		r.ID = rec.Timer.Key
	case rec.Ask != nil:
		r.ID = rec.Ask.ID
	case rec.Answer != nil:
		r.ID, r.By = rec.Answer.ID, rec.Answer.By
	case rec.Kind == records.KindStep:
		l.step++
		clear(l.tools)
	}
	return r
}

func textIn(err *records.Error) string {
	if err == nil {
		return ""
	}
	return err.Text
}
