package fsmtest

import (
	"fmt"
	"sync"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

const (
	repeats    = 32 // how often the Next methods are asked in a row
	goroutines = 8  // and by how many at once
)

// answer is what the Next methods say of one agent in one state.
type answer struct {
	to   fsm.Status
	next fsm.Agent
}

func ask(b *fsm.Bound, a fsm.Agent) (got answer, problem string) {
	defer func() {
		if v := recover(); v != nil {
			problem = fmt.Sprintf("a Next method panics: %v", v)
		}
	}()
	var err error
	if got.to, _, got.next, err = b.Next(a); err != nil {
		return got, err.Error()
	}
	if nilcheck.IsNil(got.next) {
		return got, "NextAgent returns nil: it must name the agent itself when there is no other"
	}
	return got, ""
}

// findImpure asks in every state, with nothing decided and with every wish that
// its edges leave room for.
func findImpure(s *subject) []string {
	var problems []string
	for _, status := range s.set.Statuses() {
		wishes := []fsm.Decision{{}}
		for _, e := range s.edges {
			if e.From == status {
				wishes = append(wishes, fsm.Decision{To: e.To, By: one(e.By)})
			}
		}
		for _, w := range wishes {
			if p := s.impure(status, w); p != "" {
				problems = append(problems, fmt.Sprintf("%s: %s", where(status, w), p))
				break // the other wishes mostly show the same
			}
		}
	}
	return problems
}

func where(status fsm.Status, w fsm.Decision) string {
	if w.To == "" {
		return fmt.Sprintf("%s, with nothing decided", status)
	}
	return fmt.Sprintf("%s, with %s decided", status, w.To)
}

func (s *subject) impure(status fsm.Status, w fsm.Decision) string {
	b, a := s.set.Bind(status), s.at(status, w.To, w.By)
	before, err := pictureOf(a)
	if err != nil {
		return err.Error()
	}
	if p, err := pictureOf(a); err != nil || before.differs(p) != "" {
		return "Save differs from one call to the next, with nothing in between: leave out what does, such as the time"
	}
	first, problem := ask(b, a)
	if problem != "" {
		return problem
	}
	for range repeats {
		if problem := again(b, a, first); problem != "" {
			return problem
		}
	}
	if problem := changed(a, before); problem != "" {
		return problem // not from several goroutines: what it writes would be a race
	}
	var all [goroutines]string
	var done sync.WaitGroup
	for i := range all {
		done.Go(func() {
			for range repeats {
				if all[i] = again(b, a, first); all[i] != "" {
					return
				}
			}
		})
	}
	done.Wait()
	for _, problem := range all {
		if problem != "" {
			return problem + " (asked by several goroutines at once)"
		}
	}
	return changed(a, before)
}

// again asks once more and compares.
func again(b *fsm.Bound, a fsm.Agent, first answer) string {
	got, problem := ask(b, a)
	switch {
	case problem != "":
		return problem
	case got.to != first.to:
		return fmt.Sprintf("NextState returns %q first and %q then, of the same agent", first.to, got.to)
	case got.next != first.next:
		return fmt.Sprintf("NextAgent returns %s first and %s then, of the same agent", first.next.Name(), got.next.Name())
	}
	return ""
}

func changed(a fsm.Agent, before picture) string {
	after, err := pictureOf(a)
	if err != nil {
		return err.Error()
	}
	if d := before.differs(after); d != "" {
		return "NextState or NextAgent changes " + d + ": effects belong in Handle"
	}
	return ""
}
