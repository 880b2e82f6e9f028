package blackboard

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"

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
	text, err := b.excerpt(maxBytes, nil)
	return slices.Clone(text), err
}

// excerpt is Render without some values. The text may be kept.
func (b *Board) excerpt(maxBytes int, leaveOut []string) (json.RawMessage, error) {
	if maxBytes == 0 {
		maxBytes = promptsize.Excerpt
	}
	b.mu.RLock()
	kept := b.excerpts
	text, changes := kept.find(maxBytes, leaveOut)
	if text != nil {
		b.mu.RUnlock()
		return text, nil
	}
	room := fieldPool.Get().(*[]field)
	o, whole := b.fields(maxBytes, leaveOut, *room)
	b.mu.RUnlock()
	if whole {
		text = o.whole()
	} else {
		text = o.shrink(place{known: true}, maxBytes)
		clear(o.fields)
		*room = o.fields[:0]
	}
	fieldPool.Put(room)
	if text == nil {
		return nil, &opError{"render", "", fmt.Errorf("%w: a budget of %d bytes is too small", ErrInvalid, maxBytes)}
	}
	if maxBytes > 0 && maxBytes <= promptsize.Excerpt { // a larger one is asked for once
		kept.keep(maxBytes, leaveOut, text, changes)
	}
	return text, nil
}

// fields returns everything on the board as one object, sorted by name, where that has at
// most maxBytes bytes, or they are negative. Else it is what an excerpt can have of it, the
// most important first, in room. Neither has anything of leaveOut. The lock is held.
func (b *Board) fields(maxBytes int, leaveOut []string, room []field) (o object, whole bool) {
	without := make(map[string]bool, len(leaveOut))
	quoted := b.quoted
	o.rest, o.restBytes = len(b.values), b.valued
	for _, name := range leaveOut {
		if e, there := b.values[name]; there && !without[name] {
			without[name] = true
			quoted -= len(e.name)
			o.rest--
			o.restBytes -= e.len()
		}
	}
	if size := 1 + max(1, quoted+o.restBytes+2*o.rest); maxBytes < 0 || size <= maxBytes {
		o = object{}
		for _, name := range b.sortedNames() {
			if !without[name] {
				o.add(name, b.values[name])
			}
		}
		return o, true
	}
	names := b.names.first(maxBytes/leastField+1+len(without), b.values)
	o.fields, o.byName = slices.Grow(room, len(names)), true
	for _, name := range names {
		if without[name] {
			continue
		}
		e := b.values[name]
		o.add(name, e)
		o.rest--
		o.restBytes -= e.len()
	}
	return o, false
}

// fieldPool has room for the fields of excerpts, of which few are shown.
var fieldPool = sync.Pool{New: func() any { return new([]field) }}

func (o *object) add(name string, e entry) {
	o.fields = append(o.fields, field{name: name, quoted: e.name, value: e})
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
