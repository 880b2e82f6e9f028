package durable

import (
	"slices"

	"github.com/agentfsm/agentfsm/internal/calls"
	"github.com/agentfsm/agentfsm/internal/records"
)

// addOp takes a record of a step that is under way.
func (b *reader) addOp(n *records.Record) error {
	c := &op{seq: b.scan.Seq, kind: n.Kind, call: n.Call, act: n.Act, result: n.Result, tools: n.Tools, gen: b.gen}
	switch {
	case n.Kind == records.KindCall && n.Call != nil && n.Call.Ended && (n.Call.Response != nil || n.Call.Err != nil):
		b.spent = append(b.spent, n.Call)
		return nil
	case n.Kind == records.KindCall && n.Call != nil && (n.Call.Response != nil || n.Call.Err != nil):
		c.key = n.Call.Request
	case n.Kind == records.KindTools && n.Tools != nil:
		c.key = records.KindTools
	case n.Kind == records.KindLook && n.Act != nil && n.Result != nil, n.Kind == records.KindIntent && n.Act != nil:
		c.key, c.listed = calls.Key(n.Act.Command), b.listed
		if n.Act.Again && b.again(c) {
			return nil
		}
		if c.kind == records.KindIntent {
			b.j.asksAgain(c.key)
		}
	case inGo(n.Kind) || n.Kind == records.KindDone:
		return b.addEffect(n)
	case n.Kind == records.KindAsk && n.Ask != nil:
		b.j.nth++
		b.j.asked = append(b.j.asked, &asking{Ask: *n.Ask, seq: b.scan.Seq, nth: b.j.nth})
		return nil
	case n.Kind == records.KindResult && n.Result != nil:
		b.addResult(n.Result)
		return nil
	case n.Kind == records.KindAnswer && n.Answer != nil:
		b.addAnswer(n.Answer)
		return nil
	case n.Kind == records.KindDrop && n.Drop != nil:
		b.drop(n.Drop)
		return nil
	default:
		return b.damaged("a record %q is not whole", n.Kind)
	}
	b.ops = append(b.ops, c)
	return nil
}

// again notes that an act which may have been executed is executed once more.
func (b *reader) again(n *op) bool {
	i := slices.IndexFunc(b.ops, func(c *op) bool { return c.kind == n.kind && c.key == n.key && c.open() })
	if i < 0 {
		return false
	}
	c := b.ops[i]
	c.act, c.result, c.again = n.act, nil, b.gen
	return true
}

func (b *reader) addResult(n *records.Result) {
	for _, c := range slices.Backward(b.ops) {
		if c.kind != records.KindIntent || c.act.ID != n.ID || c.act.Refused {
			continue
		}
		if c.result = n; c.act.Idempotent && n.Uncertain && n.Err == nil {
			c.again = b.gen
		}
		if b.replays {
			return // what is doubted is found out on the way
		}
		if n.Uncertain || n.Late {
			b.j.doubt(c)
		} else if n.Err == nil {
			b.j.settle(c.act.Command)
		}
		return
	}
}

// addAnswer gives a question its answer. That of one from before a stop is asked for whenever its agent comes to it.
func (b *reader) addAnswer(n *records.Answer) {
	i := slices.IndexFunc(b.j.asked, func(a *asking) bool { return a.ID == n.ID })
	if i < 0 {
		return
	}
	ask := b.j.asked[i]
	b.j.asked = slices.Delete(b.j.asked, i, i+1)
	c := &op{seq: ask.seq, kind: records.KindAsk, key: askKey(&ask.Ask), ask: &ask.Ask, answer: n, early: ask.seq == 0, nth: ask.nth, gen: b.gen}
	at := slices.IndexFunc(b.ops, func(other *op) bool { return other.seq > c.seq })
	if at < 0 {
		at = len(b.ops)
	}
	b.ops = slices.Insert(b.ops, at, c)
}

// effects are those of the step. A replay gives them back in the order of everything else.
func (b *reader) effects() *[]*op {
	if b.replays {
		return &b.ops
	}
	return &b.j.effects.ops
}

func (b *reader) addEffect(n *records.Record) error {
	list := b.effects()
	find := func(kind, key string) int {
		return slices.IndexFunc(*list, func(c *op) bool { return c.kind == kind && c.key == key })
	}
	switch {
	case n.Kind == records.KindEffect && n.Effect != nil:
		key := n.Effect.Key
		if i := find(n.Kind, key); i >= 0 { // it is begun again
			*list = slices.Delete(*list, i, i+1)
		}
		*list = append(*list, &op{seq: b.scan.Seq, kind: n.Kind, key: key, effect: n.Effect, done: n.Done, gen: b.gen})
		b.j.wasDone(key)
	case n.Kind == records.KindDone && n.Done != nil:
		if i := find(records.KindEffect, n.Done.Key); i >= 0 {
			(*list)[i].done = n.Done
		}
	case n.Kind == records.KindTimer && n.Timer != nil:
		if i := find(n.Kind, n.Timer.Key); i >= 0 {
			(*list)[i].timer = n.Timer
			return nil
		}
		*list = append(*list, &op{seq: b.scan.Seq, kind: n.Kind, key: n.Timer.Key, timer: n.Timer, gen: b.gen})
	default:
		return b.damaged("a record %q is not whole", n.Kind)
	}
	return nil
}

// kept are the ops that stay when the round stops: what its step did in Go. Of a step that was taken nothing stays.
func (b *reader) kept() []*op {
	if !b.stopped {
		b.j.effects = effectLog{}
		return nil
	}
	b.j.effects.stop()
	rest := effectLog{slices.DeleteFunc(b.ops, func(c *op) bool { return !c.inGo() })}
	rest.stop()
	return rest.ops
}

func (b *reader) drop(n *records.Drop) {
	dropped := map[int64]bool{}
	for _, seq := range n.Seqs {
		dropped[seq] = true
	}
	first, open := int64(0), false
	for _, c := range b.ops {
		if first == 0 && dropped[c.seq] && c.kind != records.KindAsk && !c.inGo() {
			first, open = c.seq, c.kind == records.KindIntent && c.act.Idempotent && c.open()
		}
	}
	for _, c := range *b.effects() {
		if c.kind == records.KindEffect && !c.early && c.owes(first) {
			c.owed, b.j.unreported = true, append(b.j.unreported, c.key)
		}
	}
	calls := true // and nothing else
	kept := b.ops[:0]
	for _, c := range b.ops {
		calls = calls && (!dropped[c.seq] || c.looks() || c.inGo() || c.kind == records.KindCall)
		if !dropped[c.seq] || c.inGo() { // an effect stays until the step is taken
			kept = append(kept, c)
		} else if c.unreported() {
			b.j.unreported = append(b.j.unreported, c.act.Command.ToolName)
			b.j.doubt(c)
		}
		if dropped[c.seq] && c.call != nil {
			b.spent = append(b.spent, c.call)
		}
	}
	b.ops = kept
	if !calls {
		b.drops = append(b.drops, stray{seq: b.scan.Seq, gen: b.gen, open: open})
	}
	for _, c := range kept {
		c.early = c.early || c.kind == records.KindAsk || c.inGo()
	}
}
