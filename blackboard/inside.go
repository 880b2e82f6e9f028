package blackboard

import (
	"context"
	"errors"
	"slices"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// Inside returns the board as other packages of this module use it. Programs need
// only the other methods; this one may change.
func (b *Board) Inside() boarddata.Inside { return inside{b} }

// inside is a board as a [boarddata.Inside], which describes the methods.
type inside struct{ *Board }

func (b inside) LogOps() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.logging, b.log = true, nil
}

func (b inside) TakeOps() ([]boarddata.Op, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.logging {
		return nil, errors.New("blackboard: take: operations are not logged")
	}
	ops := b.log
	b.log = nil
	return ops, nil
}

func (b inside) AppendLast(name string, v any, least int) error {
	op, err := encode(boarddata.OpAppend, name, v)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.do(&op); err != nil {
		return err
	}
	e := b.values[name]
	least = max(1, least)
	old := len(e.items) - least
	if old < max(1, least/2) { // a block: few appends move what stays, and the beginning mostly stays
		return nil
	}
	if err := b.do(&boarddata.Op{Kind: boarddata.OpDrop, Name: name, N: e.dropped + old}); err != nil {
		return err
	}
	return b.deleteBlobsOf(e.items[:old])
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

func (b inside) Items(name string) int {
	e, _ := b.entry(name)
	return len(e.items)
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

func (b inside) Closed(n, most int) (latest []boarddata.Closed, all int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.closed(b.subtasks[min(max(n, 0), len(b.subtasks)):], most)
}

func (b inside) ClosedOf(ids []string, most int) (latest []boarddata.Closed, all int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	var list []*subtask
	for _, id := range ids {
		if i := b.subtask(id); i >= 0 {
			list = append(list, b.subtasks[i])
		}
	}
	return b.closed(list, most)
}

// closed returns the latest of the sub-tasks that have ended, and how many have.
func (b inside) closed(list []*subtask, most int) (latest []boarddata.Closed, all int) {
	latest = make([]boarddata.Closed, 0, min(len(list), most))
	for _, s := range slices.Backward(list) {
		if s.Status == "" {
			continue
		}
		all++
		if len(latest) == most {
			continue
		}
		name := s.resultName()
		latest = append(latest, boarddata.Closed{
			ID: s.ID, App: s.App, Text: s.Text, DependsOn: s.DependsOn, Status: s.Status, Result: s.Result, Reason: s.Reason,
			Name: name, Record: b.values[name].raw,
		})
	}
	slices.Reverse(latest)
	return latest, all
}

func (b inside) ResultName(id string) (name string, ok bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	i := b.subtask(valid(id))
	if i < 0 {
		return "", false
	}
	return b.subtasks[i].resultName(), true
}
