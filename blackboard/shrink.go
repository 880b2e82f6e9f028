package blackboard

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// place is where a value stands. A value can be referred to when its place is
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

// What the shortest excerpts take, of a value and of an object.
const (
	leastMarker = len(`{"bytes":1}`)
	leastObject = len(`{"$left_out":{"count":1,"bytes":1}}`)
)

// shrink returns an excerpt of at most budget bytes, or nil when there is none
// that says anything.
func (e entry) shrink(p place, budget int) []byte {
	switch {
	case budget <= 0:
		return nil
	case e.len() <= budget:
		return e.appendTo(nil)
	case budget < leastMarker:
		return nil
	case e.list:
		return shrinkList(e, p, budget)
	case e.raw[0] == '{' && budget < leastObject:
		return nil
	case e.raw[0] == '{':
		return objectOf(e.raw, budget).shrink(p, budget)
	case e.raw[0] == '[':
		return shrinkArray(e.raw, p, budget)
	case e.raw[0] == '"':
		return shrinkText(e.raw, p, budget)
	}
	return closeMarker(openMarker(p, budget, len(e.raw), -1), budget)
}

// openMarker begins the object that stands for a value which is too large.
func openMarker(p place, budget, size, count int) []byte {
	out := []byte{'{'}
	if p.path != "" {
		// A path that leaves no room for anything else is no help.
		if quoted := appendQuoted(nil, p.path); len(quoted) <= budget/2 {
			out = append(append(append(out, `"$ref":`...), quoted...), ',')
		}
	}
	out = strconv.AppendInt(append(out, `"bytes":`...), int64(size), 10)
	if count >= 0 {
		out = strconv.AppendInt(append(out, `,"items":`...), int64(count), 10)
	}
	return out
}

func closeMarker(out []byte, budget int) []byte {
	if len(out)+1 > budget {
		return nil
	}
	return append(out, '}')
}

// shrinkArray shows the first items.
func shrinkArray(raw json.RawMessage, p place, budget int) []byte {
	count := 0
	for range items(raw) {
		count++
	}
	out := openMarker(p, budget, len(raw), count)
	room := budget - len(out) - len(`,"head":[]}`)
	var head []byte
	for i, item := range items(raw) {
		if i == 0 && len(item) > room {
			head = entry{raw: item}.shrink(p.child("0"), room)
			break
		}
		if len(head)+1+len(item) > room {
			break
		}
		if i > 0 {
			head = append(head, ',')
		}
		head = append(head, item...)
	}
	if len(head) > 0 {
		out = append(append(append(out, `,"head":[`...), head...), ']')
	}
	return closeMarker(out, budget)
}

// shrinkList shows the last items: in a list that grows, the latest matter.
func shrinkList(e entry, p place, budget int) []byte {
	count := len(e.items)
	out := openMarker(p, budget, e.len(), count)
	if e.dropped > 0 {
		out = strconv.AppendInt(append(out, `,"dropped":`...), int64(e.dropped), 10)
	}
	room := budget - len(out) - len(`,"tail":[]}`)
	from, used := count, 0
	for from > 0 && used+len(e.items[from-1])+1 <= room+1 { // one comma less than items
		from--
		used += len(e.items[from]) + 1
	}
	switch {
	case from < count:
		out = append(out, `,"tail":`...)
		out = entry{list: true, items: e.items[from:]}.appendTo(out)
	default:
		last := strconv.Itoa(e.count() - 1)
		if tail := (entry{raw: e.items[count-1]}).shrink(p.child(last), room); tail != nil {
			out = append(append(append(out, `,"tail":[`...), tail...), ']')
		}
	}
	return closeMarker(out, budget)
}

// shrinkText shows the first characters of a string.
func shrinkText(raw json.RawMessage, p place, budget int) []byte {
	out := openMarker(p, budget, len(raw), -1)
	room := budget - len(out) - len(`,"head":""}`)
	if head := cut(raw[1:len(raw)-1], room); len(head) > 0 {
		out = append(append(append(out, `,"head":"`...), head...), '"')
	}
	return closeMarker(out, budget)
}

// cut returns the beginning of a string's inside, at most limit bytes, that
// ends between characters.
func cut(inside []byte, limit int) []byte {
	end := 0
	for end < len(inside) {
		_, n := utf8.DecodeRune(inside[end:])
		if inside[end] == '\\' {
			n = 2
			if inside[end+1] == 'u' {
				n = 6
				// The two halves of a surrogate pair stay together.
				if next := inside[end+n:]; inside[end+2]|0x20 == 'd' && inside[end+3]|0x20 >= '8' && len(next) >= 6 && next[0] == '\\' && next[1] == 'u' {
					n = 12
				}
			}
		}
		if end+n > limit {
			break
		}
		end += n
	}
	return inside[:end]
}
