package durable

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/internal/records"
)

// stoppedAs notes how the round stopped, once that is recorded. j.mu is held.
func (j *recorder) stoppedAs(n *records.Step) {
	own := *n
	own.News = records.News{}
	j.stop, j.stopSeq = &own, j.seq
}

// stoppedBefore reports whether the journal says already how the round stops now: somebody
// looked whether a suspended run can go on, and it cannot. Then nothing is appended, however
// often that is done. j.mu is held.
func (j *recorder) stoppedBefore(n *records.Step) bool {
	if j.stop == nil || j.seq != j.stopSeq || n.News.Agent != nil || len(n.News.Board) > 0 || !sameStop(j.stop, n) {
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
func sameStop(a, b *records.Step) bool {
	var texts [2]string
	for i, n := range []*records.Step{a, b} {
		own := *n
		own.Spent = 0
		if own.Attempt != nil {
			now := *own.Attempt
			now.Tries, now.Saw = 0, nil
			own.Attempt = &now
		}
		raw, err := json.Marshal(&own)
		if err != nil {
			return false
		}
		texts[i] = string(raw)
	}
	return texts[0] == texts[1]
}
