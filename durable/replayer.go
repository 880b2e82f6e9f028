package durable

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/records"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/round"
)

// Record compares what a round says with its record.
func (p *replayer) Record(_ context.Context, c *round.Checkpoint) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch c.Event {
	case checkpoint.Began, checkpoint.Resumed:
		return p.opened()
	case checkpoint.Stepped:
		return p.stepTaken(c)
	case checkpoint.Ended:
		return p.ended(c)
	default:
		return nil
	}
}

// opened prepares the first step of a round, or what follows a stop.
func (p *replayer) opened() error {
	if !p.loaded {
		return p.load()
	}
	p.give()
	return nil
}

// load reads on to where the next step leads. Where the record has a stop before it, the round is restored from there.
func (p *replayer) load() error {
	p.past, p.kind, p.to, p.seq = past{}, "", nil, 0
	p.reader.last, p.reader.stopped, p.reader.ops, p.reader.spent, p.reader.gen, p.reader.drops = nil, false, nil, nil, 0, nil
	p.asked = nil
	clear(p.reader.recent)
	p.step++
	if err := p.readStep(); err != nil {
		p.err = p.wrap(err)
		return p.err
	}
	if p.loaded = p.again; p.again {
		p.cancel(errRecordEnds)
		return nil
	}
	p.give()
	return nil
}

// give gives back what the step did.
func (p *replayer) give() {
	p.loaded = false
	p.past.ops, p.why = p.reader.ops, ""
	for _, n := range p.reader.spent {
		p.charge(n.Response, false)
	}
	if p.kind == "" && (len(p.reader.ops) == 0 || p.begin != nil) {
		p.cancel(errRecordEnds) // a step that was given up with its round was never taken
	}
}

func (p *replayer) readStep() error {
	for {
		n, err := p.read()
		if err != nil || n == nil {
			return err
		}
		switch {
		case n.Kind == records.KindRound:
			p.begin = n
			return nil
		case n.Kind == records.KindStep || n.Kind == records.KindEnd:
			if n.Step == nil || len(n.Step.Stack) == 0 {
				return p.reader.damaged("the position is not whole")
			}
			p.kind, p.to, p.seq = n.Kind, n.Step, p.reader.scan.Seq
			return p.reader.know(n.Step.News.Agent)
		case n.Kind == records.KindStop && n.Step != nil && n.Step.Held:
			// It was done, and only its move was still to come.
			if err := p.reader.know(n.Step.News.Agent); err != nil {
				return err
			}
		case n.Kind == records.KindStop:
			p.doubtAll()
			if err := p.reader.add(p.ctx, n); err != nil {
				return err
			}
			p.again, p.from = true, p.reader.known.saved()
		default:
			if err := p.reader.add(p.ctx, n); err != nil {
				return err
			}
			if n.Kind == records.KindChange { // behind a stop
				p.from = p.reader.known.saved()
			}
		}
	}
}

// doubtAll doubts what an interrupted attempt executed and has no result of, and what it doubted.
func (p *replayer) doubtAll() {
	for _, c := range p.reader.ops {
		if c.kind == records.KindIntent && !c.act.Refused {
			p.believe(c)
		}
	}
}

// lookedLater returns a look that a process made behind what it was given back: it looked
// where there was nothing to give back, and that is recorded with what came next.
func (p *replayer) lookedLater(kind, key string) *op {
	if !looks(kind) {
		return nil
	}
	for _, c := range p.past.ops {
		if !c.used && c.gen > 0 && c.kind == kind && c.key == key && key != "" {
			return c
		}
	}
	return nil
}

// differs ends the replay with the first difference.
func (p *replayer) differs(seq int64, what, was, is string) error {
	if p.err == nil {
		e := &ReplayError{run: p.run, Round: p.nth, Step: p.step, Seq: seq, what: what, was: was, is: is}
		e.reason, e.fault = clip.Text(p.scrub(p.why), maxReason), p.fault
		p.err = e
	}
	p.cancel(p.err)
	return p.err
}

const nothing = "nothing"

// maxReason bounds the reason of a difference, in bytes.
const maxReason = 2 << 10

// scrub returns text without secrets.
func (p *replayer) scrub(text string) string {
	text = trace.Hide(p.running, text)
	if p.opts.Redact != nil {
		text = p.opts.Redact(text)
	}
	return text
}

// missing says what it means that something is not on record.
func (p *replayer) missing(kind, name string) error {
	left := p.past.left()
	switch {
	case p.err != nil:
		return p.err
	case left != nil:
		return p.differs(left.seq, kind, left.name(), name)
	case p.kind != "":
		return p.differs(p.seq, kind, nothing, name)
	}
	p.cancel(errRecordEnds)
	return fmt.Errorf("%w: %w", errRecordEnds, fsm.ErrSuspend)
}

// stepTaken compares a step with its record.
func (p *replayer) stepTaken(c *round.Checkpoint) error {
	maps.Copy(p.reader.makers, c.Makers)
	for _, r := range c.Repeats {
		p.reader.repeats[r.Agent] = r
	}
	if p.fault = c.Fault; c.Fault != nil {
		p.why = textOf(c.Fault)
	} else if p.why == "" {
		p.why = c.Stack[len(c.Stack)-1].Decision.Reason
	}
	if p.err != nil {
		return p.err
	}
	if left := p.past.left(); left != nil {
		return p.differs(left.seq, left.kind, left.name(), nothing)
	}
	from, is := position(c.Agent, c.From), placesOf(c.Stack)
	switch p.kind {
	case "":
		p.cancel(errRecordEnds)
		return nil
	case records.KindEnd:
		return p.differs(p.seq, "position", "the end of the round", from+" -> "+is)
	}
	if was := position(p.to.Agent, p.to.From); was != from {
		return p.differs(p.seq, "position", was, from)
	}
	if was := placesOf(p.to.Stack); was != is {
		return p.differs(p.seq, "position", from+" -> "+was, from+" -> "+is)
	}
	if p.reported {
		p.unreported, p.reported = nil, false
	}
	return p.load()
}

// placesOf is where everybody stands, and what they decided.
func placesOf(list []checkpoint.Place) string {
	var texts []string
	for _, at := range list {
		text := position(at.Agent, at.Status)
		if d := at.Decision; d.To != "" {
			text += fmt.Sprintf(" (to %s, %v)", d.To, d.By)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// ended compares the end of a round with its record.
func (p *replayer) ended(c *round.Checkpoint) error {
	if p.err != nil || p.kind == "" {
		return nil //nolint:nilerr // Replay returns it
	}
	if left := p.past.left(); left != nil {
		return p.differs(left.seq, left.kind, left.name(), nothing)
	}
	is, was := c.Result, p.to.Result
	if p.kind == records.KindStep {
		return p.differs(p.seq, "outcome", "none yet, but a step to "+placesOf(p.to.Stack), string(is.Outcome))
	}
	if was == nil {
		was = &round.Result{}
	}
	for _, field := range []struct{ what, was, is string }{
		{"outcome", string(was.Outcome), string(is.Outcome)},
		{"position", position("", was.Status), position("", is.Status)},
		{"answer", fmt.Sprintf("%q", was.Answer), fmt.Sprintf("%q", is.Answer)},
		{"sub-tasks", fmt.Sprint(p.to.Tasks), fmt.Sprint(c.Tasks)},
	} {
		if field.was != field.is {
			return p.differs(p.seq, field.what, field.was, field.is)
		}
	}
	return nil
}

// stale says whether the process that did what comes next had what came before from the journal, and had not acted yet.
func (p *replayer) stale() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.reader.gen
	for _, c := range slices.Backward(p.past.ops) { // the first one that is left
		if !c.used && !c.looks() && !c.early && !c.inGo() {
			at = max(c.gen, c.again)
		}
	}
	if slices.ContainsFunc(p.reader.drops, func(d stray) bool { return d.gen == at && !d.open && !p.tookBehind(d.seq) }) {
		return false // it still had something to give back
	}
	before := false
	for _, c := range p.past.ops {
		if !c.used || c.looks() || c.inGo() {
			continue
		}
		before = before || c.gen < at
		if c.kind == records.KindIntent && c.executedIn() == at {
			return false
		}
	}
	return before
}

// tookBehind reports whether something was given back that was done behind a record.
func (p *replayer) tookBehind(seq int64) bool {
	return slices.ContainsFunc(p.past.ops, func(c *op) bool { return c.used && c.seq > seq && c.kind != records.KindTools && !c.inGo() })
}

// blob returns bytes that the record names.
func (p *replayer) blob(ref string) ([]byte, error) {
	if data, there := p.reader.recent[ref]; there {
		return data, nil
	}
	return p.fetch(p.ctx, ref)
}
