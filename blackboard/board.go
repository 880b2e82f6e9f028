package blackboard

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
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
	contents        // guarded by mu
	log      *opLog // likewise; nil: nobody wants to know what is done
	keep     func(ctx context.Context, change func()) error
}

// contents is everything that a board stores. The bytes in it are never
// changed once they are there, so that readers may use them without the lock.
type contents struct {
	size     int
	values   map[string]entry
	names    *nameIndex // of values
	excerpts *excerpts  // likewise
	valued   int        // bytes of all values as JSON
	quoted   int        // bytes of all names, quoted
	subtasks []*subtask // in order of opening
	byID     map[string]*subtask
	blobs    map[string]blob
	numbered map[string]int // the last number that PutNew gave, by prefix
}

// entry is a value or a list.
type entry struct {
	raw   json.RawMessage   // of a value, in normal form
	items []json.RawMessage // of a list; only ever appended to
	size  int               // of a list on a board: its bytes as JSON
	list  bool
	name  []byte // quoted, of what is on a board

	dropped int // how many items a list had before these
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
	return e.appendTo(nil), true
}

// PutRaw sets a value from JSON; raw is copied. The error is over
// [ErrNotSerialisable] when raw is not valid JSON, [ErrFull], or [ErrInvalid].
func (b *Board) PutRaw(name string, raw json.RawMessage) error {
	value, err := normal(raw)
	if err != nil {
		return &opError{"put", name, err}
	}
	return b.put(name, value)
}

// Delete removes a value. Nothing happens when there is none. The error is over
// [ErrInvalid] for a list and for the result of a sub-task.
func (b *Board) Delete(name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.doDelete(name)
}

// doDelete is Delete; the lock is held, as in all methods that are called so.
func (b *Board) doDelete(name string) error {
	e, ok := b.values[name]
	switch {
	case !ok:
		return nil
	case e.list:
		return &opError{"delete", name, errGrowOnly}
	case resultNumber(name) > 0:
		return &opError{"delete", name, errReserved}
	}
	b.unset(name, e)
	b.log.add(&boarddata.Op{Kind: boarddata.OpDelete, Name: name})
	return nil
}

// Names returns the names of all values, lists and results, sorted.
func (b *Board) Names() []string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.sortedNames()
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

// put sets a value that is in normal form and not used by anybody else.
func (b *Board) put(name string, value json.RawMessage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.doPut(name, value)
}

func (b *Board) doPut(name string, value json.RawMessage) error {
	if err := checkName(name); err != nil {
		return &opError{"put", name, err}
	}
	old, exists := b.values[name]
	if old.list {
		return &opError{"put", name, errGrowOnly}
	}
	delta := len(value) - len(old.raw)
	if !exists {
		delta += len(name)
	}
	if err := b.room(delta); err != nil {
		return &opError{"put", name, err}
	}
	b.set(name, entry{raw: value}, delta)
	if b.log != nil && !bytes.Equal(old.raw, value) {
		b.log.add(&boarddata.Op{Kind: boarddata.OpPut, Name: name, Value: value})
	}
	return nil
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

func (c *contents) set(name string, e entry, delta int) {
	if c.values == nil {
		c.values, c.names, c.excerpts = make(map[string]entry), &nameIndex{}, &excerpts{}
	}
	old, there := c.values[name]
	if e.name = old.name; !there {
		e.name = appendQuoted(nil, name)
		c.quoted += len(e.name)
		c.names.add(name)
	}
	c.valued += e.len() - old.len()
	c.values[name] = e
	c.excerpts.changed(name)
	c.size += delta
}

// unset removes a value.
func (c *contents) unset(name string, e entry) {
	c.size -= len(name) + len(e.raw)
	c.valued -= e.len()
	c.quoted -= len(e.name)
	c.names.remove(name)
	c.excerpts.changed(name)
	delete(c.values, name)
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

// len returns how many bytes the entry has as JSON.
func (e entry) len() int {
	switch {
	case !e.list:
		return len(e.raw)
	case e.size > 0:
		return e.size
	}
	n := 1 + max(1, len(e.items)) // brackets and commas
	for _, item := range e.items {
		n += len(item)
	}
	return n
}

// count returns how many items a list has ever had.
func (e entry) count() int { return e.dropped + len(e.items) }

// with is a list with one item more.
func (e entry) with(item json.RawMessage) entry {
	size := e.len() + len(item) + 1
	if len(e.items) == 0 {
		size = len(item) + 2
	}
	return entry{list: true, items: append(e.items, item), dropped: e.dropped, size: size}
}

func (e entry) appendTo(dst []byte) []byte {
	if !e.list {
		return append(dst, e.raw...)
	}
	dst = slices.Grow(dst, e.len())
	dst = append(dst, '[')
	for i, item := range e.items {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, item...)
	}
	return append(dst, ']')
}
