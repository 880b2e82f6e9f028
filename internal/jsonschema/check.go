package jsonschema

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Validate returns what is wrong with a value, sorted, nothing if it fits. A
// problem is the path of a place and what is wanted there. The value is one
// that encoding/json decodes into an any, with numbers as json.Number or
// float64; another Go type in it is a problem.
func (s *Schema) Validate(value any) []string {
	r := &run{}
	r.check(s.root, value, "$")
	return r.found()
}

// ValidateProperty is Validate for one property of an object.
func (s *Schema) ValidateProperty(name string, value any) []string {
	r := &run{}
	r.checkProperty(s.root, name, value, "$")
	return r.found()
}

// run is one validation, or one look at places.
type run struct {
	problems []string
	work     int
	depth    int
	names    bool // of places: propertyNames is used somewhere
}

// found returns the problems, sorted.
func (r *run) found() []string {
	if r.exhausted() {
		return []string{"$: takes too much work to check"}
	}
	slices.Sort(r.problems)
	problems := slices.Compact(r.problems)
	if more := len(problems) - maxProblems; more > 0 {
		problems = append(problems[:maxProblems], fmt.Sprintf("$: has %d more problems", more))
	}
	return problems
}

// exhausted reports whether there was too much to do. All results are void then.
func (r *run) exhausted() bool { return r.work > maxWork }

func (r *run) spend(n int) bool {
	r.work += n
	return !r.exhausted()
}

func (r *run) report(at, format string, args ...any) {
	if r.spend(16 + r.depth) { // a path is as long as the value is deep
		r.problems = append(r.problems, at+": "+fmt.Sprintf(format, args...))
	}
}

// try returns the problems of v under n without reporting them.
func (r *run) try(n *node, v any, at string) []string {
	kept := len(r.problems)
	r.check(n, v, at)
	found := slices.Clone(r.problems[kept:])
	r.problems = r.problems[:kept]
	return found
}

// check reports the problems of v under n.
func (r *run) check(n *node, v any, at string) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxRunDepth {
		r.work = maxWork
	}
	if !r.spend(1 + len(at)/256) {
		return
	}
	typ := typeOf(v)
	switch {
	case n.never:
		r.report(at, "is not allowed")
		return
	case typ == "":
		r.report(at, "is no value that JSON can hold here")
		return
	case !n.takes(typ):
		r.report(at, "must be of type %s, not %s", strings.Join(n.types, " or "), typ)
		return
	}
	for _, fits := range n.checks {
		if problem := fits(r, v); problem != "" {
			r.report(at, "%s", problem)
		}
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range n.required {
			if _, ok := v[name]; !ok && r.spend(1) {
				r.report(property(at, name), "is required")
			}
		}
		for name, item := range v { // in any order: problems are sorted
			r.checkProperty(n, name, item, at)
		}
	case []any:
		for i, item := range v {
			if n.items != nil && !r.exhausted() {
				r.check(n.items, item, at+"["+strconv.Itoa(i)+"]")
			}
		}
	}
	for _, child := range n.allOf {
		r.check(child, v, at)
	}
	r.checkAny(n.anyOf, v, at, false)
	r.checkAny(n.oneOf, v, at, true)
}

// takes reports whether a type is among those of a schema.
func (n *node) takes(typ string) bool {
	return n.types == nil || slices.Contains(n.types, typ) || typ == "integer" && slices.Contains(n.types, "number")
}

func (r *run) checkProperty(n *node, name string, item any, object string) {
	if !r.spend(1) {
		return
	}
	at := property(object, name)
	if n.propertyNames != nil && len(r.try(n.propertyNames, name, at)) > 0 {
		r.report(at, "has a name that is not allowed")
	}
	if child := n.property(name); child != nil {
		r.check(child, item, at)
	}
}

// checkAny checks anyOf, and oneOf with single.
func (r *run) checkAny(list []*node, v any, at string, single bool) {
	const shown = 3
	fit := 0
	var reasons []string
	for _, child := range list {
		if found := r.try(child, v, at); len(found) > 0 {
			reasons = append(reasons, slices.Min(found))
		} else if fit++; !single {
			return
		}
	}
	switch {
	case len(list) > 0 && fit == 0:
		if len(reasons) > shown {
			reasons = append(reasons[:shown], "…")
		}
		r.report(at, "fits none of its %d alternatives (%s)", len(list), strings.Join(reasons, "; or "))
	case fit > 1:
		r.report(at, "fits %d of its alternatives and must fit only one", fit)
	}
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// property returns the path of a property, such as $.rows[2].name, without a name that is long.
func property(at, name string) string {
	name = short(name)
	if plainName.MatchString(name) {
		return at + "." + name
	}
	return at + "[" + strconv.Quote(name) + "]"
}
