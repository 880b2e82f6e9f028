package blackboard

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// defaultMaxBytes bounds a board that has no bound of its own.
const defaultMaxBytes = 64 << 20

// Board is a dictionary of JSON values that all agents of a session share.
// It is safe for concurrent use and must not be copied. Its zero value is an
// empty board with the default bound.
type Board struct {
	max int

	mu sync.RWMutex // guards the rest
	contents
	logging bool
	log     []boarddata.Op
	keep    func(ctx context.Context, change func()) error
}

// contents is everything that a board stores. Bytes in it never change,
// so readers may use them without the lock.
type contents struct {
	size     int
	values   map[string]entry
	subtasks []*subtask // in order of opening
	blobs    map[string]blob
	numbered map[string]int // the last number that PutNew gave, by prefix
}

func (c *contents) clone() contents {
	return contents{c.size, maps.Clone(c.values), slices.Clone(c.subtasks), maps.Clone(c.blobs), maps.Clone(c.numbered)}
}

// entry is a value or a list.
type entry struct {
	raw     json.RawMessage   // of a value, in normal form
	items   []json.RawMessage // of a list; only ever appended to
	dropped int               // how many items a list had before these
	size    int               // bytes of raw and items
}

func value(raw json.RawMessage) entry { return entry{raw: raw, size: len(raw)} }

func (e entry) list() bool { return e.items != nil }

// count returns how many items a list has ever had.
func (e entry) count() int { return e.dropped + len(e.items) }

// len returns the length of the entry as JSON.
func (e entry) len() int {
	if e.list() {
		return e.size + len(e.items) + 1 // brackets and commas
	}
	return e.size
}

// json returns the entry as JSON, which the caller owns.
func (e entry) json() json.RawMessage {
	if !e.list() {
		return bytes.Clone(e.raw)
	}
	out := append(make([]byte, 0, e.len()), '[')
	for i, item := range e.items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, item...)
	}
	return append(out, ']')
}

// New returns an empty board. maxBytes bounds what [Board.Size] counts. 0: 64 MiB; negative: no bound.
func New(maxBytes int) *Board { return &Board{max: maxBytes} }

// Raw returns the JSON of a value; of a list, the array of its items. ok is
// false if the board has no such value. The caller owns the result. It has
// no white space between its tokens.
func (b *Board) Raw(name string) (raw json.RawMessage, ok bool) {
	e, ok := b.entry(name)
	if !ok {
		return nil, false
	}
	return e.json(), true
}

// PutRaw sets a value from JSON, which it copies. The error is over
// [ErrNotSerialisable] if raw is not valid JSON, [ErrFull], or [ErrInvalid].
func (b *Board) PutRaw(name string, raw json.RawMessage) error {
	return b.change(&boarddata.Op{Kind: boarddata.OpPut, Name: name, Value: raw})
}

// PutNew sets a new value from JSON under the name prefix_N and returns that
// name. N counts from 1 for each prefix, also after the board was stored and loaded.
// PutNew gives no number twice, even if the value was deleted, and passes over
// names that are taken. So a name leads to what was put there, or to nothing.
// The errors are those of [Board.PutRaw]; then no number is used up.
func (b *Board) PutNew(prefix string, raw json.RawMessage) (name string, err error) {
	op := &boarddata.Op{Kind: boarddata.OpPutNew, Name: prefix, Value: raw}
	if err := b.change(op); err != nil {
		return "", err
	}
	return numberedName(prefix, op.N), nil
}

// Append adds one item to the list of that name, and makes the list with its first item. A [Key] of
// a slice reads it. Later changes to v do not reach the board. The error
// is over [ErrNotSerialisable], [ErrFull], or [ErrInvalid], also if the name
// is that of a value; the board is then unchanged.
func (b *Board) Append(name string, v any) error {
	op, err := encode(boarddata.OpAppend, name, v)
	if err != nil {
		return err
	}
	return b.change(&op)
}

// Delete removes a value, if there is one. The error is over
// [ErrInvalid] for a list and for the result of a sub-task.
func (b *Board) Delete(name string) error {
	return b.change(&boarddata.Op{Kind: boarddata.OpDelete, Name: name})
}

// Names returns the names of all values, lists and results, sorted.
func (b *Board) Names() []string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return slices.Sorted(maps.Keys(b.values))
}

// Size returns how many bytes the board holds: names, values as JSON,
// sub-tasks and blobs.
func (b *Board) Size() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.size
}

func (b *Board) entry(name string) (entry, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	e, ok := b.values[name]
	return e, ok
}

func numberedName(prefix string, n int) string { return prefix + "_" + strconv.Itoa(n) }

// Holder is an agent that has a blackboard. A Round whose first agent is one
// shares it, and refuses an Options.Board that is another one.
type Holder interface {
	// Board returns the same blackboard at every call; nil: the Round's will do.
	Board() *Board
}
