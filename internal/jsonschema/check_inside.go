package jsonschema

func (r *run) checkObject(n *node, v map[string]any, at *path) {
	r.checkCount(len(v), n.minProperties, n.maxProperties, "properties", at)
	r.checkRequired(n.required, v, at)
	if n.properties == nil && n.patternProperties == nil && n.additional == nil && n.propertyNames == nil {
		return
	}
	for name, item := range v { // in any order: problems are sorted
		if !r.spend(1 + len(n.patternProperties)) {
			return
		}
		r.checkProperty(n, name, item, at)
	}
}

// checkProperty makes the place of a property, which lives as long as its check.
func (r *run) checkProperty(n *node, name string, item any, object *path) {
	at := path{object, name, -1}
	if n.propertyNames != nil && len(r.try(n.propertyNames, name, &at)) > 0 {
		r.report(&at, "has a name that is not allowed")
	}
	n.eachProperty(name, false, func(child *node) { r.check(child, item, &at) })
}

func (r *run) checkItem(n *node, i int, item any, list *path) {
	at := path{list, "", i}
	if child := n.item(i); child != nil {
		r.check(child, item, &at)
	}
}

// eachProperty calls f with the schemas that apply to the property name, and,
// if it is to, with those that perhaps do.
func (n *node) eachProperty(name string, perhaps bool, f func(*node)) {
	known := false
	if child := n.properties[name]; child != nil {
		known = true
		f(child)
	}
	for _, p := range n.patternProperties {
		switch {
		case p.pattern == nil && perhaps:
			f(p.schema)
		case p.pattern == nil:
			known = true
		case p.pattern.matches(name):
			known = true
			f(p.schema)
		}
	}
	if !known && n.additional != nil {
		f(n.additional)
	}
}

func (r *run) checkRequired(names []string, v map[string]any, at *path) {
	for _, name := range names {
		if _, ok := v[name]; !ok && r.spend(1) {
			r.report(&path{at, name, -1}, "is required")
		}
	}
}

func (r *run) checkArray(n *node, v []any, at *path) {
	r.checkCount(len(v), n.minItems, n.maxItems, "items", at)
	for i, item := range v {
		if r.exhausted {
			return
		}
		r.checkItem(n, i, item, at)
	}
	if n.unique {
		r.checkUnique(v, at)
	}
}

// item returns the schema of the item i, nil for none.
func (n *node) item(i int) *node {
	if i < len(n.prefix) {
		return n.prefix[i]
	}
	return n.items
}

func (r *run) checkUnique(v []any, at *path) {
	seen := make(map[string]int, len(v))
	for i, item := range v {
		key, ok := canonical(item, r.spend)
		if !ok {
			return // no value of JSON, or no budget; nothing equals it
		}
		if first, ok := seen[key]; ok {
			r.report(&path{at, "", i}, "is the same as item %d", first)
			continue
		}
		seen[key] = i
	}
}
