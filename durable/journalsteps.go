package durable

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// Record takes what a round says of where it stands.
func (j *recording) Record(ctx context.Context, c *round.Checkpoint) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case c.Event == round.Left:
		j.release(ctx)
		return nil
	case j.replay != nil:
		return j.replay.record(c)
	case j.err != nil:
		return j.err
	}
	switch c.Event {
	case round.Began, round.Resumed:
		return j.begin(ctx, c)
	case round.Stepped:
		return j.took(ctx, c)
	case round.Stopped:
		return j.stopped(ctx, c)
	default:
		return j.ended(ctx, c)
	}
}

// begin begins the records of a round, or goes on with those of one that was resumed.
func (j *recording) begin(ctx context.Context, c *round.Checkpoint) error {
	if err := j.driven(ctx); err != nil {
		return err
	}
	if err := j.stillLast(ctx); err != nil {
		return err
	}
	if c.Event == round.Resumed {
		return j.goOn(ctx)
	}
	// What the step of a round that is given up did, its agent may not know of.
	if err := j.diverge(ctx, records.KindStep, ""); err != nil {
		return err
	}
	n := &records.Round{Checkpoint: *c}
	n.Secrets, n.Makers = nil, nil
	for _, call := range j.spent {
		_, n.Session = j.charge(call.Response, true)
	}
	j.spent = nil
	var err error
	if !j.begun {
		n.Meta = j.meta
		n.Snapshot, n.Board, err = j.snapshots()
	} else {
		n.News, err = j.news()
	}
	if err != nil {
		return j.fail(err)
	}
	j.begun, j.claim, j.stop = true, false, nil
	j.tape, j.asked, j.diverged, j.told = tape{}, nil, nil, false
	j.makers = 0
	return j.write(ctx, records.Record{Kind: records.KindRound, Round: n})
}

// goOn begins to drive a round that was resumed, or that stopped in this process. What was
// not driven by this process last is told with the next record that must be there. j.mu is held.
func (j *recording) goOn(ctx context.Context) error {
	switch {
	case j.hold != nil && j.hold.Took() && !j.announced:
		return j.resumed(ctx) // from somebody of whom nothing was heard
	case j.claim:
		j.claim = false
		return j.later(records.Record{Kind: records.KindResume})
	}
	return nil
}

// snapshots returns all that agents and blackboard have, and starts to collect what
// changes.
func (j *recording) snapshots() (agent, board json.RawMessage, err error) {
	err = guard(func() (err error) {
		if c, ok := j.host.(changer); ok {
			if _, err = c.Changes(); err != nil {
				return err
			}
		}
		agent, err = j.host.(keeper).Snapshot() // New has looked
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	j.whole = sha256.Sum256(agent)
	if board, err = j.board.MarshalJSON(); err != nil {
		return nil, nil, err
	}
	j.board.Track()
	return agent, board, nil
}

// news returns what changed since it was last asked for.
func (j *recording) news() (*records.News, error) {
	n := &records.News{}
	err := guard(func() (err error) {
		if c, ok := j.host.(changer); ok {
			n.Agent, err = c.Changes()
			return err
		}
		raw, err := j.host.(keeper).Snapshot()
		if sum := sha256.Sum256(raw); err == nil && sum != j.whole {
			j.whole, n.Snapshot = sum, raw
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if n.Board, err = j.board.Changes(); err != nil {
		return nil, err
	}
	added, err := blackboard.NewBlobs(n.Board)
	if err != nil {
		return nil, err
	}
	for _, b := range added {
		if _, data, there := j.board.Blob(b.Ref); there {
			if _, err := j.blob(data); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

// took records a step.
func (j *recording) took(ctx context.Context, c *round.Checkpoint) error {
	if err := j.diverge(ctx, records.KindStep, ""); err != nil {
		return err
	}
	n, err := j.position(c)
	if err != nil {
		return j.fail(err)
	}
	j.tape, j.asked = tape{}, nil
	return j.write(ctx, records.Record{Kind: records.KindStep, Step: n})
}

// stopped records that a round stopped, with all that its interrupted step has
// changed: going on begins there. A recording that was not touched stays what is to
// be given back.
func (j *recording) stopped(ctx context.Context, c *round.Checkpoint) error {
	if j.tape.left() != nil && !j.tape.given {
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
		return nil
	}
	if err := j.write(ctx, records.Record{Kind: records.KindStop, Step: n}); err != nil {
		return err
	}
	j.stoppedAs(n)
	return nil
}

// ended records how a round ended.
func (j *recording) ended(ctx context.Context, c *round.Checkpoint) error {
	n, err := j.position(c)
	if err != nil {
		return j.fail(err)
	}
	if e, ok := errors.AsType[*round.Error](c.Result.Err); ok {
		n.Err = noteError(e.Err)
	}
	j.tape, j.asked = tape{}, nil
	return j.write(ctx, records.Record{Kind: records.KindEnd, Step: n})
}

// position is a Checkpoint with what changed beside it. What the journal has already is not in
// it once more. j.mu is held.
func (j *recording) position(c *round.Checkpoint) (*records.Step, error) {
	for _, n := range j.spent {
		c.Used, c.Session = j.charge(n.Response, false)
	}
	j.spent = nil
	changed, err := j.news()
	if err != nil {
		return nil, err
	}
	n := &records.Step{Checkpoint: *c, News: *changed, Told: j.told}
	n.Request, n.Round, n.First, n.Secrets, n.History = "", 0, 0, nil, nil
	if len(c.Makers) == j.makers {
		n.Makers = nil
	}
	j.makers = len(c.Makers)
	n.Repeats.Agent = slices.DeleteFunc(c.Repeats.Agent, func(r round.Repeat) bool { return r.Agent != c.Agent })
	if res := c.Result; res != nil {
		n.Result = &round.Result{Outcome: res.Outcome, Status: res.Status, Answer: res.Answer, Reason: res.Reason}
	}
	if j.told {
		j.untold, j.told = nil, false
	}
	return n, nil
}

// fetch returns bytes that are in the journal. j.mu is held.
func (j *recording) fetch(ctx context.Context, ref string) ([]byte, error) {
	seq, there := j.blobs[ref]
	if !there {
		return nil, fmt.Errorf("there is no record of %q", ref)
	}
	for entry, err := range j.store.Read(ctx, j.run, seq) {
		if err != nil {
			return nil, err
		}
		n, err := records.Read(entry.Data)
		if err == nil && n.Blob != nil && n.Blob.Ref == ref && refOf(n.Blob.Data) == ref {
			return n.Blob.Data, nil
		}
		break
	}
	return nil, fmt.Errorf("record %d is not that of %q", seq, ref)
}
