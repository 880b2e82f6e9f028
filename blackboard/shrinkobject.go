package blackboard

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/agentfsm/agentfsm/internal/promptsize"
)

const (
	minShare   = promptsize.ExcerptShare // the least important members are left out for it
	maxLeftOut = promptsize.ExcerptNames
)

// leastField is what the smallest member takes.
const leastField = len(`"":0,`)

// object is a JSON object about to be written: the most important field first.
type object struct {
	fields    []field
	byName    bool // how they are written; else as they are here
	rest      int  // members beyond those that could ever fit,
	restBytes int  // and their bytes
}

type field struct {
	name   string
	quoted []byte
	value  entry
	shown  []byte // what is written; nil: left out
}

// cost is what a field takes in full: name, colon, value, comma.
func (f *field) cost() int { return len(f.quoted) + f.value.len() + 2 }

// objectOf reads the members that an excerpt of budget bytes can need. Of
// several of the same name the last counts, as for Lookup.
func objectOf(raw json.RawMessage, budget int) object {
	var o object
	limit := budget/leastField + 1
	at := make(map[string]int)
	for quoted, value := range members(raw) {
		name := unquote(quoted)
		if i, ok := at[name]; ok {
			o.fields[i].value.raw = value
			continue
		}
		if len(o.fields) == limit {
			o.rest++
			o.restBytes += len(value)
			continue
		}
		at[name] = len(o.fields)
		o.fields = append(o.fields, field{name: name, quoted: quoted, value: entry{raw: value}})
	}
	return o
}

// len returns the size of the whole object.
func (o object) len() int {
	n := 2
	for i := range o.fields {
		n += o.fields[i].cost()
	}
	if len(o.fields) > 0 {
		n-- // the last comma
	}
	return n
}

// whole writes every field in full.
func (o object) whole() []byte {
	out := append(make([]byte, 0, o.len()), '{')
	for i := range o.fields {
		f := &o.fields[i]
		if i > 0 {
			out = append(out, ',')
		}
		out = f.value.appendTo(append(append(out, f.quoted...), ':'))
	}
	return append(out, '}')
}

// shrink returns an excerpt of at most budget bytes, or nil when not even the
// count of what is left out fits.
func (o object) shrink(p place, budget int) []byte {
	count, size := o.rest, o.restBytes
	for i := range o.fields {
		count++
		size += o.fields[i].value.len()
	}
	least := len(leftOut(nil, 0, count, size))
	if budget < 2+least {
		return nil
	}
	o.share(p, max(0, budget-2-least-min(minShare, budget/8)))
	out := o.write()
	dropped, count, size := o.dropped()
	if count > 0 {
		if len(out) > 1 {
			out = append(out, ',')
		}
		note := leftOut(dropped, budget-len(out)-1, count, size)
		out = append(out, note...)
	}
	return append(out, '}')
}

// share decides what is shown of each field within room bytes. Small fields are
// shown in full; what they do not use of their share goes to the large ones.
func (o object) share(p place, room int) {
	open := len(o.fields)
	for _, f := range o.bySize(room) {
		if f.cost() > room/open {
			break
		}
		f.shown = f.value.appendTo(nil)
		room -= f.cost()
		open--
	}
	for i := range o.fields {
		f := &o.fields[i]
		if f.shown != nil {
			continue
		}
		budget := min(room, max(room/open, minShare))
		open--
		frame := len(f.quoted) + 2
		if budget <= frame {
			continue
		}
		if f.shown = f.value.shrink(p.child(f.name), budget-frame); f.shown != nil {
			room -= frame + len(f.shown)
		}
	}
}

// bySize returns the fields, the smallest first; nil where not even that one fits into an equal
// share of the room.
func (o object) bySize(room int) []*field {
	fits := func(f field) bool { return f.cost() <= room/len(o.fields) }
	if !slices.ContainsFunc(o.fields, fits) {
		return nil
	}
	list := make([]*field, len(o.fields))
	for i := range o.fields {
		list[i] = &o.fields[i]
	}
	slices.SortStableFunc(list, func(x, y *field) int { return cmp.Compare(x.cost(), y.cost()) })
	return list
}

// write returns the fields that are shown as an object that is not closed yet.
func (o object) write() []byte {
	var shown []*field
	for i := range o.fields {
		if o.fields[i].shown != nil {
			shown = append(shown, &o.fields[i])
		}
	}
	if o.byName {
		slices.SortFunc(shown, func(x, y *field) int { return cmp.Compare(x.name, y.name) })
	}
	out := []byte{'{'}
	for _, f := range shown {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, f.quoted...), ':'), f.shown...)
	}
	return out
}

// dropped returns the quoted names of the first fields that are not shown, and the count
// and size of all that is not shown.
func (o object) dropped() (names [][]byte, count, size int) {
	count, size = o.rest, o.restBytes
	for i := range o.fields {
		if f := &o.fields[i]; f.shown == nil {
			if len(names) < maxLeftOut {
				names = append(names, f.quoted)
			}
			count++
			size += f.value.len()
		}
	}
	return names, count, size
}

// leftOut returns the member that says what is not shown, with as many names as
// fit into budget. Without names it may exceed budget.
func leftOut(names [][]byte, budget, count, size int) []byte {
	out := append([]byte(nil), `"$left_out":{"count":`...)
	out = strconv.AppendInt(out, int64(count), 10)
	out = strconv.AppendInt(append(out, `,"bytes":`...), int64(size), 10)
	opened := false
	for _, name := range names {
		start := ","
		if !opened {
			start = `,"names":[`
		}
		if len(out)+len(start)+len(name)+len("]}") > budget {
			continue // a shorter one may fit
		}
		out = append(append(out, start...), name...)
		opened = true
	}
	if opened {
		out = append(out, ']')
	}
	return append(out, '}')
}
