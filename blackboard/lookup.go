package blackboard

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// maxPath bounds the path of a reference, in bytes.
const maxPath = 1024

// Lookup returns a part of a value. The path is the value's name, then names
// of members and indexes from 0, all separated by dots: subtask_result_1.data.rows.0.
// It is what {"$ref": path} in an argument means. The result is the caller's own.
//
// A name may contain dots itself: at each step the shortest one that exists is
// taken. Of several members of the same name the last counts. The error is over
// [ErrNotFound] and says where the path ends.
func (b *Board) Lookup(path string) (json.RawMessage, error) {
	if len(path) > maxPath {
		return nil, &opError{"lookup", path, fmt.Errorf("%w: the path is longer than %d bytes", ErrNotFound, maxPath)}
	}
	e, rest, ok := shortest(path, b.entry)
	if !ok {
		return nil, &opError{"lookup", path, fmt.Errorf("%w: there is no value of that name", ErrNotFound)}
	}
	for rest != "" {
		here := path[:len(path)-len(rest)]
		var reason string
		if e, rest, reason = e.part(rest); reason != "" {
			return nil, &opError{"lookup", path, fmt.Errorf("%w: %s %s", ErrNotFound, clip(here), reason)}
		}
	}
	return e.json(), nil
}

// part returns the part of e at the beginning of a path, which begins with a dot, and the rest of the path. If there is
// none, it returns the reason.
func (e entry) part(path string) (part entry, rest, reason string) {
	if !e.list() && e.raw[0] == '{' {
		members := map[string]json.RawMessage{}
		_ = json.Unmarshal(e.raw, &members) // it is valid
		member, rest, ok := shortest(path[1:], func(name string) (json.RawMessage, bool) {
			member, ok := members[name]
			return member, ok
		})
		if !ok {
			return e, "", "has no such member"
		}
		return value(member), rest, ""
	}
	items := e.array()
	i, rest, ok := index(path)
	switch {
	case items == nil:
		return e, "", "is neither an object nor an array"
	case !ok || i >= e.dropped+len(items):
		return e, "", fmt.Sprintf("has %d items", e.dropped+len(items))
	case i < e.dropped: // the others keep their places, so that a reference never finds another item
		return e, "", fmt.Sprintf("has dropped its first %d items", e.dropped)
	}
	return value(items[i-e.dropped]), rest, ""
}

// array returns the items of a list or an array; nil for anything else.
func (e entry) array() (items []json.RawMessage) {
	if e.list() {
		return e.items
	}
	if e.raw[0] == '[' {
		_ = json.Unmarshal(e.raw, &items) // it is valid
	}
	return items
}

// shortest cuts path at the first dot at which find knows what is before
// it, and returns that with the rest of the path, its dot included.
func shortest[T any](path string, find func(string) (T, bool)) (found T, rest string, ok bool) {
	for end := range len(path) + 1 {
		if end < len(path) && path[end] != '.' {
			continue
		}
		if found, ok = find(path[:end]); ok {
			return found, path[end:], true
		}
	}
	return found, "", false
}

// index reads a position in an array from a path that begins with a dot:
// decimal digits without leading zeros. rest is what follows, from its dot on.
func index(path string) (i int, rest string, ok bool) {
	segment := path[1:]
	if dot := strings.IndexByte(segment, '.'); dot >= 0 {
		segment, rest = segment[:dot], segment[dot:]
	}
	i, err := strconv.Atoi(segment)
	return i, rest, err == nil && i >= 0 && strconv.Itoa(i) == segment
}
