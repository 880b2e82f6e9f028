package blackboard

import (
	"bytes"
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
// package comment shows how values that do not fit are shortened. If not
// everything has room, the values of built-in agents come first, then the
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
			fields = append(fields, newField("", name, e))
		}
	}
	b.mu.RUnlock()
	byName := func(x, y field) int { return cmp.Compare(x.name, y.name) }
	slices.SortFunc(fields, func(x, y field) int { return cmp.Or(cmp.Compare(rank(x.name), rank(y.name)), byName(x, y)) })
	if !share(fields, maxBytes) {
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

// field is a member of an object that an excerpt shows.
type field struct {
	name  string
	label []byte // the name as JSON
	path  string // of the value
	value entry
	shown []byte // of the value; nil: nothing
}

// newField returns a field. parent is the path of its object.
func newField(parent, name string, value entry) field {
	return field{name: name, label: quote(name), path: join(parent, name), value: value}
}

// noPath stands for the path of a value that no reference can name.
const noPath = "."

// join returns the path of a member or an item of parent; of a value of the board, whose parent is "". A name
// with dots has none: the path would not say where the name ends.
func join(parent, name string) string {
	path := name
	if parent != "" {
		path = parent + "." + name
	}
	if parent == noPath || name == "" || strings.Contains(name, ".") || len(path) > maxPath {
		return noPath
	}
	return path
}

// cost is what a field takes in full: name, colon, value, comma.
func (f *field) cost() int { return len(f.label) + f.value.len() + 2 }

// leftOut says what an excerpt of an object does not show.
type leftOut struct {
	Count int      `json:"count"`
	Bytes int      `json:"bytes"`
	Names []string `json:"names,omitempty"`
}

func (l leftOut) json() []byte {
	raw, _ := text(l) // it always has a JSON form
	return append([]byte(`"$left_out":`), raw...)
}

// leftOutOf returns what is not shown, with the first names, the most important first.
func leftOutOf(fields []field) (l leftOut) {
	for i := range fields {
		if f := &fields[i]; f.shown == nil {
			l.Count++
			l.Bytes += f.value.len()
			if l.Count <= maxLeftOut {
				l.Names = append(l.Names, f.name)
			}
		}
	}
	return l
}

// share decides what to show of each field of an object, the most important first, within budget
// bytes for the whole object. It shows small fields in full and gives what they do not use of their share
// to the large ones. It returns false if not even the count of what is left out fits.
func share(fields []field, budget int) bool {
	all, whole := leftOut{Count: len(fields)}, 1
	for i := range fields {
		whole += fields[i].cost()
		all.Bytes += fields[i].value.len()
	}
	room := math.MaxInt
	if max(whole, 2) > budget {
		frame := 2 + len(all.json())
		if budget < frame {
			return false
		}
		room = max(0, budget-frame-min(minShare, budget/8))
	}
	open := len(fields)
	for _, i := range bySize(fields) {
		f := &fields[i]
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
		frame := len(f.label) + 2
		if f.shown = f.value.shrink(f.path, min(room, max(room/open, minShare))-frame); f.shown != nil {
			room -= frame + len(f.shown)
		}
		open--
	}
	return true
}

// bySize returns the indexes of the fields, the smallest first.
func bySize(fields []field) []int {
	indexes := make([]int, len(fields))
	for i := range indexes {
		indexes[i] = i
	}
	slices.SortStableFunc(indexes, func(i, j int) int { return cmp.Compare(fields[i].cost(), fields[j].cost()) })
	return indexes
}

// write returns the fields that are shown, and how many are not, with as many names as fit.
func write(fields []field, left leftOut, budget int) []byte {
	out := []byte{'{'}
	for i := range fields {
		if f := &fields[i]; f.shown != nil {
			out = append(append(append(append(out, f.label...), ':'), f.shown...), ',')
		}
	}
	if left.Count > 0 {
		note := left.json()
		for len(out)+len(note)+1 > budget && len(left.Names) > 0 {
			left.Names = left.Names[:len(left.Names)-1]
			note = left.json()
		}
		out = append(append(out, note...), ',')
	}
	return append(bytes.TrimSuffix(out, []byte(",")), '}')
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
func (e entry) shrink(path string, budget int) []byte {
	switch {
	case e.len() <= budget:
		return e.json()
	case budget < len(`{"bytes":1}`):
		return nil
	case !e.list() && e.raw[0] == '{':
		fields := e.members(path)
		if !share(fields, budget) {
			return nil
		}
		return write(fields, leftOutOf(fields), budget)
	}
	m := &marker{Ref: path, Bytes: e.len(), Dropped: e.dropped}
	if path == noPath || len(quote(path)) > budget/2 { // a path that leaves no room for anything else is no help
		m.Ref = ""
	}
	list := e.array()
	count := len(list)
	if list != nil {
		m.Items = &count
	}
	room := budget - len(m.json()) - len(`,"head":`)
	switch {
	case e.list():
		m.Tail = part(list, true, join(path, strconv.Itoa(e.count()-1)), room)
	case list != nil:
		m.Head = part(list, false, join(path, "0"), room)
	case e.raw[0] == '"':
		m.Head = beginning(e.raw, room)
	}
	if out := m.json(); len(out) <= budget {
		return out
	}
	return nil
}

// members returns the members of an object, in order. Of those with the same name the last counts, as for Lookup.
func (e entry) members(path string) (fields []field) {
	at := map[string]int{}
	dec := json.NewDecoder(bytes.NewReader(e.raw))
	_, err := dec.Token() // the brace
	for err == nil && dec.More() {
		var token json.Token
		if token, err = dec.Token(); err != nil { // never: it is valid
			break
		}
		var raw json.RawMessage
		err = dec.Decode(&raw)
		name := token.(string)
		if i, there := at[name]; there {
			fields[i].value = value(raw)
			continue
		}
		at[name] = len(fields)
		fields = append(fields, newField(path, name, value(raw)))
	}
	return fields
}

// part returns the first items of an array, or with last the last ones: in a list that grows they
// matter. If one alone is too long, it returns an excerpt of that, whose path is path.
func part(list []json.RawMessage, last bool, path string, room int) json.RawMessage {
	cut := func(n int) []json.RawMessage {
		if last {
			return list[len(list)-n:]
		}
		return list[:n]
	}
	n := 0
	for size := 1; n < len(list); n++ {
		item := list[n]
		if last {
			item = list[len(list)-1-n]
		}
		if size += len(item) + 1; size > room {
			break
		}
	}
	if n > 0 {
		return entry{items: cut(n)}.json()
	}
	first := value(cut(1)[0]).shrink(path, room-2)
	if first == nil {
		return nil
	}
	return entry{items: []json.RawMessage{first}}.json()
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
