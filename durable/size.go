package durable

import (
	"bytes"
	"slices"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/records"
)

// A store may refuse a record because of its size, such as that of a look with many
// controls, and nothing is appended then. To try again would not help, so the run is not lost by
// it. A look is recorded without what it saw: it is made again by whoever resumes the step. A
// call, a command or a result of that size is a fault of the step. Where that of a call shows only when
// a command, a question or another call follows, that one is at fault, and is not begun.

// noted is a record that is about to be appended.
type noted struct {
	records.Record
	raw  []byte
	must bool // it cannot be left out
}

// refers reports whether a record needs the bytes of that name.
func (n *noted) refers(ref string) bool { return n.Blob == nil && bytes.Contains(n.raw, []byte(ref)) }

// leaveOut makes room for the others: it takes what a look saw, or a list of tools, out of the
// pending record of that index. It reports whether another try makes sense. j.mu is held.
func (j *recorder) leaveOut(i int) bool {
	if i < 0 || i >= len(j.pending) || j.pending[i].must {
		return false
	}
	n := &j.pending[i]
	switch {
	case n.Kind == records.KindBlob && j.needs(n.Blob.Ref) == none:
		ref := n.Blob.Ref
		for k := range j.pending {
			if other := &j.pending[k]; other.refers(ref) && !j.empty(other) {
				return false
			}
		}
		j.pending = slices.Delete(j.pending, i, i+1)
		delete(j.blobs, ref)
		j.placeBlobs()
		return true
	case n.Kind == records.KindLook && !n.Result.Omitted:
		return j.empty(n)
	}
	return false
}

// needs is the index of a pending record that must be there and needs the bytes of that name. j.mu is held.
func (j *recorder) needs(ref string) int {
	return slices.IndexFunc(j.pending, func(n noted) bool { return n.must && n.refers(ref) })
}

// takeOut takes out the pending record that cannot be appended because the one of that index is too large:
// that one, which needs its bytes, or the last one. It returns its kind, and where it was; none: the run
// cannot go on without it. j.mu is held.
func (j *recorder) takeOut(i int) (kind string, at int) {
	at = len(j.pending) - 1
	if i >= 0 && i < at {
		switch n := &j.pending[i]; {
		case n.must:
			at = i
		case n.Kind == records.KindBlob && j.needs(n.Blob.Ref) != none:
			at = j.needs(n.Blob.Ref)
		}
	}
	if kind = j.pending[at].Kind; !canFail(kind) {
		return "", none
	}
	j.pending = slices.Delete(j.pending, at, at+1)
	j.placeBlobs()
	return kind, at
}

// empty takes out of a record what a look, or a list of tools, had.
func (j *recorder) empty(n *noted) bool {
	tooLarge := noteError(store.ErrTooLarge)
	switch n.Kind {
	case records.KindLook:
		n.Result = &records.Result{ID: n.Result.ID, Err: tooLarge, Omitted: true}
	case records.KindTools:
		n.Tools = &records.Tools{Err: tooLarge}
	default:
		return false
	}
	raw, err := records.Encode(&n.Record)
	n.raw = raw
	return err == nil
}

// placeBlobs notes where the bytes are that are about to be appended.
func (j *recorder) placeBlobs() {
	for i := range j.pending {
		if b := j.pending[i].Blob; b != nil {
			j.blobs[b.Ref] = j.seq + int64(i) + 1
		}
	}
}

// canFail reports whether a run goes on without a record of that kind: what it is of fails then. Without
// a position it does not.
func canFail(kind string) bool {
	switch kind {
	case records.KindCall, records.KindIntent, records.KindResult, records.KindEffect, records.KindDone, records.KindAsk, records.KindAnswer:
		return true
	}
	return false
}
