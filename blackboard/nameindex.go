package blackboard

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// nameIndex has the names of all values, those that an agent needs most first. A new name is
// sorted in when somebody reads: who fills a board does not pay for its order.
type nameIndex struct {
	mu     sync.Mutex // Render, which reads, may sort; beside another Render
	sorted []string
	fresh  []string
	stale  bool // values were changed behind its back
}

func (x *nameIndex) add(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.fresh = append(x.fresh, name)
}

func (x *nameIndex) remove(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if at := slices.Index(x.fresh, name); at >= 0 {
		x.fresh = slices.Delete(x.fresh, at, at+1)
	} else if at, there := slices.BinarySearchFunc(x.sorted, name, byRank); there {
		x.sorted = slices.Delete(x.sorted, at, at+1)
	}
}

func (x *nameIndex) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sorted, x.fresh, x.stale = nil, nil, true
}

// first returns the first n names of those that values has. They hold as long as the lock of the
// board is held.
func (x *nameIndex) first(n int, values map[string]entry) []string {
	if x == nil { // of an empty board
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.stale {
		x.fresh, x.stale = slices.Collect(maps.Keys(values)), false
	}
	if few := 4; len(x.fresh) <= few { // the results of sub-tasks come before most others
		for _, name := range x.fresh {
			at, _ := slices.BinarySearchFunc(x.sorted, name, byRank)
			x.sorted = slices.Insert(x.sorted, at, name)
		}
	} else {
		slices.SortFunc(x.fresh, byRank)
		x.sorted = merge(x.sorted, x.fresh)
	}
	clear(x.fresh)
	x.fresh = x.fresh[:0]
	return x.sorted[:min(n, len(x.sorted))]
}

// merge puts sorted names into a list of others: from its end on, so that a few new ones
// at the end move nothing.
func merge(all, more []string) []string {
	i := len(all) - 1
	all = append(all, more...)
	for to := len(all) - 1; len(more) > 0; to-- {
		last := len(more) - 1
		if i >= 0 && byRank(all[i], more[last]) > 0 {
			all[to] = all[i]
			i--
		} else {
			all[to] = more[last]
			more = more[:last]
		}
	}
	return all
}

func byRank(x, y string) int { return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(x, y)) }
