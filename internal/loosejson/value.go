package loosejson

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/plainjson"
)

// Kind says which of JSON's six kinds a [Value] is.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String returns the kind with its article, for error texts.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a string"
	case Array:
		return "an array"
	default:
		return "an object"
	}
}

// Value is one JSON value. Objects keep the order of their members, and
// numbers the digits that were written.
type Value struct {
	Kind    Kind
	Text    string   // of a String what it says, of a Number its digits, of a Bool true or false
	Items   []Value  // of an Array
	Members []Member // of an Object; no name is there twice
}

// Member is a name with its value.
type Member struct {
	Name  string
	Value Value
}

// Text returns a String.
func Text(s string) Value { return Value{Kind: String, Text: s} }

// Get returns the value under exactly that name.
func (v Value) Get(name string) (Value, bool) {
	for i := range v.Members {
		if v.Members[i].Name == name {
			return v.Members[i].Value, true
		}
	}
	return Value{}, false
}

// With returns a copy of an Object with value under name, in the place of what
// was there or at the end.
func (v Value) With(name string, value Value) Value {
	v.Members = slices.Clone(v.Members)
	for i := range v.Members {
		if v.Members[i].Name == name {
			v.Members[i].Value = value
			return v
		}
	}
	v.Members = append(v.Members, Member{name, value})
	return v
}

// Append appends v to dst as JSON that every reader accepts, without spaces.
func (v Value) Append(dst []byte) []byte {
	switch v.Kind {
	case Null:
		return append(dst, "null"...)
	case Bool, Number:
		return append(dst, v.Text...)
	case String:
		return appendString(dst, v.Text)
	case Array:
		dst = append(dst, '[')
		for i := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = v.Items[i].Append(dst)
		}
		return append(dst, ']')
	default:
		dst = append(dst, '{')
		for i := range v.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, v.Members[i].Name)
			dst = append(dst, ':')
			dst = v.Members[i].Value.Append(dst)
		}
		return append(dst, '}')
	}
}

func appendString(dst []byte, s string) []byte {
	plain := func(r rune) bool {
		return r >= ' ' && r != '"' && r != '\\' && r != utf8.RuneError && r != '\u2028' && r != '\u2029'
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) { // as mostly
		return append(append(append(dst, '"'), s...), '"')
	}
	text, _ := plainjson.Encode(s) // a string always has a JSON form
	return append(dst, text...)
}

// Any returns v as encoding/json would decode it into an any, except that a
// number beyond 2^53, such as a long id, stays a [json.Number]: a float64 might
// change it.
func (v Value) Any() any {
	switch v.Kind {
	case Null:
		return nil
	case Bool:
		return v.Text == "true"
	case Number:
		return number(v.Text)
	case String:
		return v.Text
	case Array:
		list := make([]any, len(v.Items))
		for i := range v.Items {
			list[i] = v.Items[i].Any()
		}
		return list
	default:
		m := make(map[string]any, len(v.Members))
		for i := range v.Members {
			m[v.Members[i].Name] = v.Members[i].Value.Any()
		}
		return m
	}
}

func number(digits string) any {
	const exact = 1 << 53
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.Abs(f) > exact || (math.Abs(f) == exact && digits != strconv.FormatFloat(f, 'f', -1, 64)) {
		return json.Number(digits)
	}
	return f
}

// Equal reports whether a and b say the same: the order of members and the
// way a string was written do not count, the digits of a number do.
func Equal(a, b Value) bool { return equal(a, b, new(int)) }

// equal adds to work what it looked at.
func equal(a, b Value, work *int) bool {
	*work += 1 + min(len(a.Text), len(b.Text))
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Items {
		if !equal(a.Items[i], b.Items[i], work) {
			return false
		}
	}
	if len(a.Members) == 0 {
		return true
	}
	*work += len(b.Members)
	others := make(map[string]Value, len(b.Members)) // a search per member would be quadratic
	for _, m := range b.Members {
		others[m.Name] = m.Value
	}
	for _, m := range a.Members {
		if other, ok := others[m.Name]; !ok || !equal(m.Value, other, work) {
			return false
		}
	}
	return true
}
