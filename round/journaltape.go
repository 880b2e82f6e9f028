package round

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/records"
)

// tape is what was recorded of the step that is handled again, in order.
type tape struct {
	cuts  []*cut
	given bool // something of it was given back, and nothing was executed since
}

// cut is one thing that was done, with what came of it.
type cut struct {
	seq    int64
	kind   string // call, look, tools, intent or ask
	key    string // of what was asked for; "": nothing matches
	used   bool
	early  bool // an answer that came while the round was stopped: it is asked for at any time
	call   *records.Call
	act    *records.Act
	tools  *records.Tools
	gen    int             // how many processes had the step before
	result *records.Result // nil of an intent: nobody knows what came of it
	ask    *records.Ask
	answer *records.Answer
}

// untold reports whether something was, or may have been, executed that the agent
// does not know of.
func (c *cut) untold() bool { return c.kind == records.KindIntent && !c.used && !c.act.Refused }

// left returns the first cut that has an order and was not given back; nil: none.
func (t *tape) left() *cut {
	for _, c := range t.cuts {
		if !c.used && !c.looks() && !c.early {
			return c
		}
	}
	return nil
}

func (c *cut) looks() bool { return looks(c.kind) }

// looks reports whether a cut of that kind only looks. Those are in no order among
// themselves, and passed over where nobody asks for them again.
func looks(kind string) bool { return kind == records.KindLook || kind == records.KindTools }

// find returns what is to be given back for a call, a look, an act or a question;
// nil: it is not there.
func (t *tape) find(kind, key string) *cut {
	for _, c := range t.cuts {
		switch {
		case c.used:
		case c.kind == kind && c.key == key && key != "":
			return c
		case c.looks(), c.early:
		case kind == records.KindAsk && c.kind == kind: // questions are in no order either
		default:
			return nil
		}
	}
	return nil
}

// executed reports whether the next cut is a command with that key that acted,
// whatever its tool says of itself by now.
func (t *tape) executed(key string) bool {
	c := t.left()
	return c != nil && c.kind == records.KindIntent && c.key == key
}

// take gives back what was recorded. Without a record the caller goes on live; what
// is left of the recording is dropped then, since it followed from something else.
// j.mu is held.
func (j *Journal) take(ctx context.Context, kind, key, name string) (*cut, error) {
	if j.err != nil {
		return nil, j.err
	}
	c := j.tape.find(kind, key)
	if c == nil && j.replay != nil {
		return nil, j.replay.missing(kind, name)
	}
	if c == nil {
		return nil, j.diverge(ctx, kind, name)
	}
	c.used = true
	for _, other := range j.tape.cuts {
		if other == c || looks(kind) {
			break
		}
		other.used = other.used || other.looks() // they will not be asked for any more
	}
	j.tape.given = true
	return c, nil
}

// diverge drops what is left of the recording, because something is done now that is
// not in it; kind "": nothing more is. A person's answers stay as long as they may be
// asked for. Commands among what is dropped that were executed are owed to the agent:
// until it was told, it executes nothing. j.mu is held.
func (j *Journal) diverge(ctx context.Context, kind, wanted string) error {
	left := j.tape.left()
	if left == nil {
		return nil
	}
	e := &DivergedError{Seq: left.seq, Wanted: wanted, Has: left.name()}
	drop := &records.Drop{}
	for _, c := range j.tape.cuts {
		if c.used || c.early || kind == records.KindAsk && c.kind == kind {
			continue
		}
		drop.Seqs = append(drop.Seqs, c.seq)
		if c.untold() {
			e.Dropped = append(e.Dropped, c.act.Command.ToolName)
			j.untold = append(j.untold, c.act.Command.ToolName)
			j.doubt(c)
		}
		c.used = true
	}
	drop.Text = e.Error()
	j.diverged = e
	return j.write(ctx, records.Record{Kind: records.KindDrop, Drop: drop})
}

func (c *cut) name() string {
	if c.act != nil {
		return c.act.Command.ToolName
	}
	return c.kind
}

// doubt notes a command of which nobody knows whether it was executed.
func (j *Journal) doubt(c *cut) {
	if c.result == nil || c.result.Uncertain || c.result.Late {
		j.doubtAbout(c.act.Command)
	}
}

func (j *Journal) doubtAbout(cmd desktop.Command) {
	j.settle(actKey(cmd))
	j.uncertain = append(j.uncertain, cmd)
}

// settle forgets the doubts about a command: it was executed for certain.
func (j *Journal) settle(key string) {
	j.uncertain = slices.DeleteFunc(j.uncertain, func(cmd desktop.Command) bool { return key != "" && actKey(cmd) == key })
}

// actKey is the same for the same tool and arguments, before and after they were
// JSON. "" is that of arguments that cannot be JSON.
func actKey(cmd desktop.Command) string {
	raw, err := json.Marshal([]any{cmd.ToolName, cmd.Parameters})
	if err != nil {
		return ""
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return ""
	}
	if params, ok := v.([]any); ok && params[1] == nil {
		params[1] = map[string]any{} // no arguments are no arguments
	}
	if raw, err = json.Marshal(v); err != nil {
		return ""
	}
	return string(raw)
}
