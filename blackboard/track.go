package blackboard

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// tracker notes what is touched, not how: Changes looks up what became of it. A
// nil one notes nothing.
type tracker struct {
	all      bool                // everything was replaced
	values   map[string]struct{} // set or deleted
	lists    map[string]int      // how long a list was before it grew
	opened   int                 // how many sub-tasks there were
	ended    []int               // places of those, among them, that were closed since
	numbered map[string]struct{} // prefixes
	blobs    map[string]struct{} // put or deleted
}

// Track has the board collect from now on what changes, for [Board.Changes].
// What it collected before is forgotten. Until Track is called nothing is
// collected.
func (b *Board) Track() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.track == nil {
		b.track = &tracker{
			values: make(map[string]struct{}), lists: make(map[string]int),
			numbered: make(map[string]struct{}), blobs: make(map[string]struct{}),
		}
	}
	b.track.restart(len(b.subtasks))
}

// restart forgets what was noted. The maps stay, so that a step after many costs
// what the first did.
func (t *tracker) restart(opened int) {
	t.all, t.opened, t.ended = false, opened, t.ended[:0]
	clear(t.values)
	clear(t.lists)
	clear(t.numbered)
	clear(t.blobs)
}

func (t *tracker) empty(opened int) bool {
	return !t.all && opened == t.opened && len(t.ended)+len(t.values)+len(t.lists)+len(t.numbered)+len(t.blobs) == 0
}

// value notes that a value was set, or deleted.
func (t *tracker) value(name string, before, after json.RawMessage) {
	if t != nil && !bytes.Equal(before, after) {
		t.values[name] = struct{}{}
	}
}

// list notes that a list grew which had so many items.
func (t *tracker) list(name string, items int) {
	if t == nil {
		return
	}
	if _, known := t.lists[name]; !known {
		t.lists[name] = items
	}
}

func (t *tracker) closed(at int) {
	if t != nil && at < t.opened { // else it is among the new ones
		t.ended = append(t.ended, at)
	}
}

func (t *tracker) number(prefix string) {
	if t != nil {
		t.numbered[prefix] = struct{}{}
	}
}

func (t *tracker) blob(ref string) {
	if t != nil {
		t.blobs[ref] = struct{}{}
	}
}

func (t *tracker) replaced() {
	if t != nil {
		t.all = true
	}
}

// changes are the changes of a board as JSON, its members in alphabetical order.
type changes struct {
	All      bool                       `json:"all,omitempty"`     // nothing that was there before is there now
	Blobs    []Blob                     `json:"blobs,omitempty"`   // new ones, without their content
	Closed   []closed                   `json:"closed,omitempty"`  // sub-tasks that were open before
	Deleted  []string                   `json:"deleted,omitempty"` // names of values
	Dropped  []string                   `json:"dropped,omitempty"` // refs of blobs
	Lists    map[string]growth          `json:"lists,omitempty"`
	Numbered map[string]int             `json:"numbered,omitempty"`
	Opened   []*subtask                 `json:"opened,omitempty"` // closed again, some of them
	Values   map[string]json.RawMessage `json:"values,omitempty"`
	Version  int                        `json:"version"`
}

// closed is how a sub-task ended.
type closed struct {
	N      int             `json:"n"`
	ID     string          `json:"id"`
	Status string          `json:"status"`
	Result json.RawMessage `json:"data,omitempty"`
	Reason string          `json:"reason,omitempty"`
}

// growth is what came to a list that had From items.
type growth struct {
	From  int               `json:"from"`
	Items []json.RawMessage `json:"items"`
}

// Changes returns what changed since [Board.Track] or the last Changes, as JSON
// for [Board.Apply]; nil when nothing did. It is versioned and stable. Its size
// depends on what changed, not on what the board holds. Of new blobs it has the
// description alone: [NewBlobs] lists them, and [Board.Blob] has the bytes.
//
// What [Board.UnmarshalJSON] and [Board.Apply] bring are changes as any others;
// a board that is loaded first and tracked then has none. The error is an
// [*Error] over [ErrNotTracked].
func (b *Board) Changes() ([]byte, error) {
	b.mu.Lock()
	if b.track == nil {
		b.mu.Unlock()
		return nil, &Error{"track", "", ErrNotTracked}
	}
	if b.track.empty(len(b.subtasks)) {
		b.mu.Unlock()
		return nil, nil
	}
	if b.track.all {
		b.touchAll()
	}
	out := b.changed()
	b.track.restart(len(b.subtasks))
	b.mu.Unlock()
	raw, err := text(out) // the bytes of what it points to never change
	if err != nil {
		b.mu.Lock()
		b.track.all = true // else what was lost here would be lost for good
		b.mu.Unlock()
		return nil, &Error{"track", "", err}
	}
	return raw, nil
}

// touchAll notes everything that is there.
func (b *Board) touchAll() {
	b.track.restart(0)
	b.track.all = true
	for name, e := range b.values {
		switch {
		case e.list:
			b.track.lists[name] = 0
		case resultNumber(name) == 0: // results are made from the sub-tasks again
			b.track.value(name, nil, e.raw)
		}
	}
	for prefix := range b.numbered {
		b.track.number(prefix)
	}
	for ref := range b.blobs {
		b.track.blob(ref)
	}
}

// changed looks up what became of all that was noted.
func (b *Board) changed() *changes {
	t := b.track
	out := &changes{Version: formatVersion, All: t.all, Opened: slices.Clone(b.subtasks[t.opened:])}
	for _, at := range t.ended {
		s := b.subtasks[at]
		out.Closed = append(out.Closed, closed{s.N, s.ID, s.Status, s.Result, s.Reason})
	}
	for _, name := range slices.Sorted(maps.Keys(t.values)) {
		if e, ok := b.values[name]; !ok || e.list { // a list may have taken its place
			out.Deleted = append(out.Deleted, name)
		} else {
			put(&out.Values, name, e.raw)
		}
	}
	for name, from := range t.lists {
		put(&out.Lists, name, growth{from, b.values[name].items[from:]})
	}
	for prefix := range t.numbered {
		put(&out.Numbered, prefix, b.numbered[prefix])
	}
	for _, ref := range slices.Sorted(maps.Keys(t.blobs)) {
		if stored, ok := b.blobs[ref]; ok {
			out.Blobs = append(out.Blobs, stored.describe(ref))
		} else {
			out.Dropped = append(out.Dropped, ref)
		}
	}
	return out
}

func put[T any](m *map[string]T, name string, v T) {
	if *m == nil {
		*m = make(map[string]T)
	}
	(*m)[name] = v
}
