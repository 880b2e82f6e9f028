package blackboard

import (
	"context"
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
		if s := b.byID[id]; s != nil {
			list = append(list, s)
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
	s := b.byID[valid(id)]
	if s == nil {
		return "", false
	}
	return s.resultName(), true
}
