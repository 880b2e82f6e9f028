package playwright

import (
	"encoding/json"

	"github.com/agentfsm/agentfsm/desktop"
)

// split returns one part of controls, each part of limit bytes of JSON or somewhat
// more, and how many there are. What a control is in is there in every part that has
// something of it.
func split(controls []desktop.Control, limit, part int) ([]desktop.Control, int) {
	used, last := 0, 1
	var cut func([]desktop.Control) []desktop.Control
	cut = func(list []desktop.Control) []desktop.Control {
		var out []desktop.Control
		for _, c := range list {
			inside := c.Children
			c.Children = nil
			if raw, err := json.Marshal(c); err == nil {
				used += len(raw) + len(",")
			}
			if len(inside) > 0 {
				used += len(`,"children":[]`)
			}
			last = 1
			if limit > 0 {
				last = 1 + used/limit
			}
			here := last == part
			if c.Children = cut(inside); here || len(c.Children) > 0 {
				out = append(out, c)
			}
		}
		return out
	}
	return cut(controls), last
}

// find returns the element of that ref, as a control is made of it; nil if there is none, or, without frames, if it is in one.
func find(nodes []*node, ref string, frames bool) *node {
	for _, n := range nodes {
		if n.ref == ref && ref != "" {
			return n
		}
		if n.role == "iframe" && !frames {
			continue
		}
		if found := find(n.children, ref, frames); found != nil {
			return found
		}
	}
	return nil
}
