package fsmtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/agentfsm/agentfsm/fsm"
)

const (
	walks = 64
	// wander is how many steps of a walk are random, as many as the transitions
	// that a Round permits by default.
	wander = 200
)

// after is where an agent stands when the edge has been taken, and control has
// come back if it was handed over.
func after(e fsm.Edge) fsm.Status {
	if e.Kind == "" {
		return e.To
	}
	return fsm.Continue
}

// distances returns how many steps each status is from the nearest that ends;
// a status without a way there is missing.
func (s *subject) distances() map[fsm.Status]int {
	steps := map[fsm.Status]int{}
	for _, status := range s.set.Statuses() {
		if s.set.Bind(status).Terminal() {
			steps[status] = 0
		}
	}
	for grown := true; grown; {
		grown = false
		for _, e := range s.edges {
			there, ok := steps[after(e)]
			if !ok || e.From == "" {
				continue
			}
			if here, ok := steps[e.From]; !ok || there+1 < here {
				steps[e.From] = there + 1
				grown = true
			}
		}
	}
	return steps
}

func findEndless(s *subject) []string {
	var problems []string
	steps := s.distances()
	for _, status := range s.set.Statuses() {
		if _, ok := steps[status]; !ok {
			problems = append(problems, fmt.Sprintf("from %s no state that ends can be reached", status))
		}
	}
	return problems
}

func findLost(s *subject) []string {
	steps := s.distances()
	for seed := range uint64(walks) {
		if p := s.walk(seed, steps); p != "" {
			return []string{fmt.Sprintf("random walk %d: %s", seed, p)} // one is enough to look for the cause
		}
	}
	return nil
}

// walk leads one agent along the table, at random at first and then the
// shortest way to an end. That is never longer than there are states, so on a
// sound table a walk always ends within its bound.
func (s *subject) walk(seed uint64, steps map[fsm.Status]int) string {
	random := rand.New(rand.NewPCG(seed, seed))
	bound := wander + len(s.set.Statuses())
	status, _ := fsm.Start(s.set)
	a := s.newAgent()
	a.SetStatus(status)
	path := []string{string(status)}
	for taken := 0; !s.set.Bind(status).Terminal(); taken++ {
		if taken == bound {
			return fmt.Sprintf("it did not end within %d steps: %s", bound, trail(path))
		}
		e := s.choose(random, steps, status, taken < wander)
		if e.Kind != "" {
			a.SetStatus(fsm.Continue) // as when control comes back
			path = append(path, e.Kind+"."+string(e.To))
		} else if p := s.take(a, e); p != "" {
			return fmt.Sprintf("the step %s → %s failed: %s; the way there: %s", e.From, e.To, p, trail(path))
		}
		status = after(e)
		path = append(path, string(status))
	}
	return ""
}

// choose returns an edge out of status: any, or one that leads towards an end.
func (s *subject) choose(random *rand.Rand, steps map[fsm.Status]int, status fsm.Status, anywhere bool) fsm.Edge {
	var out, near []fsm.Edge
	best := math.MaxInt
	for _, e := range s.edges {
		if e.From != status {
			continue
		}
		out = append(out, e)
		there, ok := steps[after(e)]
		if !ok || there > best {
			continue
		}
		if there < best {
			near, best = nil, there
		}
		near = append(near, e)
	}
	if !anywhere && len(near) > 0 {
		out = near
	}
	return out[random.IntN(len(out))]
}

// trail keeps the end of a long way.
func trail(path []string) string {
	const limit = 12
	if len(path) > limit {
		path = append([]string{"…"}, path[len(path)-limit:]...)
	}
	return strings.Join(path, " → ")
}
