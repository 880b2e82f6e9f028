package blackboard

import (
	"bytes"
	"encoding/json"
	"iter"
)

// The funcs here walk over values in normal form without decoding them. They
// rely on the text being valid and free of white space.

// skip returns the index after the value that begins at raw[i].
func skip(raw []byte, i int) int {
	switch raw[i] {
	case '"':
		return skipString(raw, i)
	case '{', '[':
		depth := 0
		for ; ; i++ {
			switch raw[i] {
			case '"':
				i = skipString(raw, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	for i++; i < len(raw) && raw[i] != ',' && raw[i] != ']' && raw[i] != '}'; i++ {
	}
	return i
}

// skipString returns the index after the string that begins at raw[i].
func skipString(raw []byte, i int) int {
	for i++; raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// items yields the items of an array.
func items(raw []byte) iter.Seq2[int, json.RawMessage] {
	return func(yield func(int, json.RawMessage) bool) {
		for n, i := 0, 1; i < len(raw)-1; n++ {
			end := skip(raw, i)
			if !yield(n, json.RawMessage(raw[i:end:end])) {
				return
			}
			i = end + 1
		}
	}
}

// members yields the members of an object, their names still quoted.
func members(raw []byte) iter.Seq2[[]byte, json.RawMessage] {
	return func(yield func([]byte, json.RawMessage) bool) {
		for i := 1; i < len(raw)-1; {
			colon := skipString(raw, i)
			end := skip(raw, colon+1)
			if !yield(raw[i:colon:colon], json.RawMessage(raw[colon+1:end:end])) {
				return
			}
			i = end + 1
		}
	}
}

// unquote returns the text of a JSON string.
func unquote(quoted []byte) string {
	if inner := quoted[1 : len(quoted)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(quoted, &s) // it is a valid string
	return s
}
