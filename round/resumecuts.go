package round

import "slices"

// addCut takes a record of a step that is under way.
func (b *rebuild) addCut(n *note) error {
	c := &cut{seq: b.seq, kind: n.Kind, call: n.Call, act: n.Act, result: n.Result, ask: n.Ask}
	switch {
	case n.Kind == kindCall && n.Call != nil && n.Call.Ended && n.Call.Response != nil:
		b.spent = append(b.spent, n.Call)
		return nil
	case n.Kind == kindCall && n.Call != nil && (n.Call.Response != nil || n.Call.Err != nil):
		c.key = kindCall
	case n.Kind == kindLook && n.Act != nil && n.Result != nil, n.Kind == kindIntent && n.Act != nil:
		c.key = actKey(n.Act.Command)
	case n.Kind == kindAsk && n.Ask != nil:
		c.key = n.Ask.key()
		b.j.asked = append(b.j.asked, *n.Ask)
	case n.Kind == kindResult && n.Result != nil:
		b.addResult(n.Result)
		return nil
	case n.Kind == kindAnswer && n.Answer != nil:
		b.addAnswer(n.Answer)
		return nil
	case n.Kind == kindDrop && n.Drop != nil:
		b.drop(n.Drop)
		return nil
	default:
		return b.damaged("a record %q is not whole", n.Kind)
	}
	b.cuts = append(b.cuts, c)
	return nil
}

func (b *rebuild) addResult(n *resultNote) {
	for _, c := range slices.Backward(b.cuts) {
		if c.kind != kindIntent || c.act.ID != n.ID || c.act.Refused {
			continue
		}
		c.result = n
		if n.Uncertain {
			b.j.doubt(c)
		} else if n.Err == nil {
			b.j.settle(c.key)
		}
		return
	}
}

// addAnswer gives a question its answer, also one that was asked before a stop.
func (b *rebuild) addAnswer(n *answerNote) {
	for i, ask := range b.j.asked {
		if ask.ID != n.ID {
			continue
		}
		b.j.asked = append(b.j.asked[:i:i], b.j.asked[i+1:]...)
		for _, c := range b.cuts {
			if c.kind == kindAsk && c.ask.ID == n.ID {
				c.answer = n
				return
			}
		}
		b.cuts = append(b.cuts, &cut{seq: b.seq, kind: kindAsk, key: ask.key(), ask: &ask, answer: n})
		return
	}
}

func (b *rebuild) drop(n *dropNote) {
	dropped := map[int64]bool{}
	for _, seq := range n.Seqs {
		dropped[seq] = true
	}
	kept := b.cuts[:0]
	for _, c := range b.cuts {
		if !dropped[c.seq] {
			kept = append(kept, c)
		} else if c.untold() {
			b.j.untold = append(b.j.untold, c.act.Command.ToolName)
			b.j.doubt(c)
		}
	}
	b.cuts = kept
}
