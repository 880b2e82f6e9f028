package main

import (
	"context"
	"fmt"
	"sync"
)

// calm drives a run that nobody disturbs, and says whether it is one to compare with.
func (s *settings) calm(ctx context.Context, l *lab, store string) (*history, error) {
	h, err := l.drive(ctx, "calm", func(*history) order { return order{} })
	if err != nil {
		return nil, fmt.Errorf("crash: %s, undisturbed: %w", store, err)
	}
	return h, s.violated(store, h, checkCalm(h))
}

// boundaries kills a worker at every Append of an undisturbed run, or every so many,
// before and after it.
func (s *settings) boundaries(ctx context.Context, l *lab, every int) (*table, error) {
	const store = "files, record boundaries"
	calm, err := s.calm(ctx, l, store)
	if err != nil {
		return nil, err
	}
	var orders []boundary
	for stopped, appends := range calm.Appends {
		for at := int64(1); at <= appends; at++ {
			orders = append(orders, boundary{stopped, order{DieAt: at}}, boundary{stopped, order{DieAt: at, After: true}})
		}
	}
	t := newTable(store, calm)
	var mu sync.Mutex
	err = each(ctx, len(orders)/every, func(ctx context.Context, i int) (bool, error) {
		b := orders[i*every]
		h, err := l.drive(ctx, fmt.Sprintf("boundary-%d", i*every), b.next)
		if err != nil {
			return false, fmt.Errorf("crash: %s, seed %d, run %s: %w", store, s.seed, h.Run, err)
		}
		wrong := checkHistory(calm, h)
		if len(h.Kills) != 1 {
			wrong = append(wrong, fmt.Sprintf("%d kills instead of one", len(h.Kills)))
		}
		mu.Lock()
		defer mu.Unlock()
		t.add(h)
		s.tell(store, h, calm)
		return true, s.violated(store, h, wrong)
	})
	return t, err
}

// boundary is one of an undisturbed run: the workers before it stopped by themselves.
type boundary struct {
	stopped int
	order   order
}

func (b boundary) next(h *history) order {
	if len(h.Kills) == 0 && len(h.Appends) == b.stopped {
		return b.order
	}
	return order{}
}
