package round

import (
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
)

// history is the last positions, for error texts.
type history struct {
	ring [8]place
	next uint
	// before are those of an earlier process, where the round was resumed.
	before []string
}

type place struct {
	agent fsm.Agent
	bound *fsm.Bound
}

func (h *history) add(agent fsm.Agent, bound *fsm.Bound) {
	slot := &h.ring[h.next%uint(len(h.ring))]
	slot.agent, slot.bound = agent, bound
	h.next++
}

// last is where the step that is under way started.
func (h *history) last() place { return h.ring[(h.next-1)%uint(len(h.ring))] }

func (h *history) strings() []string {
	list := slices.Clone(h.before)
	size := uint(len(h.ring))
	for i := max(h.next, size) - size; i < h.next; i++ {
		slot := h.ring[i%size]
		list = append(list, agentAt(slot.agent.Name(), slot.bound.Status()))
	}
	return list[max(0, len(list)-len(h.ring)):]
}
