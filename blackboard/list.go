package blackboard

import (
	"encoding/json"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// Append adds one item to the list of that name, and makes the list with its first item. A [Key] of
// a slice reads it. Later changes to v do not reach the board. The error
// is over [ErrNotSerialisable], [ErrFull], or [ErrInvalid], also when the name
// is that of a value; the board is then unchanged.
func (b *Board) Append(name string, v any) error {
	item, err := encode(v)
	if err != nil {
		return &opError{"append", name, err}
	}
	return b.append(name, item)
}

func (b *Board) append(name string, item json.RawMessage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.doAppend(name, item, 0)
}

// doAppend adds an item to a board that is about to lose some bytes.
func (b *Board) doAppend(name string, item json.RawMessage, freed int) error {
	if err := checkName(name); err != nil {
		return &opError{"append", name, err}
	}
	e, exists := b.values[name]
	if exists && !e.list {
		return &opError{"append", name, errWrongType}
	}
	delta := len(item)
	if !exists {
		delta += len(name)
	}
	if err := b.room(delta - freed); err != nil {
		return &opError{"append", name, err}
	}
	// A reader that holds the shorter slice never looks at the new item.
	b.set(name, e.with(item), delta)
	b.log.add(&boarddata.Op{Kind: boarddata.OpAppend, Name: name, N: e.count() + 1, Value: item})
	return nil
}
