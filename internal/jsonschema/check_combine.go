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
	if n.not != nil && !n.not.approximate && len(r.try(n.not, v, at)) == 0 {
		r.report(at, "is what it must not be")
	}
	if n.cond == nil || n.then == nil && n.else_ == nil {
		return
	}
	if len(r.try(n.cond, v, at)) > 0 {
		if n.else_ != nil {
			r.check(n.else_, v, at)
		}
	} else if n.then != nil && !n.cond.approximate {
		r.check(n.then, v, at)
	}
}

// checkAny checks anyOf, and oneOf with single.
func (r *run) checkAny(list []*node, v any, at *path, single bool) {
	certain, possible := 0, 0
	var reasons []string
	for _, child := range list {
		found := r.try(child, v, at)
		switch {
		case len(found) > 0:
			reasons = append(reasons, slices.Min(found))
			continue
		case !child.approximate:
			certain++
		}
		possible++
		if !single {
			return
		}
	}
	if possible == 0 {
		const shown = 3
		more := ""
		if len(reasons) > shown {
			reasons, more = reasons[:shown], "; …"
		}
		r.report(at, "fits none of its %d alternatives (%s%s)", len(list), strings.Join(reasons, "; or "), more)
	}
	if single && certain > 1 {
		r.report(at, "fits %d of its alternatives and must fit only one", certain)
	}
}
