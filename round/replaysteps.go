package round

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/records"
)

// opened prepares the first step of a round.
func (p *replay) opened(r *Round) error {
	if p.j.current == r {
		return nil
	}
	p.j.owner, p.j.current = r.start, r
	return p.load(r)
}

// load reads on to where the next step leads, and gives the tape what it did.
func (p *replay) load(r *Round) error {
	p.j.tape, p.kind, p.to, p.seq = tape{}, "", nil, 0
	p.b.last, p.b.stopped, p.b.cuts, p.b.spent, p.b.gen, p.b.drops = nil, false, nil, nil, 0, nil
	p.j.asked = nil
	clear(p.b.recent)
	p.step++
	if err := p.readStep(r); err != nil {
		p.err = p.wrap(err)
		return p.err
	}
	p.j.tape.cuts = p.b.cuts
	for _, n := range p.b.spent {
		r.meter.paidBefore(n)
	}
	if p.kind == "" && (len(p.b.cuts) == 0 || p.begin != nil) {
		p.cancel(errRecordEnds) // a step that was given up with its round was never taken
	}
	return nil
}

func (p *replay) readStep(r *Round) error {
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
				return p.b.damaged("the position is not whole")
			}
			p.kind, p.to, p.seq = n.Kind, n.Step, p.b.scan.Seq
			return nil
		case n.Kind == records.KindStop && n.Step != nil && n.Step.Held:
			// It was done, and only its move was still to come.
		default:
			if n.Kind == records.KindStop {
				p.doubtAll()
			}
			if err := p.b.add(p.ctx, n); err != nil {
				return err
			}
			if n.Kind == records.KindStop {
				if err := p.stoppedAt(r, n.Step); err != nil {
					return err
				}
			}
		}
	}
}

// stoppedAt takes over what an interrupted attempt left, but for its news, which is
// there already.
func (p *replay) stoppedAt(r *Round, n *records.Step) error {
	if n.Begun && !r.begun {
		r.begun = true
		r.agent.SetStatus(r.bound.Status())
	}
	// The agents are those that the host makes now that it has the news.
	clear(p.b.made)
	maps.Copy(p.b.makers, p.j.makers)
	r.names = map[string]fsm.Agent{r.start.Name(): r.start}
	if err := p.b.place(p.ctx, r); err != nil {
		return err
	}
	p.b.used(r)
	return nil
}

// doubtAll doubts what an interrupted attempt executed and has no result of, and what
// it doubted.
func (p *replay) doubtAll() {
	for _, c := range p.b.cuts {
		if c.kind == records.KindIntent && !c.act.Refused {
			p.j.believe(c)
		}
	}
}

// lookedLater returns a look that a process made behind what it was given back: it looked
// where there was nothing to give back, and that is recorded with what came next.
func (p *replay) lookedLater(kind, key string) *cut {
	if !looks(kind) {
		return nil
	}
	for _, c := range p.j.tape.cuts {
		if !c.used && c.gen > 0 && c.kind == kind && c.key == key && key != "" {
			return c
		}
	}
	return nil
}

// differs ends the replay with the first difference.
func (p *replay) differs(seq int64, what, was, is string) error {
	if p.err == nil {
		e := &ReplayError{Run: p.j.run, Round: p.nth, Step: p.step, Seq: seq, What: what, Was: was, Is: is}
		e.Reason, e.Err = p.j.current.meter.why()
		p.err = e
	}
	p.cancel(p.err)
	return p.err
}

const nothing = "nothing"

// missing says what it means that something is not on the tape.
func (p *replay) missing(kind, name string) error {
	left := p.j.tape.left()
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

// took compares a step with its record.
func (p *replay) took(r *Round) error {
	if p.err != nil {
		return p.err
	}
	if left := p.j.tape.left(); left != nil {
		return p.differs(left.seq, left.kind, left.name(), nothing)
	}
	last := r.history.last()
	from, is := position(last.agent.Name(), last.bound.Status()), p.places(r)
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
	if p.j.told {
		p.j.untold, p.j.told = nil, false
	}
	return p.load(r)
}

// places is where everybody stands, and what they decided.
func (p *replay) places(r *Round) string {
	var list []records.Place
	for _, agent := range r.stack {
		list = append(list, placeOf(agent, agent.Status()))
	}
	return placesOf(append(list, placeOf(r.agent, r.bound.Status())))
}

func placesOf(list []records.Place) string {
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
func (p *replay) ended(r *Round) error {
	if p.err != nil || p.kind == "" {
		return nil //nolint:nilerr // Replay returns it
	}
	if left := p.j.tape.left(); left != nil {
		return p.differs(left.seq, left.kind, left.name(), nothing)
	}
	res := &r.result
	if p.kind == records.KindStep {
		return p.differs(p.seq, "outcome", "none yet, but a step to "+placesOf(p.to.Stack), string(res.Outcome))
	}
	for _, c := range []struct{ what, was, is string }{
		{"outcome", p.to.Outcome, string(res.Outcome)},
		{"position", position("", p.to.Status), position("", res.Status)},
		{"answer", fmt.Sprintf("%q", p.to.Answer), fmt.Sprintf("%q", res.Answer)},
		{"sub-tasks", fmt.Sprint(p.to.Tasks), fmt.Sprint(r.last)},
	} {
		if c.was != c.is {
			return p.differs(p.seq, c.what, c.was, c.is)
		}
	}
	return nil
}

// stale says whether the process that did what comes next had what came before from
// the journal, and had not acted yet.
func (p *replay) stale() bool {
	at := p.b.gen
	if c := p.j.tape.left(); c != nil {
		at = c.gen
	}
	if slices.ContainsFunc(p.b.drops, func(d stray) bool { return d.gen == at && !p.tookBehind(d.seq) }) {
		return false // it still had something to give back
	}
	before := false
	for _, c := range p.j.tape.cuts {
		if !c.used || c.looks() {
			continue
		}
		before = before || c.gen < at
		if c.gen == at && c.kind == records.KindIntent {
			return false
		}
	}
	return before
}

// tookBehind reports whether something was given back that was done behind a record.
func (p *replay) tookBehind(seq int64) bool {
	return slices.ContainsFunc(p.j.tape.cuts, func(c *cut) bool { return c.used && c.seq > seq && c.kind != records.KindTools })
}

// blob returns bytes that the record names.
func (p *replay) blob(ref string) ([]byte, error) {
	if data, there := p.b.recent[ref]; there {
		return data, nil
	}
	return p.j.fetch(p.ctx, ref)
}

// list returns a list of tools. Few are ever different.
func (p *replay) list(ref string) ([]byte, error) {
	if raw, there := p.lists[ref]; there {
		return slices.Clone(raw), nil
	}
	raw, err := p.blob(ref)
	if err == nil {
		p.lists[ref] = raw
	}
	return raw, err
}

// waitsFor reports whether a look that the record does not have was ended by a
// deadline of its caller's, such as that for a window to show up.
func (p *replay) waitsFor(ctx context.Context) bool {
	limit, limited := ctx.Deadline()
	whole, all := p.ctx.Deadline()
	return limited && (!all || limit.Before(whole))
}
