package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// aimer says where the next shots go: so that the moments are random, and there are
// enough in each window.
type aimer struct {
	kills, least int // in all, and in each window

	mu     sync.Mutex
	landed [allWindows]int
}

// missing returns the windows that want more kills, and whether any are wanted at all.
func (a *aimer) missing() (short []window, more bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	total := 0
	for w, n := range a.landed {
		if total += n; n < a.least {
			short = append(short, window(w))
		}
	}
	return short, total < a.kills || len(short) > 0
}

// aims are what a shot is aimed at, each as often as it is here: at no window in half of
// all cases, and then mostly at those that are small.
var aims = []window{
	allWindows, allWindows, allWindows, allWindows, allWindows, allWindows,
	beforeIntent, beforeIntent, intentToAct, intentToAct, actToResult, afterResult,
}

// pick chooses what to aim at. When there were enough kills, only the windows are left
// that were hit too seldom.
func (a *aimer) pick(r *rand.Rand) window {
	chosen := aims[r.IntN(len(aims))]
	a.mu.Lock()
	defer a.mu.Unlock()
	total := 0
	for _, n := range a.landed {
		total += n
	}
	if total >= a.kills {
		for w, n := range a.landed {
			if n < a.least {
				return window(w)
			}
		}
	}
	return chosen
}

func (a *aimer) hit(w window) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.landed[w]++
}

// moments kills workers at random moments.
func (s *settings) moments(ctx context.Context, l *lab) (*table, error) {
	const store = "files, random moments"
	started := time.Now()
	calm, err := s.calm(ctx, l, store)
	if err != nil {
		return nil, err
	}
	took := time.Since(started)
	a := &aimer{kills: s.kills, least: s.kills / 10}
	t := newTable(store, calm)
	acts, _ := calm.acts()
	err = each(ctx, 20+3*s.kills, func(ctx context.Context, i int) (bool, error) {
		r := rand.New(rand.NewPCG(s.seed, uint64(i)))
		most := 1 + r.IntN(3) // kills of this run
		h, err := l.drive(ctx, fmt.Sprintf("moment-%d", i), func(h *history) order {
			if len(h.Kills) == most {
				return order{}
			}
			if err := l.collect(ctx, h); err != nil {
				return order{} // the run will say so as well
			}
			did := count(h.Desk, evEnd)
			left := took * time.Duration(len(acts)-did+1) / time.Duration(len(acts)+1)
			return order{shot: newShot(r, a.pick(r), l.parts, len(acts)-did, calm.calls()-h.calls(), left)}
		})
		if err != nil {
			return false, fmt.Errorf("crash: %s, seed %d, run %s: %w", store, s.seed, h.Run, err)
		}
		for _, k := range h.Kills {
			a.hit(k.at.window(h.Desk))
		}
		t.add(h)
		s.tell(store, h, calm)
		_, more := a.missing()
		return more, s.violated(store, h, checkHistory(calm, h))
	})
	if err != nil {
		return t, err
	}
	if short, more := a.missing(); more {
		return t, fmt.Errorf("crash: %s, seed %d: too few kills, in the windows %v, in all %v", store, s.seed, short, a.landed)
	}
	return t, nil
}
