package blackboard

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// errUnchanged is the error of an operation that has nothing to do.
var errUnchanged = errors.New("blackboard: unchanged")

// operate does what a method of a board or Replay asks for. It fills in the number and the name that
// the board gives. If there is an error it changes nothing.
func (b *Board) operate(op *boarddata.Op) error {
	switch op.Kind {
	case boarddata.OpPut:
		return b.put(op)
	case boarddata.OpPutNew:
		return b.putNew(op)
	case boarddata.OpAppend:
		return b.append(op)
	case boarddata.OpDrop:
		return b.drop(op)
	case boarddata.OpDelete:
		return b.delete(op.Name)
	case boarddata.OpOpen:
		return b.open(op)
	case boarddata.OpClose:
		return b.close(op)
	case boarddata.OpPutBlob:
		return b.putBlob(op)
	case boarddata.OpDeleteBlob:
		return b.deleteBlob(op.Name)
	case boarddata.OpCount:
		return b.countTo(op)
	case boarddata.OpClear: // but not the numbers: a name that this board gave may still be in use
		b.contents = contents{values: map[string]entry{}, blobs: map[string]blob{}, numbered: b.numbered}
		return nil
	}
	return fmt.Errorf("%w: no operation is called %q", ErrInvalid, clip(string(op.Kind)))
}

func (b *Board) change(op *boarddata.Op) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.do(op)
}

// encode returns an operation that has v as its value.
func encode(kind boarddata.OpKind, name string, v any) (boarddata.Op, error) {
	raw, err := text(v)
	if err != nil {
		return boarddata.Op{}, &opError{string(kind), name, fmt.Errorf("%w: %w", ErrNotSerialisable, err)}
	}
	return boarddata.Op{Kind: kind, Name: name, Value: raw}, nil
}

// do does one operation and logs it. The caller holds the lock, as for all operations.
func (b *Board) do(op *boarddata.Op) error {
	if b.values == nil {
		b.values, b.blobs, b.numbered = map[string]entry{}, map[string]blob{}, map[string]int{}
	}
	name := op.Name
	verb, _, _ := strings.Cut(cmp.Or(string(op.Kind), "operation"), "_") // put of put_new and put_blob
	switch err := b.operate(op); {
	case errors.Is(err, errUnchanged):
		return nil
	case err != nil:
		return &opError{verb, name, err}
	case b.logging:
		b.log = append(b.log, *op)
	}
	return nil
}

func (b inside) Replay(ops []boarddata.Op) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	before, limit, logged := b.contents.clone(), b.max, len(b.log)
	b.max = -1
	defer func() { b.max = limit }()
	for i := range ops {
		op := ops[i]
		err := checkNumber(op)
		if err == nil {
			err = b.do(&op)
		}
		if err != nil {
			b.contents, b.log = before, b.log[:logged]
			return &opError{"replay", "", fmt.Errorf("%w: operation %d: %w", errCorrupt, i+1, err)}
		}
	}
	return nil
}

// checkNumber checks that a recorded operation has the number that the board gave.
func checkNumber(op boarddata.Op) error {
	numbered := op.Kind == boarddata.OpPutNew || op.Kind == boarddata.OpAppend || op.Kind == boarddata.OpOpen || op.Kind == boarddata.OpCount
	if op.N < 0 || op.N >= math.MaxInt32 || numbered && op.N == 0 {
		return fmt.Errorf("%w: number %d", ErrInvalid, op.N)
	}
	return nil
}

// room checks that the board may grow by delta bytes. It may always shrink,
// so that a program can tidy up a full board.
func (b *Board) room(delta int) error {
	limit := cmp.Or(b.max, defaultMaxBytes)
	if limit < 0 || delta <= 0 || delta <= limit-b.size {
		return nil
	}
	return fmt.Errorf("%w: %d bytes more than the %d in use exceed %d", ErrFull, delta, b.size, limit)
}

// growth returns how many bytes the board grows by if it sets an entry.
func (b *Board) growth(name string, e entry) int {
	old, there := b.values[name]
	if !there {
		return len(name) + e.size
	}
	return e.size - old.size
}

func (b *Board) set(name string, e entry) {
	b.size += b.growth(name, e)
	b.values[name] = e
}

// add sets an entry if its name is valid and the board has room.
func (b *Board) add(name string, e entry) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: empty name", ErrInvalid)
	case !utf8.ValidString(name):
		return fmt.Errorf("%w: name is not UTF-8", ErrInvalid)
	case resultNumber(name) > 0:
		return errReserved
	}
	err := b.room(b.growth(name, e))
	if err == nil {
		b.set(name, e)
	}
	return err
}

func (b *Board) put(op *boarddata.Op) (err error) {
	if op.Value, err = normal(op.Value); err != nil {
		return err
	}
	old := b.values[op.Name]
	switch {
	case old.list():
		return errGrowOnly
	case bytes.Equal(old.raw, op.Value):
		return errUnchanged
	}
	return b.add(op.Name, value(op.Value))
}

// putNew gives the value the next number, unless op has one.
func (b *Board) putNew(op *boarddata.Op) (err error) {
	if op.Value, err = normal(op.Value); err != nil {
		return err
	}
	n := cmp.Or(op.N, b.numbered[op.Name]+1)
	for op.N == 0 && b.has(numberedName(op.Name, n)) {
		n++
	}
	name := numberedName(op.Name, n)
	switch {
	case op.Name == "":
		return fmt.Errorf("%w: empty name", ErrInvalid)
	case n <= b.numbered[op.Name] || b.has(name):
		return errExists
	}
	if err = b.add(name, value(op.Value)); err == nil {
		op.N, b.numbered[op.Name] = n, n
	}
	return err
}

func (b *Board) has(name string) bool {
	_, there := b.values[name]
	return there
}

// countTo notes that the numbers of a prefix up to N are used.
func (b *Board) countTo(op *boarddata.Op) error {
	switch {
	case op.Name == "":
		return fmt.Errorf("%w: empty name", ErrInvalid)
	case resultNumber(numberedName(op.Name, op.N)) > 0:
		return errReserved
	}
	b.numbered[op.Name] = max(op.N, b.numbered[op.Name])
	return nil
}

func (b *Board) delete(name string) error {
	e, there := b.values[name]
	switch {
	case !there:
		return errUnchanged
	case e.list():
		return errGrowOnly
	case resultNumber(name) > 0:
		return errReserved
	}
	b.size -= len(name) + e.size
	delete(b.values, name)
	return nil
}

func (b *Board) append(op *boarddata.Op) (err error) {
	if op.Value, err = normal(op.Value); err != nil {
		return err
	}
	e, there := b.values[op.Name]
	n := cmp.Or(op.N, e.count()+1)
	switch {
	case there && !e.list():
		return errWrongType
	case there && n != e.count()+1: // a new list may have lost items
		return fmt.Errorf("%w: it is not item %d", ErrInvalid, n)
	}
	e.dropped = n - 1 - len(e.items)
	e.size += len(op.Value)
	e.items = append(e.items, op.Value) // a reader that holds the shorter slice never looks at the new item
	if err = b.add(op.Name, e); err == nil {
		op.N = n
	}
	return err
}

// drop drops the first N items that the list has ever had, but not its last one.
func (b *Board) drop(op *boarddata.Op) error {
	e := b.values[op.Name]
	old := op.N - e.dropped
	switch {
	case !e.list():
		return errWrongType
	case old <= 0 || old >= len(e.items):
		return fmt.Errorf("%w: it has the items %d to %d", ErrInvalid, e.dropped+1, e.count())
	}
	for _, item := range e.items[:old] {
		e.size -= len(item)
	}
	b.set(op.Name, entry{items: slices.Clone(e.items[old:]), dropped: op.N, size: e.size}) // readers may hold the longer slice
	return nil
}
