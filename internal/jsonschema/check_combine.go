package jsonschema

import (
	"slices"
	"strings"
)

// checkInPlace applies the schemas that n combines.
func (r *run) checkInPlace(n *node, v any, at *path) {
	for _, child := range n.refs {
		r.check(child, v, at)
	}
	for _, child := range n.allOf {
		r.check(child, v, at)
	}
	if len(n.anyOf) > 0 {
		r.checkAny(n.anyOf, v, at, false)
	}
	if len(n.oneOf) > 0 {
		r.checkAny(n.oneOf, v, at, true)
	}
	if n.not != nil && len(r.try(n.not, v, at)) == 0 {
		r.report(at, "has a value that is not allowed")
	}
}

// checkAny checks anyOf, and oneOf with single.
func (r *run) checkAny(list []*node, v any, at *path, single bool) {
	fit := 0
	var reasons []string
	for _, child := range list {
		if found := r.try(child, v, at); len(found) > 0 {
			reasons = append(reasons, slices.Min(found))
			continue
		}
		if fit++; !single {
			return
		}
	}
	if fit == 0 {
		const shown = 3
		more := ""
		if len(reasons) > shown {
			reasons, more = reasons[:shown], "; …"
		}
		r.report(at, "fits none of its %d alternatives (%s%s)", len(list), strings.Join(reasons, "; or "), more)
	}
	if single && fit > 1 {
		r.report(at, "fits %d of its alternatives and must fit only one", fit)
	}
}
