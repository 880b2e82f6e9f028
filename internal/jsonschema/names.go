package jsonschema

import (
	"net/url"
	"strconv"
	"strings"
)

// place is a value in a document, and where it stands.
type place struct {
	value any
	at    string
}

// resource is a document, or a part of it with an $id of its own: what
// references within it start from.
type resource struct {
	root    place
	uri     *url.URL
	anchors map[string]place // a place of no pointer: more than one has the name
}

// names is what references in a document can lead to.
type names struct {
	resources map[string]*resource // by pointer
	byURI     map[string]*resource // nil: more than one has it
	dynamic   map[string]int       // how often there is a $dynamicAnchor
}

// The keywords under which there are schemas: one or a list of them, or an
// object of them. An $id or $anchor elsewhere is data.
var (
	holdSchemas = setOf("additionalItems", "additionalProperties", "allOf", "anyOf", "contains", "contentSchema", "else", "if", "items",
		"not", "oneOf", "prefixItems", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties")
	holdNamedSchemas = setOf("$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties")
)

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

func readNamesOf(document any) *names {
	root := &resource{root: place{document, "#"}, uri: &url.URL{}, anchors: map[string]place{}}
	x := &names{resources: map[string]*resource{"#": root}, byURI: map[string]*resource{}, dynamic: map[string]int{}}
	x.walk(document, "#", root, 0)
	return x
}

// walk reads the names in the schema at the pointer at. What is nested too
// deep does not compile anyway.
func (x *names) walk(v any, at string, in *resource, depth int) {
	schema, ok := v.(map[string]any)
	if !ok || depth > maxSchemaDepth {
		return
	}
	if id, ok := schema["$id"].(string); ok {
		in = x.identify(id, place{v, at}, in)
	}
	if name, ok := schema["$anchor"].(string); ok {
		in.anchor(name, place{v, at})
	}
	if name, ok := schema["$dynamicAnchor"].(string); ok {
		in.anchor(name, place{v, at})
		x.dynamic[name]++
	}
	for keyword, held := range schema {
		below := join(at, keyword)
		switch held := held.(type) {
		case map[string]any:
			if holdSchemas[keyword] {
				x.walk(held, below, in, depth+1)
			}
			if holdNamedSchemas[keyword] {
				for name, child := range held {
					x.walk(child, join(below, name), in, depth+1)
				}
			}
		case []any:
			if holdSchemas[keyword] {
				for i, child := range held {
					x.walk(child, join(below, strconv.Itoa(i)), in, depth+1)
				}
			}
		}
	}
}

// identify reads an $id and returns the resource that its schema belongs to.
// Draft 7 wrote an anchor as an $id that is only a fragment.
func (x *names) identify(id string, p place, in *resource) *resource {
	uri, err := in.uri.Parse(id)
	if err != nil {
		return in // refers to nothing, then
	}
	name := uri.Fragment
	uri.Fragment, uri.RawFragment = "", ""
	if key := uri.String(); key != in.uri.String() {
		if p.at == "#" {
			in.uri = uri
		} else {
			in = &resource{root: p, uri: uri, anchors: map[string]place{}}
			x.resources[p.at] = in
		}
		if _, twice := x.byURI[key]; twice {
			x.byURI[key] = nil
		} else {
			x.byURI[key] = in
		}
	}
	if name != "" && !strings.HasPrefix(name, "/") {
		in.anchor(name, p)
	}
	return in
}

func (r *resource) anchor(name string, p place) {
	if other, ok := r.anchors[name]; ok && other.at != p.at {
		p = place{}
	}
	r.anchors[name] = p
}

// find follows a reference. False: to another document, to a name that is not
// there or not clear, or to a place that is not there.
func (x *names) find(ref reference) (place, bool) {
	address, fragment, _ := strings.Cut(ref.to, "#")
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return place{}, false
	}
	in := x.around(ref.from.pointer)
	if address != "" {
		uri, err := in.uri.Parse(address)
		if err != nil {
			return place{}, false
		}
		if in = x.byURI[uri.String()]; in == nil {
			return place{}, false
		}
	}
	if fragment != "" && fragment[0] != '/' {
		if ref.keyword == "$dynamicRef" && x.dynamic[fragment] > 1 {
			return place{}, false // which one depends on the way here
		}
		found := in.anchors[fragment]
		return found, found.at != ""
	}
	found, ok := in.root.follow(fragment)
	if !ok && address == "" {
		// Not by the standard, but common: an $id below, and pointers from the top.
		found, ok = x.resources["#"].root.follow(fragment)
	}
	return found, ok
}

// around returns the resource that the schema at a pointer belongs to.
func (x *names) around(pointer string) *resource {
	in := x.resources[pointer]
	if in == nil {
		in = x.around(pointer[:strings.LastIndexByte(pointer, '/')]) // ends at "#", which is there
		x.resources[pointer] = in                                    // many schemas have the same parents
	}
	return in
}

// follow follows a JSON Pointer from p, and spells it the way that compiler
// does.
func (p place) follow(pointer string) (place, bool) {
	if pointer == "" {
		return p, true
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch v := p.value.(type) {
		case map[string]any:
			next, ok := v[token]
			if !ok {
				return place{}, false
			}
			p.value = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) || strconv.Itoa(i) != token {
				return place{}, false
			}
			p.value = v[i]
		default:
			return place{}, false
		}
		p.at = join(p.at, token)
	}
	return p, true
}
