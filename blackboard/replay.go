package blackboard

import (
	"fmt"
	"math"
	"slices"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

func (b inside) Replay(ops []boarddata.Op) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	limit, log := b.max, b.log
	b.max = -1
	if log != nil {
		b.log = &opLog{last: make(map[opTarget]int)}
	}
	done := make([]func(), 0, len(ops))
	var err error
	for i := range ops {
		undo := b.undo(&ops[i])
		if err = b.do(&ops[i]); err != nil {
			err = &opError{"replay", "", fmt.Errorf("%w: operation %d: %w", errCorrupt, i+1, err)}
			break
		}
		done = append(done, undo)
	}
	again := b.log
	b.max, b.log = limit, log
	if err != nil {
		for _, undo := range slices.Backward(done) {
			undo()
		}
		return err
	}
	if log != nil {
		for i := range again.ops {
			log.add(&again.ops[i])
		}
	}
	return nil
}

// do does one operation. Nothing is changed when there is an error. The lock is held.
func (b *Board) do(op *boarddata.Op) error {
	if op.N < 0 || op.N >= math.MaxInt32 {
		return fmt.Errorf("%w: number %d", ErrInvalid, op.N)
	}
	switch op.Kind {
	case boarddata.OpPut, boarddata.OpPutNew, boarddata.OpAppend:
		value, err := normal(op.Value)
		switch {
		case err != nil:
			return &opError{string(op.Kind), op.Name, err}
		case op.Kind == boarddata.OpPut:
			return b.doPut(op.Name, value)
		case op.Kind == boarddata.OpPutNew:
			return b.doPutNew(op.Name, op.N, value)
		case op.N != b.values[op.Name].count()+1:
			return fmt.Errorf("%w: it is not item %d of %q", ErrInvalid, op.N, clip(op.Name))
		}
		return b.doAppend(op.Name, value, 0)
	case boarddata.OpDrop:
		return b.doDrop(op.Name, op.N)
	case boarddata.OpDelete:
		return b.doDelete(op.Name)
	case boarddata.OpOpen:
		s, err := newSubtask(op.Name, op.App, op.Text, op.DependsOn)
		if err != nil {
			return err
		}
		return b.doOpen(&subtask{op.N, s})
	case boarddata.OpClose:
		end, err := newEnd(op.Name, op.Status, op.Value, op.Reason)
		if err != nil {
			return err
		}
		return b.doClose(valid(op.Name), end)
	case boarddata.OpPutBlob:
		if len(op.Data) == 0 || blobRef(op.Data) != op.Name {
			return fmt.Errorf("%w: blob %q has other content", ErrInvalid, clip(op.Name))
		}
		return b.doPutBlob(op.Name, blob{valid(op.MediaType), slices.Clone(op.Data)})
	case boarddata.OpDeleteBlob:
		b.doDeleteBlob(op.Name)
		return nil
	case boarddata.OpLoad:
		c, err := decodeContents(op.Value)
		if err != nil {
			return err
		}
		return b.doLoad(c)
	default:
		return fmt.Errorf("%w: no operation is called %q", ErrInvalid, clip(string(op.Kind)))
	}
}

// undo returns what takes op back, which is about to be done.
func (b *Board) undo(op *boarddata.Op) func() {
	was := b.contents // its maps are the board's, unless the board has none yet or op replaces them
	values, others := func() {}, func() {}
	switch op.Kind {
	case boarddata.OpPut, boarddata.OpDelete, boarddata.OpAppend, boarddata.OpDrop:
		values = keep(was.values, op.Name)
	case boarddata.OpPutNew:
		values, others = keep(was.values, numberedName(op.Name, op.N)), keep(was.numbered, op.Name)
	case boarddata.OpOpen:
		others = keep(was.byID, valid(op.Name))
	case boarddata.OpClose:
		if s := was.byID[valid(op.Name)]; s != nil {
			at := slices.Index(was.subtasks, s)
			values, others = keep(was.values, s.resultName()), func() { was.subtasks[at], was.byID[s.ID] = s, s }
		}
	case boarddata.OpPutBlob, boarddata.OpDeleteBlob:
		others = keep(was.blobs, op.Name)
	case boarddata.OpLoad:
	}
	return func() {
		values()
		others()
		b.contents = was
		if was.names != nil {
			was.names.forget()
		}
	}
}

// keep returns what makes an element of m what it is now.
func keep[V any](m map[string]V, key string) func() {
	v, there := m[key]
	return func() {
		if there {
			m[key] = v
		} else {
			delete(m, key)
		}
	}
}
