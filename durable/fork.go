package durable

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
)

// ErrNoPlace says that a run cannot be forked there: it has no such record or question, or another kind of one.
var ErrNoPlace = errors.New("durable: the run has no such place")

// Change says where a [Fork] leaves a run, and what is different there. With neither a reply nor a
// Question, the agents handle the step anew.
type Change struct {
	// Seq is a record of the step that is handled again, as [Records] yields it; a reply of the model is one of kind
	// "call". 0: the step that is under way, or the last one of a round that ended.
	Seq int64
	// Reply is what the model replies to the call whose record Seq is.
	Reply string
	// Calls are in the reply, of an agent whose replies are calls of tools. Reply is what the model thinks then.
	Calls []llm.Call
	// Question is the id of a question that gets another Answer. Seq does not count then.
	Question string
	Answer   people.Answer
}

// Fork begins the run as in the store to, with the records of run up to a step, and with another reply or answer in it.
// It keeps what the step did before that. [Open] goes on with the new run. Its agents see the desktop as it is now.
//
// Commands that run executed after that step are uncertain in the new one: see policies.AskUncertain. If run has used an
// approval since, the new run asks again.
//
// Besides [ErrNoPlace], errors are those of [Look] and of the stores, such as a store.ErrConflict if as has records. to
// may be in.
func Fork(ctx context.Context, in store.Store, run string, to store.Store, as string, change Change) error {
	f := fork{run: run, change: change}
	for r, err := range Records(ctx, in, run) {
		if err != nil {
			return err
		}
		f.all = append(f.all, r)
	}
	if len(f.all) == 0 {
		return fmt.Errorf("durable: %q: %w", run, ErrNoRun)
	}
	list, err := f.records()
	if err == nil {
		err = to.Append(ctx, as, 0, list...)
	}
	if errors.Is(err, store.ErrConflict) {
		err = fmt.Errorf("there is a run %q already: %w", as, err)
	}
	if err != nil {
		return fmt.Errorf("durable: fork %q: %w", run, err)
	}
	return nil
}

type fork struct {
	run    string
	change Change
	all    []Record

	round, step int // that is handled again
}

func (f *fork) damaged(r Record, reason string) error {
	return &store.DamageError{Run: f.run, Seq: r.Seq, Reason: reason}
}

func (f *fork) noPlace(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrNoPlace, fmt.Sprintf(format, args...))
}

// records returns those of the new run.
func (f *fork) records() ([][]byte, error) {
	if err := f.find(); err != nil {
		return nil, err
	}
	begin := f.begin()
	if begin < 0 {
		return nil, f.noPlace("round %d has no step %d", f.round, f.step)
	}
	var list [][]byte
	for _, r := range f.all[:begin] {
		list = append(list, r.Data)
	}
	if f.changes() {
		var err error
		if list, err = f.changed(list, begin); err != nil {
			return nil, err
		}
	}
	origin, err := records.Encode(&records.Record{V: records.Version, Kind: records.KindFork, At: time.Now().UTC(), Fork: f.origin(len(list))})
	return append(list, origin), err
}

// changes reports whether the new run has another reply or answer.
func (f *fork) changes() bool { return f.change.replies() || f.change.Question != "" }

// replies reports whether there is another reply.
func (c *Change) replies() bool { return c.Reply != "" || len(c.Calls) > 0 }

// find finds the step that is handled again.
func (f *fork) find() error {
	c := &f.change
	switch {
	case c.replies() && c.Question != "":
		return f.noPlace("a reply and an answer cannot be changed at once")
	case c.Question == "" && c.Answer != people.Answer{}:
		return f.noPlace("the answer names no question")
	case c.Question != "":
		i := slices.IndexFunc(f.all, func(r Record) bool { return r.of.Ask != nil && r.ID == c.Question })
		if i < 0 {
			return f.noPlace("there is no question %q", c.Question)
		}
		c.Seq = f.all[i].Seq
	case c.Seq < 0 || c.Seq > int64(len(f.all)):
		return f.noPlace("there is no record %d", c.Seq)
	}
	if c.Seq > 0 {
		f.round, f.step = f.all[c.Seq-1].Round, f.all[c.Seq-1].Step
		return nil
	}
	f.round = f.all[len(f.all)-1].Round
	ended := slices.ContainsFunc(f.all, func(r Record) bool { return r.Round == f.round && r.Kind == records.KindEnd })
	for _, r := range f.all {
		if r.Round != f.round || r.Kind == records.KindEnd {
			continue
		}
		if f.step = r.Step; r.Kind == records.KindStep && !ended {
			f.step++
		}
	}
	return nil
}

// begin returns the index of the first record of the step, or where it would be.
func (f *fork) begin() int {
	for i, r := range f.all {
		if r.Round != f.round {
			continue
		}
		if f.step == 1 && r.Kind == records.KindRound || f.step == r.Step+1 && r.Kind == records.KindStep {
			return i + 1
		}
	}
	return -1
}

// changed adds what the step did up to the change, and that.
func (f *fork) changed(list [][]byte, begin int) ([][]byte, error) {
	c := f.change
	dropped, err := f.dropped(begin)
	if err != nil {
		return nil, err
	}
	var asked *records.Ask // nil: the question has an answer
	for _, r := range f.all[begin:] {
		if r.Kind == records.KindStep || r.Kind == records.KindEnd || r.Kind == records.KindRound {
			break
		}
		if r.of.OfStage() {
			continue // what was wanted of the other run
		}
		call := c.replies() && r.Seq == c.Seq && r.Kind == records.KindCall && !dropped[r.Seq]
		answer := c.Question != "" && r.ID == c.Question && r.Kind == records.KindAnswer
		if call || answer {
			raw, err := f.edit(r)
			return append(list, raw), err
		}
		if c.Question != "" && r.ID == c.Question && r.Kind == records.KindAsk && !dropped[r.Seq] {
			asked = r.of.Ask
		}
		list = append(list, r.Data)
	}
	if asked != nil {
		raw, err := records.Encode(&records.Record{
			V: records.Version, Kind: records.KindAnswer, At: time.Now().UTC(), Answer: records.AnswerTo(asked.Question, c.Answer),
		})
		return append(list, raw), err
	}
	return nil, f.noPlace("record %d is no reply of a model, and question %q is not asked in its step", c.Seq, c.Question)
}

// origin says where the new run comes from, of which it has the first n records. The last of these
// may be another one than in the run: an answer, or a reply.
func (f *fork) origin(n int) *records.Fork {
	origin := &records.Fork{Run: f.run, Seq: int64(n)}
	kept := n
	if f.changes() {
		kept--
	}
	asked, approved := map[string]string{}, map[string]bool{} // commands, by question; and those approved and not executed yet
	for i, r := range f.all {
		switch {
		case r.of.Ask != nil && r.of.Ask.Command != nil:
			key := approvedKey(*r.of.Ask.Command)
			asked[r.ID] = key
			delete(approved, key)
		case r.of.Answer != nil && r.of.Answer.Approved && i < kept && asked[r.ID] != "":
			approved[asked[r.ID]] = true
		case r.Kind == records.KindIntent && r.of.Act != nil && !r.of.Act.Refused:
			key := approvedKey(r.of.Act.Command)
			if i >= kept {
				origin.Done = append(origin.Done, r.of.Act.Command)
			}
			if i >= kept && approved[key] {
				origin.Void = append(origin.Void, r.of.Act.Command)
			}
			delete(approved, key)
		}
	}
	origin.Effects = f.effects(kept)
	return origin
}

// approvedKey tells commands apart, of whatever origin: a question may not name it.
func approvedKey(cmd desktop.Command) string {
	cmd.Origin = ""
	return calls.Key(cmd)
}

// effects are the keys of those that were done behind the first records, or may have been.
func (f *fork) effects(kept int) []string {
	var done []string
	for _, r := range f.all[kept:] {
		switch e, d := r.of.Effect, r.of.Done; {
		case r.Kind == records.KindEffect && e != nil && d == nil && !e.Idempotent:
			done = append(done, e.Key)
		case r.Kind == records.KindDone && d != nil && (d.As == records.Withdrawn || d.As == "" && d.Err != nil):
			if i := slices.Index(done, d.Key); i >= 0 { // it says itself that it was not done
				done = slices.Delete(done, i, i+1)
			}
		}
	}
	return done
}

// dropped are the seqs of records of the step that count no more.
func (f *fork) dropped(begin int) (map[int64]bool, error) {
	set := map[int64]bool{}
	for _, r := range f.all[begin:] {
		if r.Kind == records.KindStep {
			break
		}
		if r.Kind != records.KindDrop {
			continue
		}
		if r.of.Drop == nil {
			return nil, f.damaged(r, "it names nothing")
		}
		for _, seq := range r.of.Drop.Seqs {
			set[seq] = true
		}
	}
	return set, nil
}

// edit returns a record with the other reply or answer in it.
func (f *fork) edit(r Record) ([]byte, error) {
	rec, err := records.Read(r.Data)
	if err != nil {
		return nil, err
	}
	switch {
	case f.change.Question != "" && rec.Answer == nil, f.change.Question == "" && rec.Call == nil:
		return nil, f.damaged(r, "it is not whole")
	}
	if a := f.change.Answer; f.change.Question != "" {
		rec.Answer.Text, rec.Answer.Approved, rec.Answer.By, rec.Answer.Err = a.Text, a.Approved, a.By, nil
	} else {
		resp := &llm.Response{Text: f.change.Reply, Calls: f.change.Calls}
		if was := rec.Call.Response; was != nil {
			resp.Model, resp.Usage = was.Model, was.Usage
		}
		rec.Call = &records.Call{Request: rec.Call.Request, Response: resp} // it answers the same
	}
	return records.Encode(rec)
}
