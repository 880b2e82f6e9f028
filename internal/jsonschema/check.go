package jsonschema

import (
	"fmt"
	"math/big"
	"slices"
	"unicode/utf8"
)

// Validate returns what is wrong with a value, sorted, none when it fits. A
// problem is the path of a place and what is wanted there. The value is one
// that encoding/json decodes into an any, with numbers as json.Number or
// float64; another Go type in it is a problem.
func (s *Schema) Validate(value any) []string {
	if tooDeep(value, maxValueDepth) {
		return problemsTooDeep
	}
	r := &run{}
	r.check(s.root, value, nil)
	return r.found()
}

// ValidateProperty is Validate for one property of an object, in the words that Validate has for it.
func (s *Schema) ValidateProperty(name string, value any) []string {
	if tooDeep(value, maxValueDepth) {
		return problemsTooDeep
	}
	r := &run{}
	r.checkProperty(s.root, name, value, nil)
	return r.found()
}

var problemsTooDeep = []string{fmt.Sprintf("$: is nested deeper than %d", maxValueDepth)}

// found are the problems, sorted.
func (r *run) found() []string {
	if r.exhausted {
		return []string{"$: takes too much work to check"}
	}
	slices.Sort(r.problems)
	problems := slices.Compact(r.problems)
	if more := len(problems) - maxProblems; more > 0 {
		problems = append(problems[:maxProblems:maxProblems], fmt.Sprintf("$: has %d more problems", more))
		slices.Sort(problems)
	}
	return problems
}

// run is one validation.
type run struct {
	problems  []string
	work      int
	depth     int
	exhausted bool // whatever was concluded is void

	closures   map[*node][]*node // of places
	namesDoubt bool
}

func (r *run) spend(n int) bool {
	r.work += n
	r.exhausted = r.exhausted || r.work > maxWork
	return !r.exhausted
}

func (r *run) report(at *path, format string, args ...any) {
	if r.spend(16 + r.depth) { // a path is as long as the value is deep
		r.problems = append(r.problems, at.String()+": "+fmt.Sprintf(format, args...))
	}
}

// try returns the problems of v under n without reporting them.
func (r *run) try(n *node, v any, at *path) []string {
	kept := r.problems
	r.problems = nil
	r.check(n, v, at)
	found := r.problems
	r.problems = kept
	return found
}

// check reports the problems of v under n. What an exhausted run reports
// does not matter, so nothing looks at that but the loops that it must end.
func (r *run) check(n *node, v any, at *path) {
	r.depth++
	defer func() { r.depth-- }()
	if r.exhausted = r.exhausted || r.depth > maxRunDepth; !r.spend(1) {
		return
	}
	if n.never {
		r.report(at, "is not allowed")
		return
	}
	kind := kindOf(v)
	if kind == 0 {
		r.report(at, "is no value that JSON can hold here")
		return
	}
	if n.types != 0 && n.types&kind == 0 {
		r.report(at, "must be of type %v, not %v", n.types, kind.one())
		return
	}
	r.checkChoice(n, v, at)
	switch {
	case kind&number != 0:
		r.checkNumber(n, v, at)
	case kind == str:
		r.checkString(n, v.(string), at)
	case kind == object:
		r.checkObject(n, v.(map[string]any), at)
	case kind == array:
		r.checkArray(n, v.([]any), at)
	}
	r.checkInPlace(n, v, at)
}

func (r *run) checkChoice(n *node, v any, at *path) {
	if n.choices == nil && n.only == nil {
		return
	}
	key, ok := canonical(v, r.spend)
	if n.only != nil && (!ok || !n.only.keys[key]) {
		r.report(at, "must be %s", n.only.text)
	}
	if n.choices != nil && (!ok || !n.choices.keys[key]) {
		r.report(at, "must be one of %s", n.choices.text)
	}
}

func (r *run) checkNumber(n *node, value any, at *path) {
	if n.minimum == nil && n.maximum == nil && n.above == nil && n.below == nil && n.multipleOf == nil {
		return
	}
	v := exact(value)
	if n.minimum != nil && v.Cmp(n.minimum) < 0 {
		r.report(at, "must be at least %s", decimal(n.minimum))
	}
	if n.maximum != nil && v.Cmp(n.maximum) > 0 {
		r.report(at, "must be at most %s", decimal(n.maximum))
	}
	if n.above != nil && v.Cmp(n.above) <= 0 {
		r.report(at, "must be above %s", decimal(n.above))
	}
	if n.below != nil && v.Cmp(n.below) >= 0 {
		r.report(at, "must be below %s", decimal(n.below))
	}
	if n.multipleOf != nil && !new(big.Rat).Quo(v, n.multipleOf).IsInt() {
		r.report(at, "must be a multiple of %s", decimal(n.multipleOf))
	}
}

func (r *run) checkString(n *node, v string, at *path) {
	if n.minLength != nil || n.maxLength != nil {
		r.spend(1 + len(v)/64)
		r.checkCount(utf8.RuneCountInString(v), n.minLength, n.maxLength, "characters", at)
	}
	if n.pattern != nil && r.spend(1+len(v)/8) && !n.pattern.matches(v) {
		r.report(at, "must match the pattern %s", clip(n.pattern.text))
	}
}

func (r *run) checkCount(count int, low, high *int, what string, at *path) {
	if low != nil && count < *low {
		r.report(at, "must have at least %d %s", *low, what)
	}
	if high != nil && count > *high {
		r.report(at, "must have at most %d %s", *high, what)
	}
}

// tooDeep says whether v is nested deeper than limit.
func tooDeep(v any, limit int) bool {
	if limit < 0 {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for _, item := range v {
			if tooDeep(item, limit-1) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if tooDeep(item, limit-1) {
				return true
			}
		}
	}
	return false
}
