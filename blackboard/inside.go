package blackboard

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// Inside returns the board as other packages of this module use it: they record what is
// done to it, and count its sub-tasks. Programs need no more than the other methods; this
// one may change.
func (b *Board) Inside() boarddata.Inside { return inside{b} }

// inside is a board as a [boarddata.Inside], which describes the methods.
type inside struct{ *Board }

func (b inside) LogOps() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.log == nil {
		b.log = &opLog{last: make(map[opTarget]int)}
	}
	b.log.reset()
}

func (b inside) TakeOps() ([]boarddata.Op, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.log == nil {
		return nil, errors.New("blackboard: take: operations are not logged")
	}
	ops := slices.Clone(b.log.ops)
	b.log.reset()
	return ops, nil
}

func (b inside) KeepChanges(keep func(ctx context.Context, change func()) error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keep = keep
}

func (b inside) Change(ctx context.Context, change func()) error {
	b.mu.RLock()
	keep := b.keep
	b.mu.RUnlock()
	if keep != nil {
		return keep(ctx, change)
	}
	change()
	return nil
}

func (b inside) Excerpt(maxBytes int, leaveOut []string) (json.RawMessage, error) {
	return b.excerpt(maxBytes, leaveOut)
}

func (b inside) Progress(n int) boarddata.Progress {
	const finished = "FINISH" // any other status is a failure
	b.mu.RLock()
	defer b.mu.RUnlock()
	var p boarddata.Progress
	for _, s := range b.subtasks[min(max(n, 0), len(b.subtasks)):] {
		p.Total++
		switch s.Status {
		case "":
			p.Current = s.ID
		case finished:
			p.Finished++
		default:
			p.Failed++
		}
	}
	return p
}

func (b inside) ResultName(id string) (name string, ok bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	s := b.byID[valid(id)]
	if s == nil {
		return "", false
	}
	return s.resultName(), true
}
