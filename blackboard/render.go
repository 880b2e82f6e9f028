package blackboard

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/promptsize"
)

const (
	minShare   = promptsize.ExcerptShare // the least important members are left out for it
	maxLeftOut = promptsize.ExcerptNames
)

// Render returns the board's values as one JSON object of at most maxBytes
// bytes, sorted by name, for a prompt. 0 means 8 KiB, negative no bound. The
// package comment shows what becomes of that which does not fit. When not
// everything finds a place, the values of built-in agents come first, then the
// results of sub-tasks, the latest first, then the others by name. Blobs are
// not shown.
//
// Every "$ref" that Render adds is a path that [Board.Lookup] finds. The same
// contents give the same text. The error is over [ErrInvalid] when maxBytes is too
// small even to say that something was left out.
func (b *Board) Render(maxBytes int) (json.RawMessage, error) {
	return b.Inside().Excerpt(maxBytes, nil)
}

func (b inside) Excerpt(maxBytes int, leaveOut []string) (json.RawMessage, error) {
	switch {
	case maxBytes == 0:
		maxBytes = promptsize.Excerpt
	case maxBytes < 0:
		maxBytes = math.MaxInt
	}
	b.mu.RLock()
	fields := make([]field, 0, len(b.values))
	for name, e := range b.values {
		if !slices.Contains(leaveOut, name) {
			fields = append(fields, newField(name, e))
		}
	}
	b.mu.RUnlock()
	byName := func(x, y field) int { return cmp.Compare(x.name, y.name) }
	slices.SortFunc(fields, func(x, y field) int { return cmp.Or(cmp.Compare(rank(x.name), rank(y.name)), byName(x, y)) })
	if !share(fields, place{known: true}, maxBytes) {
		return nil, &opError{"render", "", fmt.Errorf("%w: a budget of %d bytes is too small", ErrInvalid, maxBytes)}
	}
	left := leftOutOf(fields)
	slices.SortFunc(fields, byName)
	return write(fields, left, maxBytes), nil
}

// rank orders names by how much an agent needs their values.
func rank(name string) int {
	first := []string{boarddata.CurrentSubtask, boarddata.Plan, boarddata.TaskProgress, boarddata.HostLastStep}
	if i := slices.Index(first, name); i >= 0 {
		return i
	}
	if n := resultNumber(name); n > 0 {
		return math.MaxInt - n
	}
	return math.MaxInt
}

// field is a member of an object that is about to be written.
type field struct {
	name   string
	quoted []byte
	value  entry
	size   int    // of the value in full
	shown  []byte // what is written of the value; nil: nothing
}

func newField(name string, value entry) field {
	return field{name: name, quoted: quote(name), value: value, size: value.len()}
}

// cost is what a field takes in full: name, colon, value, comma.
func (f *field) cost() int { return len(f.quoted) + f.size + 2 }

// leftOut says what is not shown of an object.
type leftOut struct {
	Count int      `json:"count"`
	Bytes int      `json:"bytes"`
	Names []string `json:"names,omitempty"`
}

func (l leftOut) json() []byte {
	raw, _ := text(l) // it always has a JSON form
	return append([]byte(`"$left_out":`), raw...)
}

func leftOutOf(fields []field) (l leftOut) {
	for i := range fields {
		if f := &fields[i]; f.shown == nil {
			l.Count++
			l.Bytes += f.size
			l.Names = append(l.Names, f.name)
		}
	}
	l.Names = l.Names[:min(len(l.Names), maxLeftOut)]
	return l
}

// share decides what is shown of each field of an object, the most important first, within budget
// bytes for the whole object. Small fields are shown in full; what they do not use of their share
// goes to the large ones. It reports false if not even the count of what is left out fits.
func share(fields []field, p place, budget int) bool {
	all, whole := leftOut{Count: len(fields)}, 2
	bySize := make([]*field, len(fields))
	for i := range fields {
		bySize[i] = &fields[i]
		whole += fields[i].cost()
		all.Bytes += fields[i].size
	}
	room := budget - 2 - len(all.json()) - min(minShare, budget/8)
	if whole-min(1, len(fields)) <= budget { // without the last comma
		room = math.MaxInt
	} else if budget < 2+len(all.json()) {
		return false
	}
	room = max(0, room)
	slices.SortStableFunc(bySize, func(x, y *field) int { return cmp.Compare(x.cost(), y.cost()) })
	open := len(fields)
	for _, f := range bySize {
		if f.cost() > room/open {
			break
		}
		f.shown = f.value.json()
		room -= f.cost()
		open--
	}
	for i := range fields {
		f := &fields[i]
		if f.shown != nil {
			continue
		}
		frame := len(f.quoted) + 2
		if f.shown = f.value.shrink(p.child(f.name), min(room, max(room/open, minShare))-frame); f.shown != nil {
			room -= frame + len(f.shown)
		}
		open--
	}
	return true
}

// write returns the fields that are shown, and how many are not with as many names as fit.
func write(fields []field, left leftOut, budget int) []byte {
	out := []byte{'{'}
	comma := func() {
		if len(out) > 1 {
			out = append(out, ',')
		}
	}
	for i := range fields {
		if f := &fields[i]; f.shown != nil {
			comma()
			out = append(append(append(out, f.quoted...), ':'), f.shown...)
		}
	}
	if left.Count > 0 {
		comma()
		names := left.Names
		left.Names = nil
		room := budget - len(out) - len(left.json()) - len(`,"names":[]}`)
		for _, name := range names {
			if size := len(quote(name)) + 1; size <= room { // else a shorter one may fit
				room -= size
				left.Names = append(left.Names, name)
			}
		}
		out = append(out, left.json()...)
	}
	return append(out, '}')
}

// place is where a value is. A value can be referred to if its place is
// known and is not the board itself.
type place struct {
	path  string
	known bool
}

// child returns the place of a member or item. A name with dots has none: the
// path would not say where the name ends.
func (p place) child(name string) place {
	path := name
	if p.path != "" {
		path = p.path + "." + name
	}
	if !p.known || name == "" || strings.Contains(name, ".") || len(path) > maxPath {
		return place{}
	}
	return place{path, true}
}

// marker stands for a value that is too large.
type marker struct {
	Ref     string          `json:"$ref,omitempty"`
	Bytes   int             `json:"bytes"`
	Items   *int            `json:"items,omitempty"`
	Dropped int             `json:"dropped,omitempty"`
	Head    json.RawMessage `json:"head,omitempty"`
	Tail    json.RawMessage `json:"tail,omitempty"`
}

func (m *marker) json() []byte {
	raw, _ := text(m) // its parts are JSON
	return raw
}

// shrink returns an excerpt of at most budget bytes, or nil if there is none
// that says anything.
func (e entry) shrink(p place, budget int) []byte {
	size := e.len()
	switch {
	case size <= budget:
		return e.json()
	case budget < len(`{"bytes":1}`):
		return nil
	}
	m := &marker{Ref: p.path, Bytes: size, Dropped: e.dropped}
	if len(quote(p.path)) > budget/2 { // a path that leaves no room for anything else is no help
		m.Ref = ""
	}
	list := e.items
	switch {
	case e.list():
	case e.raw[0] == '{':
		var fields []field
		at := map[string]int{}
		for name, value := range members(e.raw) {
			if i, there := at[name]; there { // the last counts, as for Lookup
				fields[i] = newField(name, entry{raw: value})
				continue
			}
			at[name] = len(fields)
			fields = append(fields, newField(name, entry{raw: value}))
		}
		if !share(fields, p, budget) {
			return nil
		}
		return write(fields, leftOutOf(fields), budget)
	case e.raw[0] == '[':
		list = items(e.raw)
	}
	count := len(list)
	if list != nil {
		m.Items = &count
	}
	room := budget - len(m.json()) - len(`,"head":`)
	switch {
	case e.list():
		m.Tail = part(list, true, p.child(strconv.Itoa(e.count()-1)), room)
	case list != nil:
		m.Head = part(list, false, p.child("0"), room)
	case e.raw[0] == '"':
		m.Head = beginning(e.raw, room)
	}
	if out := m.json(); len(out) <= budget {
		return out
	}
	return nil
}

// part returns the first items of an array, or with last the last ones: in a list that grows they
// matter. p is the place of the one that is shown in part if it alone is too long.
func part(list []json.RawMessage, last bool, p place, room int) json.RawMessage {
	at := func(i int) json.RawMessage {
		if last {
			i = len(list) - 1 - i
		}
		return list[i]
	}
	n, size := 0, 1
	for n < len(list) && size+len(at(n))+1 <= room {
		size += len(at(n)) + 1
		n++
	}
	switch {
	case n > 0 && last:
		return entry{items: list[len(list)-n:]}.json()
	case n > 0:
		return entry{items: list[:n]}.json()
	case len(list) > 0:
		if first := (entry{raw: at(0)}).shrink(p, room-2); first != nil {
			return entry{items: []json.RawMessage{first}}.json()
		}
	}
	return nil
}

// beginning returns the first characters of a string.
func beginning(raw json.RawMessage, room int) json.RawMessage {
	var s string
	_ = json.Unmarshal(raw, &s) // it is a valid string
	s = s[:max(0, min(len(s), room))]
	cut := func(n int) json.RawMessage { return quote(strings.ToValidUTF8(s[:n], "")) }
	n := sort.Search(len(s), func(n int) bool { return len(cut(n+1)) > room })
	if n == 0 {
		return nil
	}
	return cut(n)
}
