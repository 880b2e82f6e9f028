package blackboard

import (
	"encoding/json"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// List is the name of a list that only grows and the Go type of its items. A
// list comes into being with its first item.
type List[T any] struct{ name string }

// NewList returns the list of that name. The name must not be empty when the
// list is used, and must not be that of a value.
func NewList[T any](name string) List[T] { return List[T]{name} }

// Append adds one item. Later changes to v do not reach the board. The error
// is over [ErrNotSerialisable], [ErrFull], or [ErrInvalid], also when the name
// is that of a value; the board is then unchanged.
func (l List[T]) Append(b *Board, v T) error {
	item, err := encode(v)
	if err != nil {
		return &opError{"append", l.name, err}
	}
	return b.append(l.name, item)
}

// All returns copies of the items, the oldest first; none when there is no
// list. The error is over [ErrInvalid] when the name is that of a value, or
// when an item does not fit T.
func (l List[T]) All(b *Board) ([]T, error) {
	e, ok := b.entry(l.name)
	if !ok {
		return nil, nil
	}
	if !e.list {
		return nil, &opError{"get", l.name, errWrongType}
	}
	all := make([]T, len(e.items))
	for i, item := range e.items {
		v, err := decode[T](item)
		if err != nil {
			return nil, &opError{"get", l.name, err}
		}
		all[i] = v
	}
	return all, nil
}

func (b *Board) append(name string, item json.RawMessage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.doAppend(name, item)
}

func (b *Board) doAppend(name string, item json.RawMessage) error {
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
	if err := b.room(delta); err != nil {
		return &opError{"append", name, err}
	}
	// A reader that holds the shorter slice never looks at the new item.
	b.set(name, entry{list: true, items: append(e.items, item)}, delta)
	b.log.add(&boarddata.Op{Kind: boarddata.OpAppend, Name: name, N: len(e.items) + 1, Value: item})
	return nil
}
