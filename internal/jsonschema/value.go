package jsonschema

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	cut "github.com/agentfsm/agentfsm/internal/clip"
)

// kinds is a set of JSON types.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	object
	array
	str
	number
	integer
)

// kindNames are the names of the bits, in their order.
var kindNames = []string{"null", "boolean", "object", "array", "string", "number", "integer"}

func (k kinds) String() string {
	var names []string
	for i, name := range kindNames {
		if k&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

// one is the name of the type of a value, the narrowest.
func (k kinds) one() string {
	if k&integer != 0 {
		return "integer"
	}
	return k.String()
}

// kindOf returns the type of a value, with integer beside number for whole
// numbers. Zero: not a value of JSON.
func kindOf(v any) kinds {
	switch v := v.(type) {
	case nil:
		return null
	case bool:
		return boolean
	case map[string]any:
		return object
	case []any:
		return array
	case string:
		return str
	case json.Number:
		if len(v) <= maxNumber && whole(string(v)) {
			return number | integer // as mostly
		}
		switch r, ok := rational(string(v)); {
		case !ok:
			return 0
		case r.IsInt():
			return number | integer
		}
		return number
	case float64:
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return 0
		case v == math.Trunc(v):
			return number | integer
		}
		return number
	}
	return 0
}

// whole reports whether a text is a number of JSON without a point and an exponent.
func whole(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (digits == "0" || digits[0] != '0')
}

// exact returns a number as it was written, nil for another value.
func exact(v any) *big.Rat {
	text := ""
	switch v := v.(type) {
	case json.Number:
		text = string(v)
	case float64: // the shortest decimal is what was meant: 0.1 is a multiple of 0.1
		text = strconv.FormatFloat(v, 'g', -1, 64)
	}
	r, _ := rational(text)
	return r
}

// maxNumber bounds the digits of a number, and its exponent.
const maxNumber = 1000

// rational reads a number exactly. A number whose exact form would fill the
// memory, such as 1e999999999, is refused.
func rational(text string) (*big.Rat, bool) {
	if len(text) > maxNumber {
		return nil, false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent, err := strconv.Atoi(text[i+1:])
		if err != nil || exponent > maxNumber || exponent < -maxNumber {
			return nil, false
		}
	}
	if !json.Valid([]byte(text)) { // big.Rat reads fractions and prefixes, too
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// choices are the values of an enum or a const.
type choices struct {
	keys map[string]bool
	text string // for problems: as many values as fit
}

func newChoices(list []any, at string) (*choices, error) {
	c := &choices{keys: make(map[string]bool, len(list))}
	var shown []string
	size := 0
	for i, v := range list {
		key, ok := canonical(v, nil)
		if !ok {
			return nil, &CompileError{Pointer: at, Reason: "holds a number that is too large"}
		}
		c.keys[key] = true
		raw, _ := json.Marshal(v)
		if size += len(raw); len(shown) == i && (i == 0 || size <= longest) {
			shown = append(shown, clip(string(raw)))
		}
	}
	c.text = strings.Join(shown, ", ")
	if more := len(list) - len(shown); more > 0 {
		c.text += fmt.Sprintf(" and %d more", more)
	}
	return c, nil
}

// canonical returns a text that two values share exactly when they are equal:
// keys sorted, numbers by their value. spend, if any, is asked for every value
// inside; false ends it.
func canonical(v any, spend func(int) bool) (string, bool) {
	var b strings.Builder
	quote := func(s string) bool {
		b.WriteString(strconv.Quote(s))
		return spend == nil || spend(len(s)/16)
	}
	var write func(v any) bool
	write = func(v any) bool {
		if spend != nil && !spend(1) {
			return false
		}
		kind := kindOf(v)
		switch {
		case kind == 0:
			return false
		case kind&number != 0:
			b.WriteString(exact(v).RatString())
		case kind == array:
			b.WriteByte('[')
			for _, item := range v.([]any) {
				if !write(item) {
					return false
				}
				b.WriteByte(',')
			}
			b.WriteByte(']')
		case kind == object:
			b.WriteByte('{')
			m := v.(map[string]any)
			for _, key := range sortedKeys(m) {
				if !quote(key) {
					return false
				}
				b.WriteByte(':')
				if !write(m[key]) {
					return false
				}
				b.WriteByte(',')
			}
			b.WriteByte('}')
		case kind == str:
			return quote(v.(string))
		case kind == boolean:
			b.WriteString(strconv.FormatBool(v.(bool)))
		default:
			b.WriteString("null")
		}
		return true
	}
	ok := write(v)
	return b.String(), ok
}

// longest is how many bytes of others' words a message quotes in one place.
const longest = 200

// clip keeps a schema's or a caller's words from filling a message.
func clip(s string) string {
	return cut.Name(s, longest) // no part of a long one: a secret may be in it
}
