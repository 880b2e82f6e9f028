package runs

import (
	"context"
	"sync"

	"github.com/agentfsm/agentfsm/durable/store"
)

// news tells those who watch a run of what this process appends to it.
type news struct {
	mu      sync.Mutex
	waiting map[string]*waiting
}

type waiting struct {
	told chan struct{} // closed at the next record
	many int           // who wait
}

// next returns a channel that is closed when this process appends to a run, and what to call when nobody waits any more.
func (n *news) next(run string) (told <-chan struct{}, forget func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	w := n.waiting[run]
	if w == nil {
		w = &waiting{told: make(chan struct{})}
		n.waiting[run] = w
	}
	w.many++
	return w.told, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		if w.many--; w.many == 0 && n.waiting[run] == w {
			delete(n.waiting, run)
		}
	}
}

func (n *news) tell(run string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if w := n.waiting[run]; w != nil {
		close(w.told)
		delete(n.waiting, run)
	}
}

// over returns the store, whose appends are told.
func (n *news) over(st store.Store) store.Store {
	if index, ok := st.(store.Index); ok {
		return toldIndex{index, told{st, n}}
	}
	return told{st, n}
}

type told struct {
	store.Store
	news *news
}

func (t told) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	defer t.tell(run, records) // also of records that may have been appended
	return t.Store.Append(ctx, run, after, records...)
}

func (t told) tell(run string, records [][]byte) {
	if len(records) > 0 {
		t.news.tell(run)
	}
}

type toldIndex struct {
	store.Index
	told told
}

func (t toldIndex) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	return t.told.Append(ctx, run, after, records...)
}

func (t toldIndex) AppendMarked(ctx context.Context, run string, after int64, mark store.Mark, records ...[]byte) error {
	defer t.told.tell(run, records)
	return t.Index.AppendMarked(ctx, run, after, mark, records...)
}
