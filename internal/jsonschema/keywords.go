package jsonschema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// checks are the keywords that look at the value itself, by name. Each makes the check of a schema,
// none if the package does not know that form of the keyword.
var checks = map[string]func(v any, at string) (check, error){
	"enum": func(v any, at string) (check, error) {
		list, err := as[[]any](v, at, "a list of values")
		return choice(list, "must be one of "), err
	},
	"const":   func(v any, at string) (check, error) { return choice([]any{v}, "must be "), nil },
	"pattern": pattern,

	"minimum":          bound(exact, atLeast, "must be at least %s"),
	"maximum":          bound(exact, atMost, "must be at most %s"),
	"exclusiveMinimum": bound(exact, above, "must be above %s"),
	"exclusiveMaximum": bound(exact, below, "must be below %s"),
	"minLength":        bound(letters, atLeast, "must have at least %s characters"),
	"maxLength":        bound(letters, atMost, "must have at most %s characters"),
	"minItems":         bound(items, atLeast, "must have at least %s items"),
	"maxItems":         bound(items, atMost, "must have at most %s items"),
	"minProperties":    bound(properties, atLeast, "must have at least %s properties"),
	"maxProperties":    bound(properties, atMost, "must have at most %s properties"),
}

// choice allows only these values. The problem lists the first ones.
func choice(list []any, must string) check {
	var shown []string
	more, size := "", 0
	for i, v := range list {
		raw, _ := json.Marshal(v) // a value of the schema has a JSON form
		if size += len(raw); i > 0 && size > longest {
			more = fmt.Sprintf(" and %d more", len(list)-i)
			break
		}
		shown = append(shown, short(string(raw)))
	}
	return func(r *run, v any) string {
		if slices.ContainsFunc(list, func(one any) bool { return r.equal(one, v) }) {
			return ""
		}
		return must + strings.Join(shown, ", ") + more
	}
}

// equal compares JSON values, numbers by their value.
func (r *run) equal(a, b any) bool {
	r.spend(1)
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, r.equal)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, r.equal)
	case json.Number:
		x, y := exact(a), exact(b)
		return x != nil && y != nil && x.Cmp(y) == 0
	}
	return typeOf(a) == typeOf(b) && a == b
}

func atLeast(order int) bool { return order >= 0 }
func atMost(order int) bool  { return order <= 0 }
func above(order int) bool   { return order > 0 }
func below(order int) bool   { return order < 0 }

// bound limits what is measured of a value. A value of which it measures nothing fits.
func bound(measure func(v any) *big.Rat, fits func(order int) bool, problem string) func(v any, at string) (check, error) {
	return func(v any, at string) (check, error) {
		limit := exact(v)
		if limit == nil {
			return nil, wrong(at, "must be a number of a sane size")
		}
		text := fmt.Sprintf(problem, short(fmt.Sprint(v)))
		return func(_ *run, v any) string {
			if n := measure(v); n == nil || fits(n.Cmp(limit)) {
				return ""
			}
			return text
		}, nil
	}
}

var (
	letters    = size(utf8.RuneCountInString)
	items      = size(func(list []any) int { return len(list) })
	properties = size(func(object map[string]any) int { return len(object) })
)

// size measures the values of one type.
func size[T any](count func(T) int) func(v any) *big.Rat {
	return func(v any) *big.Rat {
		if t, ok := v.(T); ok {
			return big.NewRat(int64(count(t)), 1)
		}
		return nil
	}
}

func pattern(v any, at string) (check, error) {
	text, err := readString(v, at)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // ECMA 262 knows more: the keyword counts as not checked
	}
	return func(r *run, v any) string {
		if s, ok := v.(string); ok && r.spend(len(s)/8) && !re.MatchString(s) {
			return "must match the pattern " + short(text)
		}
		return ""
	}, nil
}

// typeOf returns the type of a value, the narrowest; "" if JSON has no such value.
func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	}
	switch x := exact(v); {
	case x == nil:
		return ""
	case x.IsInt():
		return "integer"
	}
	return "number"
}

// exact returns the value of a number, nil for another value and for a number that would fill the
// memory, such as 1e999999999.
func exact(v any) *big.Rat {
	text := ""
	switch v := v.(type) {
	case json.Number:
		text = string(v)
	case float64: // the shortest decimal is what was meant
		text = strconv.FormatFloat(v, 'g', -1, 64)
	}
	const most = 1000 // digits, and the exponent
	_, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if power, _ := strconv.Atoi(exponent); len(text) > most || len(exponent) > 6 || power > most || power < -most || !json.Valid([]byte(text)) {
		return nil
	}
	x, _ := new(big.Rat).SetString(text) // nil for true
	return x
}
