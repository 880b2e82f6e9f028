package durable

import (
	"bytes"
	"encoding/json"
	"slices"
	"unicode/utf8"
)

// membersOf returns the members of an object, which share its bytes; nil: it is no object. The recorder calls it twice in
// each step, and encoding/json takes three times as long.
func membersOf(object []byte) map[string]json.RawMessage {
	if !json.Valid(object) || bytes.TrimSpace(object)[0] != '{' {
		return nil
	}
	members := map[string]json.RawMessage{}
	name, at, depth := "", 0, 0 // at: where a name or a value begins
	take := func(end int) {
		if value := bytes.TrimSpace(object[at:end]); len(value) > 0 {
			members[name] = slices.Clip(value)
		}
	}
	for i := 0; i < len(object); i++ {
		switch object[i] {
		case '"':
			i = endOfString(object, i)
		case ':':
			if depth == 1 {
				name, at = nameIn(object[at:i]), i+1
			}
		case '{', '[':
			if depth++; depth == 1 {
				at = i + 1
			}
		case '}', ']':
			if depth--; depth == 0 {
				take(i)
			}
		case ',':
			if depth == 1 {
				take(i)
				at = i + 1
			}
		}
	}
	return members
}

// endOfString returns the index of the quote that ends a string.
func endOfString(text []byte, begin int) int {
	for i := begin + 1; ; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
}

// nameIn returns the name that a quoted text is of.
func nameIn(quoted []byte) string {
	quoted = bytes.TrimSpace(quoted)
	if inner := quoted[1 : len(quoted)-1]; !bytes.Contains(inner, []byte(`\`)) && utf8.Valid(inner) {
		return string(inner)
	}
	var name string
	_ = json.Unmarshal(quoted, &name) // it is a string
	return name
}
