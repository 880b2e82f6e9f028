package jsonschema

import (
	"cmp"
	"slices"
	"strings"
)

// Secrets returns the places of the value that the schema keeps from people:
// those that are writeOnly or of the format password, under any of the schemas
// that may apply to them, whether the value fits or not. In a schema that has
// such marks at all, what stands under a keyword or a reference that is not
// understood, and may be one of them, is taken for secret, too. Sorted; nothing
// below a place that is returned already. Without a way to tell, because the
// value is nested too deep or takes too much work, it is the whole value. A schema that marks
// nothing keeps nothing.
func (s *Schema) Secrets(value any) []Path {
	if !s.hides {
		return nil
	}
	whole := []Path{{}}
	if tooDeep(value, maxValueDepth) {
		return whole
	}
	r := &run{}
	found := map[string]Path{}
	r.secrets(s.root, value, nil, found)
	if r.exhausted {
		return whole
	}
	var out []Path
	for _, p := range found {
		if !covered(p, found) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, comparePaths)
	return out
}

// covered says whether a place around p is among the places found.
func covered(p Path, found map[string]Path) bool {
	for end := range p {
		if _, ok := found[p[:end].full()]; ok {
			return true
		}
	}
	return false
}

func comparePaths(a, b Path) int {
	return slices.CompareFunc(a, b, func(x, y any) int {
		i, first := x.(int)
		j, second := y.(int)
		if first && second {
			return cmp.Compare(i, j)
		}
		s, _ := x.(string)
		t, _ := y.(string)
		return cmp.Compare(s, t)
	})
}

func (r *run) secrets(n *node, v any, at *path, found map[string]Path) {
	r.depth++
	defer func() { r.depth-- }()
	if r.exhausted = r.exhausted || r.depth > maxRunDepth; !r.spend(1) {
		return
	}
	if n.secret {
		p := at.path()
		found[p.full()] = p
		return
	}
	n.inPlace(func(child *node) { r.secrets(child, v, at, found) })
	switch v := v.(type) {
	case map[string]any:
		for name, item := range v {
			r.spend(1 + len(n.patternProperties))
			if n.propertyNames != nil { // a name has no place of its own
				r.secrets(n.propertyNames, name, at, found)
			}
			n.eachProperty(name, true, func(child *node) { r.secrets(child, item, at.key(name), found) })
			if n.properties[name] == nil {
				r.secretsOfLike(n, name, item, at, found)
			}
		}
	case []any:
		for i, item := range v {
			if child := n.item(i); child != nil {
				r.secrets(child, item, at.index(i), found)
			}
		}
	}
}

// secretsOfLike takes a name for that of a property which is written in another case:
// encoding/json, with which many tools read their arguments, does so, too.
func (r *run) secretsOfLike(n *node, name string, item any, at *path, found map[string]Path) {
	if !r.spend(len(n.properties)) {
		return
	}
	for known, child := range n.properties {
		if strings.EqualFold(known, name) {
			r.secrets(child, item, at.key(name), found)
		}
	}
}
