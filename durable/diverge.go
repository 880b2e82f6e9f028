package durable

import (
	"context"
	"fmt"
	"strings"

	"github.com/agentfsm/agentfsm/internal/records"
)

// take gives back what was recorded. Without a record the caller goes on live; what
// is left of the recording is dropped then, since it followed from something else. No
// later record depends on a look, so that a missing look drops nothing. j.mu is held.
func (j *recorder) take(ctx context.Context, kind, key, id, name string) (*op, error) {
	if j.err != nil {
		return nil, j.err
	}
	if kind == records.KindLook && j.past.repeats() {
		return nil, nil //nolint:nilnil // what an act is repeated on is looked at now
	}
	c := j.past.find(kind, key, id, false)
	switch {
	case c != nil:
		j.takes(c)
		return c, nil
	case looks(kind):
		return nil, nil //nolint:nilnil // there is none
	case kind == records.KindCall && j.past.onlyCalls():
		// One of several at once whose reply was not recorded, or another request than before. Which it
		// is shows when the step does something else: see diverge. What is left may be asked for yet.
		j.past.anew = true
		return nil, nil //nolint:nilnil // likewise
	}
	return nil, j.diverge(ctx, kind, name)
}

// diverge drops what is left of the recording, because something of that kind is done now that is not in it, or the
// step was taken or stopped. A person's answers stay until the step is taken, and so do effects. Commands among what is
// dropped that were executed are owed to the agent, and so are effects that were done behind the first call or command
// among it: until it was told, it executes nothing. Calls were paid for. j.mu is held.
func (j *recorder) diverge(ctx context.Context, kind, wanted string) error {
	left := j.past.left()
	if kind == records.KindStep {
		defer func() { j.effects = effectLog{} }()
		if rest := j.effects.unasked(); len(rest) > 0 && (left == nil || rest[0].seq < left.seq) {
			left = rest[0]
		}
	}
	if left == nil {
		return nil
	}
	var executed []string
	drop := &records.Drop{}
	first := int64(0)
	for _, c := range j.past.ops {
		if c.used || c.early {
			continue
		}
		if c.kind == records.KindAsk && kind != records.KindStep {
			c.early = true
			continue
		}
		drop.Seqs = append(drop.Seqs, c.seq)
		if first == 0 && c.kind != records.KindAsk {
			first = c.seq
		}
		if c.unreported() {
			executed = append(executed, c.act.Command.ToolName)
			j.doubt(c)
		}
		if c.call != nil {
			j.spent = append(j.spent, c.call)
		}
		c.used = true
	}
	j.unreported = append(j.unreported, executed...)
	for _, c := range j.effects.unasked() {
		if kind == records.KindStep {
			drop.Seqs = append(drop.Seqs, c.seq)
		}
		if c.owes(first) {
			c.owed, j.unreported = true, append(j.unreported, c.key)
		}
		if c.owed || kind == records.KindStep && c.happened() {
			executed = append(executed, c.key)
		}
	}
	if len(drop.Seqs) == 0 {
		return nil
	}
	now := "was done"
	if wanted != "" {
		now = fmt.Sprintf("did %q", wanted)
	}
	drop.Text = fmt.Sprintf("durable: a resumed step did something else than what was recorded: it %s where record %d has %q", now, left.seq, left.name())
	if len(executed) > 0 {
		drop.Text += "; executed before: " + strings.Join(executed, ", ")
	}
	return j.write(ctx, records.Record{Kind: records.KindDrop, Drop: drop})
}
