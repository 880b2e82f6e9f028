package blackboard

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

// Render returns the board's values as one JSON object of at most maxBytes
// bytes, sorted by name, for a prompt. 0 means 8 KiB, negative no bound. The
// package comment shows what becomes of that which does not fit. When not
// everything finds a place, the values of built-in agents come first, then the
// results of sub-tasks, the latest first, then the others by name. Blobs are
// not shown.
//
// Every "$ref" that Render adds is a path that [Board.Lookup] finds. The same
// contents give the same text. The error is over [ErrInvalid] when maxBytes is too
// small even to say that something was left out.
func (b *Board) Render(maxBytes int) (json.RawMessage, error) {
	o := b.fields()
	if maxBytes == 0 {
		maxBytes = promptsize.Excerpt
	}
	if maxBytes < 0 || o.len() <= maxBytes {
		return o.whole(), nil
	}
	// The most important first; writing goes by position again.
	slices.SortStableFunc(o.fields, func(x, y field) int { return cmp.Compare(rank(x.name), rank(y.name)) })
	out := o.shrink(place{known: true}, maxBytes)
	if out == nil {
		return nil, &opError{"render", "", fmt.Errorf("%w: a budget of %d bytes is too small", ErrInvalid, maxBytes)}
	}
	return out, nil
}

// fields returns everything on the board as one object, sorted by name.
func (b *Board) fields() object {
	b.mu.RLock()
	defer b.mu.RUnlock()
	var o object
	for i, name := range b.sortedNames() {
		o.fields = append(o.fields, field{name: name, quoted: appendQuoted(nil, name), value: b.values[name], position: i})
	}
	return o
}

// rank orders names by how much an agent needs their values.
func rank(name string) int {
	switch name {
	case boarddata.CurrentSubtask:
		return 0
	case boarddata.Plan:
		return 1
	case boarddata.TaskProgress:
		return 2
	case boarddata.HostLastStep:
		return 3
	}
	if n := resultNumber(name); n > 0 {
		return math.MaxInt - n
	}
	return math.MaxInt
}
