package blackboard

import (
	"encoding/json"
	"slices"
	"sync"
)

// maxExcerpts is how many excerpts are kept: the agents of a board ask for a few different ones.
const maxExcerpts = 4

// excerpts are those of a board that are still true. An agent asks for one in every step, and
// mostly nothing that it shows has changed since the step before.
type excerpts struct {
	mu      sync.Mutex
	changes int // of the board's values so far
	kept    []keptExcerpt
}

type keptExcerpt struct {
	maxBytes int
	leaveOut []string
	text     json.RawMessage
}

// find returns an excerpt that was kept, nil where there is none, and how many changes there were.
func (x *excerpts) find(maxBytes int, leaveOut []string) (text json.RawMessage, changes int) {
	if x == nil { // of an empty board
		return nil, 0
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range x.kept {
		if k := &x.kept[i]; k.maxBytes == maxBytes && slices.Equal(k.leaveOut, leaveOut) {
			return k.text, x.changes
		}
	}
	return nil, x.changes
}

// keep keeps an excerpt, unless there were more changes since.
func (x *excerpts) keep(maxBytes int, leaveOut []string, text json.RawMessage, changes int) {
	if x == nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.changes != changes {
		return
	}
	if len(x.kept) == maxExcerpts {
		x.kept = slices.Delete(x.kept, 0, 1)
	}
	x.kept = append(x.kept, keptExcerpt{maxBytes, slices.Clone(leaveOut), text})
}

// changed drops the excerpts that have, or should have, something of a name.
func (x *excerpts) changed(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.changes++
	x.kept = slices.DeleteFunc(x.kept, func(k keptExcerpt) bool { return !slices.Contains(k.leaveOut, name) })
}
