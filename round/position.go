package round

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/checkpoint"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// position is where the agents of a round stand: a stack of agents that handed over, and
// the one at work with its state. It knows nothing of what a step does or costs.
type position struct {
	start    fsm.Worker // the first agent
	recorded bool       // each agent must be one that can be made again
	stack    []fsm.Agent
	agent    fsm.Agent
	bound    *fsm.Bound
	begun    bool      // the first agent has its task
	held     bool      // the state was handled, only the move is still to come
	returned fsm.Agent // who gave control back in the last step, where recorded

	names  map[string]fsm.Agent // of all that had control
	makers map[string]string    // of agents: who handed over to them first
	past   history
}

// newPosition is where a round begins: start stands where its table has its start.
func newPosition(start fsm.Worker, recorded bool) (position, error) {
	if nilcheck.IsNil(start) {
		return position{}, &agentError{"the first agent", ErrAgent, "it is nil"}
	}
	if err := checkAgent("the first agent", start); err != nil {
		return position{}, err
	}
	first, ok := fsm.Start(start.States())
	if !ok {
		return position{}, &agentError{start.Name(), ErrAgent, "its table has no start: one edge needs an empty From"}
	}
	bound := start.States().Bind(first)
	if bound.Err() != nil {
		return position{}, bound.Err()
	}
	if recorded {
		if err := keepable(start); err != nil {
			return position{}, err
		}
	}
	return position{
		start: start, recorded: recorded, agent: start, bound: bound,
		names: map[string]fsm.Agent{start.Name(): start},
	}, nil
}

// ended reports whether there is no step from here: at a state that ends, with nobody
// to return to, and at ERROR in any case.
func (p *position) ended() bool {
	return p.bound.Terminal() && (len(p.stack) == 0 || p.bound.Status() == fsm.Error)
}

// refresh looks the state up again when AddState has replaced it. A Handle that is
// done but has not moved the agent yet is still the old one's.
func (p *position) refresh() {
	if !p.held && !p.bound.Current() {
		p.bound = p.agent.States().Bind(p.bound.Status())
	}
}

// stillOurs reports whether the agents stand where this round left them. Another
// round that drove them since has given them other tasks.
func (p *position) stillOurs() error {
	if !p.begun || p.agent.Status() == p.bound.Status() {
		return nil
	}
	return &agentError{p.agent.Name(), ErrAgent, fmt.Sprintf(
		"it stands in %s, and this round left it in %s: it was driven by another round", p.agent.Status(), p.bound.Status())}
}

// stayed reports whether the last step left the agent where it was.
func (p *position) stayed() bool { return p.past.last().bound.Status() == p.bound.Status() }

// where returns the last positions, the current one included.
func (p *position) where() []string {
	list := p.past.strings()
	if at := agentAt(p.agent.Name(), p.bound.Status()); len(list) == 0 || list[len(list)-1] != at {
		list = append(list, at)
	}
	return list
}

// innermostFirst returns the agents of the round, whoever handed over behind whom it handed over to: what the first
// agent says of all sub-tasks is said last. Agents that another round drives now are not this round's any more.
func (p *position) innermostFirst() []fsm.Agent {
	if !p.begun || p.stillOurs() != nil {
		return nil
	}
	at := append(slices.Clone(p.stack), p.agent)
	slices.Reverse(at)
	var gone []fsm.Agent
	for _, name := range slices.Sorted(maps.Keys(p.names)) {
		if agent := p.names[name]; !slices.Contains(at, agent) {
			gone = append(gone, agent)
		}
	}
	return append(gone, at...)
}

// note adds where the agents stand.
func (p *position) note(c *Checkpoint) {
	c.Begun, c.Held, c.Makers = p.begun, p.held, p.makers
	c.Stack = make([]checkpoint.Place, 0, len(p.stack)+1)
	for _, agent := range p.stack {
		c.Stack = append(c.Stack, placeOf(agent, agent.Status()))
	}
	c.Stack = append(c.Stack, placeOf(p.agent, p.bound.Status()))
	if p.returned != nil {
		at := placeOf(p.returned, p.returned.Status())
		c.Returned = &at
	}
	if c.Event == checkpoint.Stepped {
		last := p.past.last()
		c.Agent, c.From = last.agent.Name(), last.bound.Status()
	} else {
		c.History = p.past.strings()
	}
}

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
