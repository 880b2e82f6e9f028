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

func (b inside) Whole() ([]boarddata.Op, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.contents.ops()
}

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
	list := b.subtasks[min(max(n, 0), len(b.subtasks)):]
	latest, from := b.closed(len(list), most, func(i int) *subtask { return list[i] })
	all = len(latest)
	for _, s := range list[:from] {
		if s.Status != "" {
			all++
		}
	}
	return latest, all
}

func (b inside) ClosedOf(ids []string, most int) (latest []boarddata.Closed, all int) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	latest, from := b.closed(len(ids), most, func(i int) *subtask { return b.byID[ids[i]] })
	return latest, len(latest) + from
}

// closed returns the latest of n sub-tasks, of which those may be nil that are not there, and how many it has not
// looked at.
func (b inside) closed(n, most int, at func(i int) *subtask) (latest []boarddata.Closed, from int) {
	latest = make([]boarddata.Closed, 0, min(n, most))
	for from = n; from > 0 && len(latest) < most; from-- {
		s := at(from - 1)
		if s == nil || s.Status == "" {
			continue
		}
		name := s.resultName()
		latest = append(latest, boarddata.Closed{
			ID: s.ID, App: s.App, Text: s.Text, DependsOn: s.DependsOn, Status: s.Status, Result: s.Result, Reason: s.Reason,
			Name: name, Record: b.values[name].raw,
		})
	}
	slices.Reverse(latest)
	return latest, from
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
