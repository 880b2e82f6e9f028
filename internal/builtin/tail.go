package builtin

import (
	"errors"
	"slices"

	"github.com/agentfsm/agentfsm/acting"
)

var (
	errGap    = errors.New("what was between these changes and what is there is missing")
	errShrunk = errors.New("these changes are older than what is there")
)

// Tail is what came to a list behind its first From items. What was behind them
// before is gone.
type Tail[T comparable] struct {
	From int `json:"from"`
	Add  []T `json:"add,omitempty"`
}

// Apply returns the list as it is afterwards; that of a nil Tail is as it was.
func (t *Tail[T]) Apply(list []T) ([]T, error) {
	switch {
	case t == nil:
		return list, nil
	case t.From < 0 || t.From > len(list):
		return nil, errGap
	}
	return extend(list, t.From, t.Add), nil
}

// extend returns the first n items of a list with more behind them. What the list
// has is not changed.
func extend[T any](list []T, n int, more []T) []T {
	if n < len(list) {
		list = slices.Clip(list[:n])
	}
	return append(list, more...)
}

// Grown is a list as it was told last. The items of what it is given must not be
// changed in their place; appending to it, or another list, is well.
type Grown[T comparable] struct{ told []T }

// Keep makes list what was told.
func (g *Grown[T]) Keep(list []T) { g.told = list }

// Diff returns what became of the list since, nil where nothing did. It does not
// keep it.
func (g *Grown[T]) Diff(list []T) *Tail[T] {
	same := 0
	if n := len(g.told); n > 0 && len(list) >= n && &list[0] == &g.told[0] {
		same = n // it was appended to at most, and need not be compared
	}
	for same < min(len(list), len(g.told)) && list[same] == g.told[same] {
		same++
	}
	if same == len(list) && same == len(g.told) {
		return nil
	}
	return &Tail[T]{From: same, Add: list[same:]}
}

// memories are what came to a memory that had remembered From steps, the dropped
// ones included. A memory only grows at its end, and drops what is oldest.
type memories struct {
	From    int           `json:"from"`
	Add     []acting.Memo `json:"add,omitempty"`
	Dropped int           `json:"dropped,omitempty"` // in all
}

// remembered counts the steps of a memory, the dropped ones included.
func remembered(m *acting.Memory) int { return m.Dropped + len(m.Items) }

// newMemories returns what came to a memory that had remembered from steps; nil:
// nothing.
func newMemories(m *acting.Memory, from int) *memories {
	added := remembered(m) - from
	if added == 0 {
		return nil
	}
	return &memories{From: from, Add: m.Recent(added), Dropped: m.Dropped}
}

// apply returns a memory as it is afterwards. Steps that it has from From on are
// the same ones, told again: a snapshot may be younger than the changes before the
// ones that follow it.
func (n *memories) apply(m acting.Memory) (acting.Memory, error) {
	if n == nil {
		return m, nil
	}
	// Add has the last steps: all from From on, or as many as are not dropped.
	first := max(n.From, n.Dropped)
	switch have := remembered(&m); {
	case n.From < 0 || n.From > have:
		return acting.Memory{}, errGap
	case n.Dropped < m.Dropped || first+len(n.Add) < have:
		return acting.Memory{}, errShrunk
	}
	var kept []acting.Memo
	if n.Dropped < first {
		kept = extend(m.Items, first-m.Dropped, nil)[n.Dropped-m.Dropped:]
	}
	return acting.Memory{Items: append(kept, n.Add...), Dropped: n.Dropped}, nil
}
