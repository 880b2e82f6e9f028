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
	r.check(s.root, value, nil)
	return r.found()
}

// ValidateProperty is Validate for one property of an object.
func (s *Schema) ValidateProperty(name string, value any) []string {
	r := &run{}
	r.checkProperty(s.root, name, value, nil)
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

// check reports the problems of v under n.
func (r *run) check(n *node, v any, at *path) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxRunDepth {
		r.work = maxWork
	}
	if !r.spend(1) {
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
				r.report(&path{at, name, -1}, "is required")
			}
		}
		for name, item := range v { // in any order: problems are sorted
			r.checkProperty(n, name, item, at)
		}
	case []any:
		for i, item := range v {
			if n.items != nil && !r.exhausted() {
				r.check(n.items, item, &path{at, "", i})
			}
		}
	}
	for _, child := range slices.Concat(n.refs, n.allOf) {
		r.check(child, v, at)
	}
	r.checkAny(n.anyOf, v, at, false)
	r.checkAny(n.oneOf, v, at, true)
}

// takes reports whether a type is among those of a schema.
func (n *node) takes(typ string) bool {
	return n.types == nil || slices.Contains(n.types, typ) || typ == "integer" && slices.Contains(n.types, "number")
}

func (r *run) checkProperty(n *node, name string, item any, object *path) {
	at := &path{object, name, -1}
	if !r.spend(1) {
		return
	}
	if n.propertyNames != nil && len(r.try(n.propertyNames, name, at)) > 0 {
		r.report(at, "has a name that is not allowed")
	}
	if child := n.property(name); child != nil {
		r.check(child, item, at)
	}
}

// checkAny checks anyOf, and oneOf with single.
func (r *run) checkAny(list []*node, v any, at *path, single bool) {
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
		more := ""
		if len(reasons) > shown {
			reasons, more = reasons[:shown], "; …"
		}
		r.report(at, "fits none of its %d alternatives (%s%s)", len(list), strings.Join(reasons, "; or "), more)
	case fit > 1:
		r.report(at, "fits %d of its alternatives and must fit only one", fit)
	}
}

// path leads to a place in a value; nil is the value itself.
type path struct {
	parent *path
	name   string
	at     int // of an item; -1: it is a property
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// String writes a path as "$.rows[2].name", without names that are long.
func (p *path) String() string {
	if p == nil {
		return "$"
	}
	name := short(p.name)
	switch {
	case p.at >= 0:
		return p.parent.String() + "[" + strconv.Itoa(p.at) + "]"
	case plainName.MatchString(name):
		return p.parent.String() + "." + name
	}
	return p.parent.String() + "[" + strconv.Quote(name) + "]"
}
