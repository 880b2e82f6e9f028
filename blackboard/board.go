package blackboard

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// defaultMaxBytes bounds a board that was made with no bound of its own.
const defaultMaxBytes = 64 << 20

// Board is a dictionary of JSON values that all agents of a session share.
// It is safe for concurrent use and must not be copied. Its zero value is an
// empty board with the default bound.
type Board struct {
	max int

	mu       sync.RWMutex
	contents      // guarded by mu, as the rest
	logging  bool // of operations
	log      []boarddata.Op
	keep     func(ctx context.Context, change func()) error
}

// contents is everything that a board stores. The bytes in it are never
// changed once they are there, so that readers may use them without the lock.
type contents struct {
	size     int
	values   map[string]entry
	subtasks []*subtask // in order of opening
	byID     map[string]*subtask
	blobs    map[string]blob
	numbered map[string]int // the last number that PutNew gave, by prefix
}

func (c *contents) clone() contents {
	copied := *c
	copied.values, copied.subtasks, copied.byID = maps.Clone(c.values), slices.Clone(c.subtasks), maps.Clone(c.byID)
	copied.blobs, copied.numbered = maps.Clone(c.blobs), maps.Clone(c.numbered)
	return copied
}

// entry is a value or a list.
type entry struct {
	raw     json.RawMessage   // of a value, in normal form
	items   []json.RawMessage // of a list; only ever appended to
	dropped int               // how many items a list had before these
}

func (e entry) list() bool { return e.items != nil }

// count returns how many items a list has ever had.
func (e entry) count() int { return e.dropped + len(e.items) }

// len returns how many bytes the entry has as JSON.
func (e entry) len() int {
	if !e.list() {
		return len(e.raw)
	}
	return sizeOf(e.items) + len(e.items) + 1 // brackets and commas
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

func sizeOf(items []json.RawMessage) (size int) {
	for _, item := range items {
		size += len(item)
	}
	return size
}

// New returns an empty board. maxBytes bounds what [Board.Size] counts. 0: 64 MiB; negative: no bound.
func New(maxBytes int) *Board { return &Board{max: maxBytes} }

// Raw returns the JSON of a value; of a list, the array of its items. ok is
// false when there is none of that name. The result is the caller's own. It
// has no white space between its tokens; otherwise it reads as it was put.
func (b *Board) Raw(name string) (raw json.RawMessage, ok bool) {
	e, ok := b.entry(name)
	if !ok {
		return nil, false
	}
	return e.json(), true
}

// PutRaw sets a value from JSON; raw is copied. The error is over
// [ErrNotSerialisable] when raw is not valid JSON, [ErrFull], or [ErrInvalid].
func (b *Board) PutRaw(name string, raw json.RawMessage) error {
	value, err := normal(raw)
	if err != nil {
		return &opError{"put", name, err}
	}
	return b.change(&boarddata.Op{Kind: boarddata.OpPut, Name: name, Value: value})
}

// PutNew sets a new value from JSON under the name prefix_N and returns that
// name. N counts from 1 for each prefix, also through a store and a load; no
// number is given twice, not even that of a value that was deleted, and names
// that are taken are passed over. So the holder of a name finds what it put
// there, or nothing. The errors are those of [Board.PutRaw]; then no number is
// used up.
func (b *Board) PutNew(prefix string, raw json.RawMessage) (name string, err error) {
	value, err := normal(raw)
	if err != nil {
		return "", &opError{"put", prefix, err}
	}
	op := &boarddata.Op{Kind: boarddata.OpPutNew, Name: prefix, Value: value}
	if err := b.change(op); err != nil {
		return "", err
	}
	return numberedName(prefix, op.N), nil
}

// Append adds one item to the list of that name, and makes the list with its first item. A [Key] of
// a slice reads it. Later changes to v do not reach the board. The error
// is over [ErrNotSerialisable], [ErrFull], or [ErrInvalid], also when the name
// is that of a value; the board is then unchanged.
func (b *Board) Append(name string, v any) error {
	item, err := encode(v)
	if err != nil {
		return &opError{"append", name, err}
	}
	return b.change(&boarddata.Op{Kind: boarddata.OpAppend, Name: name, Value: item})
}

// Delete removes a value. Nothing happens when there is none. The error is over
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

// room checks that the board may grow by delta bytes. Shrinking is always
// allowed, so that a full board can be tidied up.
func (b *Board) room(delta int) error {
	limit := b.max
	if limit == 0 {
		limit = defaultMaxBytes
	}
	if limit < 0 || delta <= 0 || delta <= limit-b.size {
		return nil
	}
	return fmt.Errorf("%w: %d bytes more than the %d in use exceed %d", ErrFull, delta, b.size, limit)
}

// set sets a value, which makes the board larger by delta bytes.
func (c *contents) set(name string, e entry, delta int) {
	if c.values == nil {
		c.values = make(map[string]entry)
	}
	c.values[name] = e
	c.size += delta
}

func (b *Board) put(op *boarddata.Op) (changed bool, err error) {
	old, there := b.values[op.Name]
	delta := len(op.Value) - len(old.raw)
	if !there {
		delta += len(op.Name)
	}
	if err = checkName(op.Name); err == nil && old.list() {
		err = errGrowOnly
	}
	if err == nil {
		err = b.room(delta)
	}
	if err != nil {
		return false, err
	}
	b.set(op.Name, entry{raw: op.Value}, delta)
	return !bytes.Equal(old.raw, op.Value), nil
}

// putNew gives the value the next number, unless op has one.
func (b *Board) putNew(op *boarddata.Op) error {
	n := op.N
	if n == 0 {
		for n = b.numbered[op.Name] + 1; b.has(numberedName(op.Name, n)); n++ {
		}
	}
	name := numberedName(op.Name, n)
	err := checkName(name)
	switch {
	case op.Name == "":
		err = fmt.Errorf("%w: empty name", ErrInvalid)
	case err == nil && (n <= b.numbered[op.Name] || b.has(name)):
		err = errExists
	case err == nil:
		err = b.room(len(name) + len(op.Value))
	}
	if err != nil {
		return err
	}
	b.set(name, entry{raw: op.Value}, len(name)+len(op.Value))
	op.N = n
	b.count(op.Name, n)
	return nil
}

func (b *Board) has(name string) bool {
	_, there := b.values[name]
	return there
}

func (b *Board) countTo(op *boarddata.Op) error {
	if op.Name == "" {
		return fmt.Errorf("%w: empty name", ErrInvalid)
	}
	err := checkName(numberedName(op.Name, op.N))
	if err == nil {
		b.count(op.Name, op.N)
	}
	return err
}

// count notes that the numbers up to n are used.
func (c *contents) count(prefix string, n int) {
	if c.numbered == nil {
		c.numbered = make(map[string]int)
	}
	c.numbered[prefix] = max(n, c.numbered[prefix])
}

func numberedName(prefix string, n int) string { return prefix + "_" + strconv.Itoa(n) }

func (b *Board) delete(name string) (changed bool, err error) {
	e, there := b.values[name]
	switch {
	case !there:
		return false, nil
	case e.list():
		return false, errGrowOnly
	case resultNumber(name) > 0:
		return false, errReserved
	}
	b.size -= len(name) + len(e.raw)
	delete(b.values, name)
	return true, nil
}

// append adds an item to a list of a board that is about to lose some bytes.
func (b *Board) append(op *boarddata.Op, freed int) error {
	e, there := b.values[op.Name]
	delta := len(op.Value)
	if !there {
		delta += len(op.Name)
	}
	err := checkName(op.Name)
	switch {
	case err == nil && there && !e.list():
		err = errWrongType
	case err == nil && there && op.N != 0 && op.N != e.count()+1: // a new list may have lost items
		err = fmt.Errorf("%w: it is not item %d", ErrInvalid, op.N)
	case err == nil:
		err = b.room(delta - freed)
	}
	if err != nil {
		return err
	}
	if op.N == 0 {
		op.N = e.count() + 1
	}
	e.dropped = op.N - 1 - len(e.items)
	e.items = append(e.items, op.Value) // a reader that holds the shorter slice never looks at the new item
	b.set(op.Name, e, delta)
	return nil
}

func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: empty name", ErrInvalid)
	case !utf8.ValidString(name):
		return fmt.Errorf("%w: name is not UTF-8", ErrInvalid)
	case resultNumber(name) > 0:
		return errReserved
	}
	return nil
}
