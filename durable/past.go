package durable

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/internal/records"
)

// past is what was recorded of the step that is handled again, in order.
type past struct {
	ops   []*op
	given bool                    // something of it was given back, and nothing was executed since
	tools map[string]desktop.Tool // of the lists that were given back
	anew  bool                    // a model call was made that is not in it
}

// op is one thing that was done, with what came of it.
type op struct {
	seq    int64
	kind   string // call, look, tools, intent, effect, timer or ask
	key    string // of what was asked for; "": nothing matches
	used   bool
	early  bool // an answer, or an effect, that may be asked for at any time
	owed   bool // an effect of which its agent must be told before it does anything else
	nth    int  // of asks: in which order they were asked
	call   *records.Call
	act    *records.Act
	tools  *records.Tools
	listed []desktop.Tool  // of an act: the tools when it was decided
	gen    int             // how many processes had the step before
	again  int             // likewise, of an act that may be repeated, when that was decided; 0: it was not
	result *records.Result // nil of an intent: nobody knows what came of it
	ask    *records.Ask
	answer *records.Answer
	effect *records.Effect
	done   *records.Done // nil of an effect: nobody knows what came of it
	timer  *records.Timer
}

// unreported reports whether something was, or may have been, executed that the agent does not know of.
func (c *op) unreported() bool { return c.kind == records.KindIntent && !c.used && !c.act.Refused }

// open reports whether nobody knows what came of an act, and its agent was not told so.
func (c *op) open() bool {
	return !c.act.Refused && (c.result == nil || c.result.Uncertain && c.result.Err != nil)
}

// executedIn returns in which process an act was executed last.
func (c *op) executedIn() int {
	if c.act.Again {
		return c.again
	}
	return c.gen
}

// repeats reports whether the next op is an act that may have been executed, and is to be executed once more.
func (t *past) repeats() bool {
	c := t.left()
	return c != nil && c.kind == records.KindIntent && c.act.Idempotent && c.open()
}

// looks reports whether an op of that kind only looks. Those are in no order among
// themselves, and passed over where nobody asks for them again.
func looks(kind string) bool { return kind == records.KindLook || kind == records.KindTools }

func (c *op) looks() bool { return looks(c.kind) }

// inGo reports whether an op of that kind is an effect of Go code, or a wait. Those are in no order among themselves.
func inGo(kind string) bool { return kind == records.KindEffect || kind == records.KindTimer }

func (c *op) inGo() bool { return inGo(c.kind) }

// name is what the op is called where somebody reads of it.
func (c *op) name() string {
	switch {
	case c.act != nil:
		return c.act.Command.ToolName
	case c.effect != nil, c.timer != nil:
		return c.key
	}
	return c.kind
}

// left returns the first op that has an order and was not given back; nil: none.
func (t *past) left() *op {
	for _, c := range t.ops {
		if !c.used && !c.looks() && !c.early {
			return c
		}
	}
	return nil
}

// looked reports whether the step looked before it did anything else; what the agent asks its
// program for is no look. known is false where nothing of it was recorded.
func (j *recording) looked() (looked, known bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, c := range j.past.ops {
		if c.kind == records.KindTools || c.inGo() || c.act != nil && commands.Asks(c.act.Command) {
			continue
		}
		return c.kind == records.KindLook, true
	}
	return false, false
}

// answers returns the answers that came: all of them, or those that were not asked for yet.
func (t *past) answers(all bool) []*op {
	var list []*op
	for _, c := range t.ops {
		if c.kind == records.KindAsk && (all || !c.used) {
			list = append(list, c)
		}
	}
	return list
}

// onlyCalls reports whether nothing is left that has an order but model calls, and at least one.
func (t *past) onlyCalls() bool {
	left := false
	for _, c := range t.ops {
		if !c.used && !c.looks() && !c.early {
			if c.kind != records.KindCall {
				return false
			}
			left = true
		}
	}
	return left
}

// find returns what is to be given back for a call, a look, an act or a question; nil: it is not there. Things of one
// kind that follow one another may be asked for in another order, since they may have been done at once. A call has to
// have the same request: the reply to another one answers something else. A question has to have its id.
//
// A replay compares no prompts. It takes the call with the same request, and else the first one.
func (t *past) find(kind, key, id string, anyCall bool) *op {
	var other *op
	for _, c := range t.ops {
		same := c.kind == kind && c.key == key && key != ""
		switch {
		case c.used:
		case same && kind == records.KindAsk && c.ask.ID != id:
			// Another one with the same text.
		case same:
			return c
		case c.looks(), c.early:
		case c.kind != kind && !(c.inGo() && inGo(kind)):
			return other
		case kind == records.KindCall && anyCall && other == nil:
			other = c
		}
	}
	return other
}

// executed reports whether the next op is a command with that key that acted, whatever its tool says of itself by now.
func (t *past) executed(key string) bool {
	c := t.left()
	return c != nil && c.kind == records.KindIntent && t.find(c.kind, key, "", false) != nil
}

// takes marks something as given back. j.mu is held.
func (j *recording) takes(c *op) {
	c.used, j.past.given = true, true
	for _, other := range j.past.ops {
		if other == c || c.looks() {
			break
		}
		other.used = other.used || other.looks() // they will not be asked for any more
	}
}

// doubt notes a command of which nobody knows whether it was executed.
func (j *recording) doubt(c *op) {
	if c.result == nil || c.result.Uncertain || c.result.Late {
		j.doubtAbout(c.act.Command)
	}
}

// believe notes what a result that was recorded says: the command was executed, or nobody knows.
func (j *recording) believe(c *op) {
	if j.doubt(c); c.result != nil && c.result.Err == nil && !c.result.Uncertain && !c.result.Late {
		j.settle(c.act.Command)
	}
}

func (j *recording) doubtAbout(cmd desktop.Command) {
	j.settle(cmd)
	j.uncertain = append(j.uncertain, cmd)
}

// settle forgets the doubts about a command: it was executed for certain.
func (j *recording) settle(cmd desktop.Command) {
	if len(j.uncertain) == 0 {
		return
	}
	key := calls.Key(cmd)
	j.uncertain = slices.DeleteFunc(j.uncertain, func(c desktop.Command) bool { return key != "" && calls.Key(c) == key })
}

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
