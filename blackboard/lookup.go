package blackboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
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
	raw, err := b.lookup(path)
	if err != nil {
		return nil, &opError{"lookup", path, err}
	}
	return raw, nil
}

func (b *Board) lookup(path string) (json.RawMessage, error) {
	if len(path) > maxPath {
		return nil, fmt.Errorf("%w: the path is longer than %d bytes", ErrNotFound, maxPath)
	}
	found, rest, ok := shortest(path, b.entry)
	if !ok {
		return nil, fmt.Errorf("%w: there is no value of that name", ErrNotFound)
	}
	if !found.list() || rest == "" {
		return descend(found.json(), path, rest)
	}
	i, rest, ok := index(rest)
	switch {
	case !ok || i >= found.count():
		return nil, fmt.Errorf("%w: the list has %d items", ErrNotFound, found.count())
	case i < found.dropped: // the others keep their places, so that a reference never finds another item
		return nil, fmt.Errorf("%w: the list has dropped its first %d items", ErrNotFound, found.dropped)
	}
	return descend(slices.Clone(found.items[i-found.dropped]), path, rest)
}

// descend walks down from raw. rest is the part of path that is left, "" or
// beginning with a dot.
func descend(raw json.RawMessage, path, rest string) (json.RawMessage, error) {
	for rest != "" {
		here := clip(path[:len(path)-len(rest)])
		switch raw[0] {
		case '{':
			known := maps.Collect(members(raw))
			found, left, ok := shortest(rest[1:], func(name string) (json.RawMessage, bool) {
				value, ok := known[name]
				return value, ok
			})
			if !ok {
				return nil, fmt.Errorf("%w: %s has no such member", ErrNotFound, here)
			}
			raw, rest = found, left
		case '[':
			list := items(raw)
			i, left, ok := index(rest)
			if !ok || i >= len(list) {
				return nil, fmt.Errorf("%w: %s has %d items", ErrNotFound, here, len(list))
			}
			raw, rest = list[i], left
		default:
			return nil, fmt.Errorf("%w: %s is neither an object nor an array", ErrNotFound, here)
		}
	}
	return raw, nil
}

// items returns the items of an array in normal form.
func items(raw json.RawMessage) (list []json.RawMessage) {
	_ = json.Unmarshal(raw, &list) // it is valid
	return list
}

// members yields the members of an object in normal form, in order.
func members(raw json.RawMessage) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		dec := json.NewDecoder(bytes.NewReader(raw))
		_, err := dec.Token() // the brace
		for err == nil && dec.More() {
			var name json.Token
			var value json.RawMessage
			if name, err = dec.Token(); err == nil {
				err = dec.Decode(&value)
			}
			if err != nil || !yield(name.(string), value) { // there is no error: it is valid
				return
			}
		}
	}
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
