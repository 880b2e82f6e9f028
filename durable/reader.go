package durable

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/records"
)

// reader reads the records of a run, and brings agents, blackboard and the recording of the step that
// was under way to where they end.
type reader struct {
	j       *recording
	replays bool // for a replay: what is doubted is found out on the way

	scan      records.Scanner
	look      *reading // what everybody sees
	known     known
	start     *records.Start  // nil: who began the run drove it
	bounds    *records.Bounds // nil: those of who drives it
	cancelled *records.Cancel

	begin   *records.Round
	rounds  int           // that have begun
	steps   int           // that were taken in the last one
	last    *records.Step // of the last step, stop or end of the round
	stopped bool          // it was a stop
	end     *records.Step
	history []string

	repeats map[string]checkpoint.Repeat
	secrets []checkpoint.Secret
	makers  map[string]string
	ops     []*op           // of the step that was under way
	gen     int             // processes that had this step before
	drops   []stray         // of this step
	spent   []*records.Call // of its calls that only cost something
	recent  map[string][]byte
	lists   map[string][]desktop.Tool // that were read
	listed  []desktop.Tool            // the last one
}

// lastPositions is how many an error names.
const lastPositions = 8

// stray is a moment at which a resumed process dropped what was left to give back, other than calls.
type stray struct {
	seq  int64
	gen  int
	open bool // the first thing of it was an act that might have been repeated
}

func newReader(j *recording) *reader {
	return &reader{
		j: j, scan: records.Scanner{Run: j.run}, look: newReading(j.run),
		repeats: map[string]checkpoint.Repeat{}, makers: map[string]string{}, lists: map[string][]desktop.Tool{},
	}
}

func (b *reader) damaged(format string, args ...any) error { return b.scan.Damaged(format, args...) }

func (b *reader) read(ctx context.Context) error {
	for entry, err := range b.j.store.Read(ctx, b.j.run, 1) {
		if err != nil {
			return err
		}
		n, err := b.scan.Read(entry)
		if err != nil {
			return err
		}
		b.look.scan.Seq = entry.Seq
		b.look.add(n)
		if err := b.add(ctx, n); err != nil {
			return err
		}
	}
	switch {
	case b.scan.Seq == 0:
		return ErrNoRun
	case b.cancelled != nil:
		return errCancelled(b.j.run, b.cancelled.Reason)
	case b.begin == nil && b.start == nil:
		return b.damaged("no round has begun")
	}
	return nil
}

// add takes one record. Kinds that are not known here are passed over.
func (b *reader) add(ctx context.Context, n *records.Record) error {
	switch n.Kind {
	case records.KindRound:
		return b.addRound(ctx, n.Round)
	case records.KindBlob:
		if n.Blob == nil || refOf(n.Blob.Data) != n.Blob.Ref {
			return b.damaged("it has not the bytes that it names")
		}
		if b.j.blobs == nil {
			b.j.blobs = map[string]int64{}
		}
		if b.recent == nil {
			b.recent = map[string][]byte{}
		}
		b.j.blobs[n.Blob.Ref], b.recent[n.Blob.Ref] = b.scan.Seq, n.Blob.Data
	case records.KindSecret:
		if n.Secret != nil {
			b.j.noteSecret(*n.Secret)
			b.secrets = append(b.secrets, *n.Secret)
		}
	case records.KindStep, records.KindStop, records.KindEnd:
		return b.addStep(ctx, n.Kind, n.Step)
	case records.KindStart:
		if n.Start == nil {
			return b.damaged("the start of the run is not whole")
		}
		b.start, b.bounds = n.Start, &n.Start.Bounds
	case records.KindCancel:
		b.cancelled = n.Cancel
	case records.KindRetry:
		if n.Retry != nil && n.Retry.Bounds != nil {
			b.bounds = n.Retry.Bounds
		}
	case records.KindResume:
		b.gen++
	case records.KindChange:
		if b.begin == nil || n.Change == nil {
			return b.damaged("what changed is not whole")
		}
		return b.news(ctx, n.Change)
	case records.KindFork:
		if n.Fork != nil { // the world is one in which they were executed
			for _, cmd := range n.Fork.Done {
				b.j.doubtAbout(cmd)
			}
			for _, cmd := range n.Fork.Void {
				b.j.void = append(b.j.void, calls.Key(cmd))
			}
			b.j.voidEffects = append(b.j.voidEffects, n.Fork.Effects...)
		}
	case records.KindTools:
		if b.begin == nil {
			return b.damaged("no round has begun")
		}
		if err := b.addTools(ctx, n.Tools); err != nil {
			return err
		}
		return b.addOp(n)
	case records.KindCall, records.KindLook, records.KindIntent, records.KindResult, records.KindAsk, records.KindAnswer, records.KindDrop,
		records.KindEffect, records.KindDone, records.KindTimer:
		if b.begin == nil {
			return b.damaged("no round has begun")
		}
		return b.addOp(n)
	}
	return nil
}

// addTools notes which tools a list had that act: one that another list says only reads is recorded as before.
func (b *reader) addTools(ctx context.Context, n *records.Tools) error {
	if n == nil || n.Ref == "" || b.replays {
		return nil
	}
	if tools, read := b.lists[n.Ref]; read {
		b.listed = tools
		return nil
	}
	raw, there := b.recent[n.Ref]
	if !there {
		var err error
		if raw, err = b.j.fetch(ctx, n.Ref); err != nil {
			return b.damaged("%v", err)
		}
	}
	var tools []desktop.Tool
	if err := json.Unmarshal(raw, &tools); err != nil {
		return b.damaged("a list of tools cannot be read: %v", err)
	}
	b.lists[n.Ref], b.listed = tools, tools
	b.j.noteTools(tools)
	return nil
}

func (b *reader) addRound(ctx context.Context, n *records.Round) error {
	first := b.begin == nil
	switch {
	case n == nil, n.First < 0, len(n.Stack) != 1, first && n.Board == nil:
		return b.damaged("the beginning of a round is not whole")
	case n.Stack[0].Kind != b.j.host.States().Kind():
		return otherKind(b.j.host.Name(), n.Stack[0].Kind, b.j.host.States().Kind())
	case n.Stack[0].Agent != b.j.host.Name():
		return misfit(b.j.host.Name(), fmt.Sprintf("the first agent of the run was %q", n.Stack[0].Agent))
	}
	if first {
		if err := b.j.board.UnmarshalJSON(n.Board); err != nil {
			return b.misfit(err)
		}
	}
	if err := b.news(ctx, &n.News); err != nil {
		return err
	}
	n.Board, n.News = nil, records.News{}
	b.begin, b.last, b.end, b.stopped = n, nil, nil, false
	b.rounds, b.steps = b.rounds+1, 0
	b.history, b.ops, b.spent, b.gen, b.drops = nil, nil, nil, 0, nil
	b.j.effects = effectLog{}
	clear(b.repeats)
	b.makers = map[string]string{}
	b.j.asked = nil
	return nil
}

// misfit is what is wrong with a record that is whole, but does not fit.
func (b *reader) misfit(err error) error { return fmt.Errorf("record %d: %w", b.scan.Seq, err) }

// know takes what became of what the first agent knows.
func (b *reader) know(n *records.Data) error {
	if err := b.known.apply(n); err != nil {
		return b.damaged("what the first agent knows: %v", err)
	}
	return nil
}

func (b *reader) news(ctx context.Context, n *records.News) error {
	if err := b.know(n.Agent); err != nil {
		return err
	}
	for i := range n.Board {
		op := &n.Board[i]
		if _, kept := b.j.blobs[op.Name]; op.Kind != boarddata.OpPutBlob || !kept {
			continue // the board refuses a blob without its bytes
		}
		var there bool
		if op.Data, there = b.recent[op.Name]; !there {
			var err error
			if op.Data, err = b.j.fetch(ctx, op.Name); err != nil {
				return b.misfit(err)
			}
		}
	}
	if err := b.j.board.Inside().Replay(n.Board); err != nil {
		return b.misfit(err)
	}
	return nil
}

func (b *reader) addStep(ctx context.Context, kind string, n *records.Step) error {
	switch {
	case b.begin == nil:
		return b.damaged("no round has begun")
	case n == nil || len(n.Stack) == 0 || !n.Used.Sound() || !n.Session.Sound() || n.Spent < 0 || n.Last < 0:
		return b.damaged("the position is not whole")
	case kind == records.KindEnd && !n.Outcome().Ended(), kind == records.KindStop && (n.Outcome() == "" || n.Outcome().Ended()):
		return b.damaged("the outcome %q is not one of a record %q", n.Outcome(), kind)
	}
	if err := b.news(ctx, &n.News); err != nil {
		return err
	}
	n.News = records.News{}
	maps.Copy(b.makers, n.Makers)
	for _, r := range n.Repeats {
		b.repeats[r.Agent] = r
	}
	if n.Reported {
		b.j.unreported = nil
	}
	b.last, b.stopped = n, kind == records.KindStop
	b.ops, b.spent, b.j.asked, b.gen, b.drops = b.kept(), nil, nil, 0, nil
	for _, ask := range n.Waits {
		b.j.nth++
		b.j.asked = append(b.j.asked, &asking{Ask: ask, nth: b.j.nth})
		if ask.Answer != nil {
			b.addAnswer(ask.Answer)
		}
	}
	clear(b.recent)
	switch kind {
	case records.KindStep:
		b.steps++
		b.history = append(b.history, position(n.Agent, n.From))
		b.history = b.history[max(0, len(b.history)-lastPositions):]
	case records.KindEnd:
		b.end = n
	}
	return nil
}
