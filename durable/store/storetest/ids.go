package storetest

import (
	"errors"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/durable/store"
)

// findMixed uses ids that are alike.
func findMixed(s *subject) []string {
	var p problems
	st := s.open()
	ids := []string{"a", "A", "a a", "á", "a\u0301", "a.", "a/b", `a\b`, "a%2fb", "..", "../a", "a'b", `a"b`, "a_b", "a%", "a:b", "a*", "a?", "con", "nul.txt", "COM1", "~a", "-a",
		"日本語", "🧾", "ß", "SS", strings.Repeat("x", 80), strings.Repeat("Ü", 40), "order 2026-11-20T18:30:00Z", "b", "B", "10", "9", "é", "z", "Z"}
	slices.Sort(ids)
	for _, id := range ids {
		if p.put(s.write(st, id, 0, []byte("of "+id))) {
			return p
		}
	}
	for _, id := range slices.Backward(ids) { // not in their order
		p.put(s.write(st, id, 1, []byte("more of "+id)))
	}
	for _, id := range ids {
		p.put(s.expect(st, id, 1, []byte("of "+id), []byte("more of "+id)))
	}
	p.put(s.expectRuns(st, ids...))
	return p
}

// findLenient uses what is no id.
func findLenient(s *subject) []string {
	var p problems
	st := s.open()
	for _, id := range []string{"", "a\x00b", "a\nb", "\u0085", "\xff", "a\u202eb", " ", strings.Repeat("x", 81)} {
		if err := st.Append(s.ctx(), id, 0, []byte("x")); !errors.Is(err, store.ErrRun) {
			p.add("Append to %s returns %v and not store.ErrRun: call store.CheckRun first", name(id), err)
		}
		if _, problem, err := s.read(s.ctx(), st, id, 1); !p.put(problem) && !errors.Is(err, store.ErrRun) {
			p.add("Read of %s ends with %v and not with store.ErrRun: call store.CheckRun first", name(id), err)
		}
	}
	p.put(s.expectRuns(st))
	return p
}
