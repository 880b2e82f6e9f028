package durable

import (
	"context"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/round"
)

// A long run is resumed from its last snapshot: a record behind a step that has what all records before it come to. The
// store's mark says which record that is. In a store without marks there are none.

// A snapshot comes after so many records, or bytes. It is never larger than what was appended since the last one.
var (
	snapshotEach  = int64(1024)
	snapshotBytes = 4 << 20
	snapshotSmall = false // a test wants one that is larger, too
)

// snapshots says when there is to be one.
type snapshots struct {
	seq   int64 // of the last record when the last one was made
	bytes int   // that were appended since
	least int   // that are to be appended before the next one: it is as large as that
}

// snapshotDue reports whether a step is followed by a snapshot. j.mu is held.
func (j *recorder) snapshotDue() bool {
	if _, ok := j.store.(store.Index); !ok || j.snaps.bytes < j.snaps.least {
		return false
	}
	return j.seq+int64(len(j.pending))-j.snaps.seq >= snapshotEach || j.snaps.bytes >= snapshotBytes
}

// snapshot keeps a snapshot of where a step led, for the next append. j.mu is held.
func (j *recorder) snapshot(c *round.Checkpoint) error {
	n := &records.Snapshot{
		Checkpoint: *c, Agent: j.known.whole(), Start: j.start, Bounds: j.bounds,
		ReadOnly: maps.Clone(j.readOnly), Idempotent: maps.Clone(j.repeats), Uncertain: j.uncertain, Void: j.void, VoidEffects: j.voidEffects, Unreported: j.unreported,
	}
	n.Event, n.History = "", j.history
	var err error
	if n.Board, err = j.board.Inside().Whole(); err != nil {
		return err
	}
	for i := range n.Board {
		op := &n.Board[i]
		if op.Kind != boarddata.OpPutBlob {
			continue
		}
		if _, err := j.blob(op.Data); err != nil { // one from before the run has no record yet
			return err
		}
		op.Data = nil
	}
	n.Blobs = maps.Clone(j.blobs)
	raw, err := plainjson.Encode(n)
	if err != nil {
		return err
	}
	if len(raw) > j.snaps.bytes && !snapshotSmall {
		j.snaps.least = len(raw)
		return nil
	}
	if err := j.later(records.Record{Kind: records.KindSnapshot, Snapshot: n}); err != nil {
		return err
	}
	j.snaps = snapshots{seq: j.seq + int64(len(j.pending))}
	return nil
}

// withoutSnapshot takes out a pending snapshot: it is too large itself, or what it says of others is not true once one of them
// is left out. j.mu is held.
func (j *recorder) withoutSnapshot() bool {
	many := len(j.pending)
	j.pending = slices.DeleteFunc(j.pending, func(n noted) bool { return n.Kind == records.KindSnapshot })
	if len(j.pending) == many {
		return false
	}
	j.placeBlobs()
	return true
}

// restore brings the reader to where a snapshot was made.
func (b *reader) restore(ctx context.Context, n *records.Snapshot) error {
	if n == nil || len(n.Stack) == 0 || !n.Used.Sound() || !n.Session.Sound() {
		return b.damaged("the snapshot is not whole")
	}
	begin := &records.Round{}
	begin.Request, begin.First = n.Request, n.First
	b.begin, b.rounds, b.start, b.bounds = begin, n.Round, n.Start, n.Bounds
	b.history, b.secrets, b.makers = n.History, n.Secrets, n.Makers
	if b.makers == nil {
		b.makers = map[string]string{}
	}
	for _, r := range n.Repeats {
		b.repeats[r.Agent] = r
	}
	b.last = &records.Step{Checkpoint: n.Checkpoint}
	if err := b.know(n.Agent); err != nil {
		return err
	}
	b.j.blobs, b.j.readOnly, b.j.repeats = n.Blobs, n.ReadOnly, n.Idempotent
	if err := b.fill(ctx, n.Board); err != nil {
		return err
	}
	if err := b.j.board.Inside().Replay(n.Board); err != nil {
		return b.misfit(err)
	}
	for _, secret := range n.Secrets {
		b.j.noteSecret(secret)
	}
	b.j.uncertain, b.j.void, b.j.unreported = n.Uncertain, n.Void, n.Unreported
	b.j.voidEffects = n.VoidEffects
	return nil
}

// fill puts the bytes of blobs into operations that have only their names. It reads the journal once.
func (b *reader) fill(ctx context.Context, ops []boarddata.Op) error {
	wanted := map[int64][]int{}
	first := int64(0)
	for i := range ops {
		seq, kept := b.j.blobs[ops[i].Name]
		if ops[i].Kind != boarddata.OpPutBlob || !kept {
			continue
		}
		wanted[seq] = append(wanted[seq], i)
		if first == 0 || seq < first {
			first = seq
		}
	}
	if first == 0 {
		return nil
	}
	for entry, err := range some(b.j.store.Read(ctx, b.j.run, first)) {
		if err != nil {
			return err
		}
		for _, i := range wanted[entry.Seq] {
			n, err := records.Read(entry.Data)
			if err != nil || n.Blob == nil || refOf(n.Blob.Data) != ops[i].Name {
				return b.damaged("record %d is not that of %q", entry.Seq, ops[i].Name)
			}
			ops[i].Data = n.Blob.Data
		}
		if delete(wanted, entry.Seq); len(wanted) == 0 {
			return nil
		}
	}
	return nil
}

// whole is what is known, as a record of an agent of which nothing is known.
func (k *known) whole() *records.Data {
	s := k.saved()
	d := &records.Data{State: s.State}
	for name, log := range s.Logs {
		put(&d.Logs, name, &records.Log{Dropped: log.Dropped, Keep: log.Dropped, Add: log.Items})
	}
	for name, worker := range k.workers {
		put(&d.Workers, name, worker.whole())
	}
	return d
}
