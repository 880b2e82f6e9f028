package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// recorder records a run while it is made, and gives back what it has on record of the step that was
// under way. It is the round.Recorder of a session that was opened.
type recorder struct {
	recording
	meta  json.RawMessage
	start *records.Start // of a run that nobody has driven yet; nil: it began with its first round

	begun   bool               // there is a record of the first round
	inRun   bool               // between the beginning and the end of a Run
	between bool               // no step is under way: the round ended, or stopped
	claim   bool               // it was resumed, and nothing is appended yet
	seq     int64              // of the last record
	rounds  int                // that have begun
	steps   int                // that were taken in the last one
	err     error              // set: nothing is appended any more
	pending []noted            // what goes with the next append
	calls   int                // of the model, that are under way
	holds   bool               // another run was driven in the step under way
	at      []checkpoint.Place // where the journal has the round
	look    *reading           // what everybody sees of the run, for the store's mark
	markSeq int64              // of the last mark

	hold      store.Hold // nil: nobody here drives the run
	compare   bool       // others may have driven it since the last Append
	announced bool       // it was recorded that the run was taken

	stop    *records.Step // how the round stopped, as it is recorded; nil: it went on
	stopSeq int64         // of the last record then
	known   known
	makers  map[string]string // that are on record
}

// Record takes what a round says of where it stands.
func (j *recorder) Record(ctx context.Context, c *round.Checkpoint) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case c.Event == checkpoint.Left:
		j.left(ctx, c)
		return nil
	case j.err != nil:
		return j.err
	}
	switch c.Event {
	case checkpoint.Began, checkpoint.Resumed:
		err := j.begin(ctx, c)
		j.inRun, j.between = err == nil, j.between && err != nil
		return err
	case checkpoint.Stepped:
		return j.stepTaken(ctx, c)
	case checkpoint.Stopped:
		return j.stopped(ctx, c)
	default:
		return j.ended(ctx, c)
	}
}

// begin begins the records of a round, or goes on with those of one that was resumed.
func (j *recorder) begin(ctx context.Context, c *round.Checkpoint) error {
	if err := j.driven(ctx); err != nil {
		return err
	}
	switch {
	case c.Event == checkpoint.Resumed:
		return j.goOn(ctx)
	case !j.begun && j.start != nil && j.start.Request != c.Request:
		return fmt.Errorf("durable: %q: %w", j.run, round.ErrOtherRequest)
	}
	// What the step of a round that is given up did, its agent may not know of.
	if err := j.diverge(ctx, records.KindStep, ""); err != nil {
		return err
	}
	n := &records.Round{Checkpoint: *c}
	n.Event, n.Secrets, n.Makers = "", nil, nil // the record says which event it is of
	j.rounds, j.steps = j.rounds+1, 0
	n.Checkpoint.Round = j.rounds
	for _, call := range j.spent {
		_, n.Session = j.charge(call.Response, true)
	}
	j.spent = nil
	if !j.begun {
		raw, err := j.board.MarshalJSON()
		if err != nil {
			return j.fail(err)
		}
		if n.Board = raw; j.start == nil {
			n.Meta = j.meta
		}
		j.board.Inside().LogOps()
	}
	changed, err := j.news(c)
	if err != nil {
		return j.fail(err)
	}
	n.News = *changed
	j.begun, j.claim, j.stop, j.at = true, false, nil, nil
	j.past, j.asked, j.reported, j.holds = past{}, nil, false, false
	j.makers = nil
	return j.write(ctx, records.Record{Kind: records.KindRound, Round: n})
}

// goOn begins to drive a round that was resumed, or that stopped in this process. What was
// not driven by this process last is told with the next record that must be there. j.mu is held.
func (j *recorder) goOn(ctx context.Context) error {
	var err error
	switch {
	case j.hold != nil && j.hold.Took() && !j.announced:
		err = j.resumed(ctx) // from somebody of whom nothing was heard
	case j.claim:
		j.claim = false
		err = j.later(records.Record{Kind: records.KindResume})
	}
	if err != nil {
		return err
	}
	return j.waitAnew()
}

// stepTaken records a step. Its record rides, unless that of the step before does, the round ends by it,
// another run was driven in it, or it left a question open that others must not answer any more.
func (j *recorder) stepTaken(ctx context.Context, c *round.Checkpoint) error {
	if err := j.diverge(ctx, records.KindStep, ""); err != nil {
		return err
	}
	n, err := j.position(c)
	if err != nil {
		return j.fail(err)
	}
	if c.Final {
		n.Err = noteError(c.Fault)
	}
	j.steps++
	n.Round, n.Number = j.rounds, j.steps
	rides := !c.Final && !j.holds && len(j.asked) == 0 && !j.rides(records.KindStep)
	j.past, j.asked, j.answered, j.holds = past{}, nil, nil, false
	rec := records.Record{Kind: records.KindStep, Step: n}
	if rides {
		return j.ride(ctx, rec)
	}
	return j.write(ctx, rec)
}

// stopped records that a round stopped, with all that its interrupted step has changed: going on begins there. A
// recording that was not touched stays what is to be given back.
func (j *recorder) stopped(ctx context.Context, c *round.Checkpoint) error {
	if j.past.left() != nil && !j.past.given {
		return nil
	}
	if err := j.diverge(ctx, records.KindStop, ""); err != nil {
		return err
	}
	n, err := j.position(c)
	if err != nil {
		return j.fail(err)
	}
	n.Waits = j.waits(ctx)
	if j.stoppedBefore(n) {
		j.between = true
		return nil
	}
	if err := j.write(ctx, records.Record{Kind: records.KindStop, Step: n}); err != nil {
		return err
	}
	j.stoppedAs(n)
	j.between = true
	return nil
}

// ended records how a round ended.
func (j *recorder) ended(ctx context.Context, c *round.Checkpoint) error {
	n, err := j.position(c)
	if err != nil {
		return j.fail(err)
	}
	if e, ok := errors.AsType[*round.Error](c.Result.Err); ok {
		n.Err = noteError(e.Err)
	}
	j.past, j.asked, j.answered, j.between = past{}, nil, nil, true
	return j.write(ctx, records.Record{Kind: records.KindEnd, Step: n})
}

// position is a Checkpoint with what changed beside it. What the journal has already is not in
// it once more. j.mu is held.
func (j *recorder) position(c *round.Checkpoint) (*records.Step, error) {
	for _, n := range j.spent {
		c.Used, c.Session = j.charge(n.Response, false)
	}
	j.spent = nil
	changed, err := j.news(c)
	if err != nil {
		return nil, err
	}
	n := &records.Step{Checkpoint: *c, News: *changed, Reported: j.reported}
	n.Event, n.Request, n.Round, n.First, n.Secrets, n.History = "", "", 0, 0, nil, nil
	if maps.Equal(c.Makers, j.makers) {
		n.Makers = nil
	}
	j.makers = maps.Clone(c.Makers)
	n.Repeats = slices.DeleteFunc(c.Repeats, func(r checkpoint.Repeat) bool { return r.Agent != c.Agent })
	if n.Session == (checkpoint.Used{Steps: n.Used.Steps, Usage: n.Used.Usage, Cost: n.Used.Cost}) {
		n.Session = checkpoint.Used{} // of a first round: it is the same
	}
	if res := c.Result; res != nil {
		n.Result = &round.Result{
			Outcome: res.Outcome, Status: res.Status, Answer: res.Answer, Reason: res.Reason,
			Partial: res.Partial, Verified: res.Verified,
		}
	}
	if j.reported {
		j.unreported, j.reported = nil, false
	}
	return n, nil
}

// stoppedAs notes how the round stopped, once that is recorded. j.mu is held.
func (j *recorder) stoppedAs(n *records.Step) {
	own := *n
	own.News = records.News{}
	j.stop, j.stopSeq = &own, j.seq
}

// stoppedBefore reports whether the journal says already how the round stops now: a suspended run was opened, and it
// still cannot go on. Then nothing is appended, however often that is done. j.mu is held.
func (j *recorder) stoppedBefore(n *records.Step) bool {
	if j.stop == nil || j.seq != j.stopSeq || n.News.Agent != nil || len(n.News.Board) > 0 || !sameStop(*j.stop, *n) {
		return false
	}
	// What was only looked at is looked at again.
	idle := []string{records.KindResume, records.KindTools, records.KindLook, records.KindBlob}
	if slices.ContainsFunc(j.pending, func(p noted) bool { return !slices.Contains(idle, p.Kind) }) {
		return false
	}
	j.claim = slices.ContainsFunc(j.pending, func(p noted) bool { return p.Kind == records.KindResume })
	j.pending = nil
	maps.DeleteFunc(j.blobs, func(_ string, seq int64) bool { return seq > j.seq })
	return true
}

// sameStop compares two stops but for how often the state was tried, how long, and what it saw.
func sameStop(list ...records.Step) bool {
	var texts []string
	for _, n := range list {
		n.Spent = 0
		if n.Attempt != nil {
			now := *n.Attempt
			now.Tries, now.Saw = 0, nil
			n.Attempt = &now
		}
		raw, err := json.Marshal(&n)
		if err != nil {
			return false
		}
		texts = append(texts, string(raw))
	}
	return texts[0] == texts[1]
}
