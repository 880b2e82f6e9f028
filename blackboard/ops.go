package blackboard

import (
	"fmt"
	"math"
	"slices"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// change does one operation, which has what it puts in normal form, and fills in its number. Nothing
// is changed if there is an error.
func (b *Board) change(op *boarddata.Op) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.do(op)
}

// do is change; the lock is held, as in all methods that are called so.
func (b *Board) do(op *boarddata.Op) error {
	changed, verb, name := true, string(op.Kind), op.Name
	var err error
	switch op.Kind {
	case boarddata.OpPut:
		changed, err = b.put(op)
	case boarddata.OpPutNew:
		verb = "put"
		err = b.putNew(op)
	case boarddata.OpAppend:
		err = b.append(op, 0)
	case boarddata.OpDrop:
		err = b.drop(op)
	case boarddata.OpDelete:
		changed, err = b.delete(op.Name)
	case boarddata.OpOpen:
		err = b.open(op)
	case boarddata.OpClose:
		err = b.close(op)
	case boarddata.OpPutBlob:
		verb = "put"
		changed, err = b.putBlob(op)
	case boarddata.OpDeleteBlob:
		changed = b.deleteBlob(op.Name)
	case boarddata.OpCount:
		err = b.countTo(op)
	case boarddata.OpClear:
		b.contents = contents{numbered: b.numbered} // a name that this board gave may still be in use
	default:
		return fmt.Errorf("%w: no operation is called %q", ErrInvalid, clip(verb))
	}
	if err != nil {
		return &opError{verb, name, err}
	}
	if changed {
		b.note(*op)
	}
	return nil
}

// note logs an operation.
func (b *Board) note(op boarddata.Op) {
	if b.logging {
		b.log = append(b.log, op)
	}
}

func (b inside) Replay(ops []boarddata.Op) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	before, limit, logged := b.contents.clone(), b.max, len(b.log)
	b.max = -1
	defer func() { b.max = limit }()
	for i := range ops {
		op := ops[i]
		err := check(&op)
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

// check makes a recorded operation one for change, as the methods of Board do.
func check(op *boarddata.Op) (err error) {
	numbered := op.Kind == boarddata.OpPutNew || op.Kind == boarddata.OpAppend || op.Kind == boarddata.OpOpen || op.Kind == boarddata.OpCount
	if op.N < 0 || op.N >= math.MaxInt32 || numbered && op.N == 0 {
		return fmt.Errorf("%w: number %d", ErrInvalid, op.N)
	}
	switch op.Kind {
	case boarddata.OpPut, boarddata.OpPutNew, boarddata.OpAppend:
		op.Value, err = normal(op.Value)
	case boarddata.OpOpen:
		err = newSubtask(op)
	case boarddata.OpClose:
		err = newEnd(op)
	case boarddata.OpPutBlob:
		if len(op.Data) == 0 || blobRef(op.Data) != op.Name {
			return fmt.Errorf("%w: blob %q has other content", ErrInvalid, clip(op.Name))
		}
		op.MediaType, op.Data = valid(op.MediaType), slices.Clone(op.Data)
	case boarddata.OpDelete, boarddata.OpDrop, boarddata.OpDeleteBlob, boarddata.OpCount, boarddata.OpClear:
	}
	if err != nil {
		return &opError{string(op.Kind), op.Name, err}
	}
	return nil
}
