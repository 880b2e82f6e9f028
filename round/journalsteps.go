package round

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/records"
)

// open begins the records of a round, or goes on with those of one that was resumed.
func (j *Journal) open(ctx context.Context, r *Round) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.err != nil:
		return j.err
	case j.replay != nil && j.replay.session == r.session:
		return j.replay.opened(r)
	case j.replay != nil,
		j.owner != nil && (j.owner != r.start || j.current.session != r.session),
		j.current != nil && j.current != r && r.session == nil:
		return &JournalError{Run: j.run, Err: errOtherUse}
	}
	if err := j.stillLast(ctx); err != nil {
		return err
	}
	if j.current == r {
		return j.goOn(ctx)
	}
	// What the step of a round that is given up did, its agent may not know of.
	if err := j.diverge(ctx, records.KindStep, ""); err != nil {
		return err
	}
	n := &records.Round{Request: r.request, Agent: r.start.Name(), Kind: r.start.States().Kind(), First: r.first}
	if s := r.session; s != nil {
		for _, call := range j.spent {
			j.current.meter.paidBefore(call)
		}
		j.spent = nil
		n.Session = records.Used{Steps: s.used.steps, Usage: s.used.usage, Cost: s.used.cost}
	}
	var err error
	if j.owner == nil {
		n.Meta = j.Meta
		n.Snapshot, n.Board, err = j.snapshots(r)
	} else {
		n.News, err = j.news(r)
	}
	if err != nil {
		return j.fail(err)
	}
	j.owner, j.current, j.claim, j.stop = r.start, r, false, nil
	j.tape, j.asked, j.diverged, j.told = tape{}, nil, nil, false
	j.at = placeOf(r.agent, r.bound.Status())
	return j.write(ctx, records.Record{Kind: records.KindRound, Round: n})
}

// goOn begins to drive a round that was resumed, or that stopped in this process. What was
// not driven by this process last is told with the next record that must be there. j.mu is held.
func (j *Journal) goOn(ctx context.Context) error {
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
func (j *Journal) snapshots(r *Round) (agent, board json.RawMessage, err error) {
	err = guard(func() (err error) {
		if c, ok := r.start.(changer); ok {
			if _, err = c.Changes(); err != nil {
				return err
			}
		}
		agent, err = r.start.(keeper).Snapshot() // New has looked
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	j.whole = sha256.Sum256(agent)
	if board, err = r.board.MarshalJSON(); err != nil {
		return nil, nil, err
	}
	r.board.Track()
	return agent, board, nil
}

// news returns what changed since it was last asked for.
func (j *Journal) news(r *Round) (*records.News, error) {
	n := &records.News{}
	err := guard(func() (err error) {
		if c, ok := r.start.(changer); ok {
			n.Agent, err = c.Changes()
			return err
		}
		raw, err := r.start.(keeper).Snapshot()
		if sum := sha256.Sum256(raw); err == nil && sum != j.whole {
			j.whole, n.Snapshot = sum, raw
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if n.Board, err = r.board.Changes(); err != nil {
		return nil, err
	}
	added, err := blackboard.NewBlobs(n.Board)
	if err != nil {
		return nil, err
	}
	for _, b := range added {
		if _, data, there := r.board.Blob(b.Ref); there {
			if _, err := j.blob(data); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

// took records a step.
func (j *Journal) took(ctx context.Context, r *Round) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.replay != nil {
		return j.replay.took(r)
	}
	if j.err != nil {
		return j.err
	}
	if err := j.diverge(ctx, records.KindStep, ""); err != nil {
		return err
	}
	n, err := j.position(r)
	if err != nil {
		return j.fail(err)
	}
	last := r.history.last()
	n.Agent, n.From = last.agent.Name(), last.bound.Status()
	if seen := r.meter.repeats.seen[n.Agent]; seen != nil {
		n.Repeat = &records.Repeat{Agent: n.Agent, Mark: seen.mark, Times: seen.times}
	}
	j.tape, j.asked = tape{}, nil
	return j.wrote(n, j.write(ctx, records.Record{Kind: records.KindStep, Step: n}))
}

// stopped records that a round stopped, with all that its interrupted step has
// changed: going on begins there. A recording that was not touched stays what is to
// be given back.
func (j *Journal) stopped(ctx context.Context, r *Round) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.err != nil || j.replay != nil:
		return j.err
	case j.tape.left() != nil && !j.tape.given:
		return nil
	}
	if err := j.diverge(ctx, records.KindStop, ""); err != nil {
		return err
	}
	n, err := j.position(r)
	if err != nil {
		return j.fail(err)
	}
	n.Outcome, n.Reason, n.Waits = string(r.result.Outcome), r.result.Reason, j.waits()
	m := &r.meter
	m.mu.Lock()
	n.Now = &records.Now{
		Tries: m.tries, Calls: m.now.calls, Usage: m.now.usage, Cost: m.now.cost, Model: m.now.model,
		Acted: m.repeats.acted, Did: m.repeats.did, Saw: slices.Sorted(maps.Keys(m.repeats.saw)),
	}
	if !m.kept {
		n.Now = nil
	}
	m.mu.Unlock()
	if j.stoppedBefore(n) {
		return nil
	}
	if err := j.wrote(n, j.write(ctx, records.Record{Kind: records.KindStop, Step: n})); err != nil {
		return err
	}
	j.stoppedAs(n)
	return nil
}

// ended records how a round ended.
func (j *Journal) ended(ctx context.Context, r *Round) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.replay != nil {
		return j.replay.ended(r)
	}
	if j.err != nil {
		return j.err
	}
	n, err := j.position(r)
	if err != nil {
		return j.fail(err)
	}
	res := &r.result
	n.Outcome, n.Status, n.Answer, n.Reason, n.Tasks = string(res.Outcome), res.Status, res.Answer, res.Reason, r.last
	if e, ok := errors.AsType[*Error](res.Err); ok {
		n.Err = noteError(e.Err)
	}
	j.tape, j.asked = tape{}, nil
	return j.wrote(n, j.write(ctx, records.Record{Kind: records.KindEnd, Step: n}))
}

// position says where a round stands, what it used, and what changed. j.mu is held.
func (j *Journal) position(r *Round) (*records.Step, error) {
	for _, n := range j.spent {
		r.meter.paidBefore(n)
	}
	j.spent = nil
	changed, err := j.news(r)
	if err != nil {
		return nil, err
	}
	n := &records.Step{
		News: *changed, Begun: r.begun, Held: r.held, Makers: j.makers, Told: j.told,
		Spent: int64(r.spent), Last: r.meter.repeats.last,
		Used: records.Used{Transitions: r.meter.transitions, Steps: r.meter.steps, Calls: r.meter.calls, Usage: r.meter.usage, Cost: r.meter.cost},
	}
	if !r.since.IsZero() {
		n.Spent += int64(time.Since(r.since))
	}
	if s := r.session; s != nil {
		n.Session = records.Used{Steps: s.used.steps, Usage: s.used.usage, Cost: s.used.cost}
	}
	for _, agent := range r.stack {
		n.Stack = append(n.Stack, placeOf(agent, agent.Status()))
	}
	n.Stack = append(n.Stack, placeOf(r.agent, r.bound.Status()))
	if r.returned != nil {
		at := placeOf(r.returned, r.returned.Status())
		n.Returned = &at
	}
	if j.told {
		j.untold, j.told = nil, false
	}
	j.makers = nil
	return n, nil
}

// wrote notes where everybody stands once that is recorded.
func (j *Journal) wrote(n *records.Step, err error) error {
	if err == nil {
		j.at = n.Stack[len(n.Stack)-1]
	}
	return err
}

func placeOf(agent fsm.Agent, status fsm.Status) records.Place {
	return records.Place{Agent: agent.Name(), Kind: agent.States().Kind(), Status: status, Decision: agent.Decision()}
}

// fetch returns bytes that are in the journal. j.mu is held.
func (j *Journal) fetch(ctx context.Context, ref string) ([]byte, error) {
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
