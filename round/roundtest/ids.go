package roundtest

import (
	"errors"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/round/journal"
)

// findMixed uses ids that are alike.
func findMixed(s *subject) []string {
	var p problems
	store := s.open()
	ids := []string{"a", "A", "a ", " a", "á", "a\u0301", "a.", "a/b", `a\b`, "a%2fb", "..", "../a", "a'b", `a"b`, "a_b", "a%", "a:b", "a*", "a?", "con", "nul.txt", "COM1", "~a", "-a",
		"日本語", "🧾", "ß", "SS", "a\u200bb", strings.Repeat("x", journal.MaxRun), strings.Repeat("Ü", journal.MaxRun/2), "order 2026-11-20T18:30:00Z", "b", "B", "10", "9", "é", "z", "Z"}
	slices.Sort(ids)
	for _, id := range ids {
		if p.put(s.write(store, id, 0, []byte("of "+id))) {
			return p
		}
	}
	for _, id := range slices.Backward(ids) { // not in their order
		p.put(s.write(store, id, 1, []byte("more of "+id)))
	}
	for _, id := range ids {
		p.put(s.expect(store, id, 1, []byte("of "+id), []byte("more of "+id)))
	}
	p.put(s.expectRuns(store, ids...))
	return p
}

// findLenient uses what is no id.
func findLenient(s *subject) []string {
	var p problems
	store := s.open()
	for _, id := range []string{"", "a\x00b", "a\nb", "\u0085", "\xff", strings.Repeat("x", journal.MaxRun+1)} {
		if err := store.Append(s.ctx(), id, 0, []byte("x")); !errors.Is(err, journal.ErrRun) {
			p.add("Append to %s returns %v and not journal.ErrRun: call journal.CheckRun first", name(id), err)
		}
		if _, problem, err := s.read(s.ctx(), store, id, 1); !p.put(problem) && !errors.Is(err, journal.ErrRun) {
			p.add("Read of %s ends with %v and not with journal.ErrRun: call journal.CheckRun first", name(id), err)
		}
	}
	p.put(s.expectRuns(store))
	return p
}
