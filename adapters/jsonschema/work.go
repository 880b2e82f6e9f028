package jsonschema

import (
	"net/url"
	"strconv"
	"strings"
)

// maxVisits is how many times a check may look at a value with a schema.
const maxVisits = 100_000

// maxNested is how many schemas may be at work at once.
const maxNested = 1000

// work is what a check would take at most. The library knows no bound: a schema that refers to
// itself would end the program, or never end.
type work struct {
	targets *targets
	left    int // below 0: it is too much
}

// visit goes wherever the library may go. Which alternatives fit it does not ask.
func (w *work) visit(schema, value any, nested int) {
	s, ok := schema.(map[string]any)
	if !ok || w.left < 0 {
		return
	}
	if w.left--; nested > maxNested {
		w.left = -1
	}
	here := func(schema any) { w.visit(schema, value, nested+1) }
	for _, keyword := range []string{"$ref", "$dynamicRef"} {
		if ref, ok := s[keyword].(string); ok {
			for _, target := range w.targets.of(ref) {
				here(target)
			}
		}
	}
	for _, keyword := range []string{"not", "if", "then", "else"} {
		here(s[keyword])
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := s[keyword].([]any)
		for _, schema := range list {
			here(schema)
		}
	}
	for _, keyword := range []string{"dependentSchemas", "dependencies"} {
		byName, _ := s[keyword].(map[string]any)
		for _, schema := range byName {
			here(schema)
		}
	}
	switch value := value.(type) {
	case map[string]any:
		properties, _ := s["properties"].(map[string]any)
		patterns, _ := s["patternProperties"].(map[string]any)
		for name, item := range value {
			w.visit(properties[name], item, nested+1)
			w.visit(s["additionalProperties"], item, nested+1)
			w.visit(s["unevaluatedProperties"], item, nested+1)
			w.visit(s["propertyNames"], name, nested+1)
			for _, schema := range patterns {
				w.visit(schema, item, nested+1)
			}
		}
	case []any:
		for i, item := range value {
			for _, keyword := range []string{"items", "prefixItems", "additionalItems", "contains", "unevaluatedItems"} {
				held := s[keyword]
				if list, ok := held.([]any); ok {
					held = nil
					if i < len(list) {
						held = list[i]
					}
				}
				w.visit(held, item, nested+1)
			}
		}
	}
}

// targets are what references can lead to.
type targets struct {
	document any
	bases    []base           // what has an $id
	anchors  map[string][]any // by name
}

type base struct {
	name   string // the end of its address
	schema any
}

func targetsOf(document any) *targets {
	t := &targets{document: document, anchors: map[string][]any{}}
	each(document, func(schema map[string]any) {
		if id, ok := schema["$id"].(string); ok {
			t.bases = append(t.bases, base{nameOf(id), schema})
		}
		for _, keyword := range []string{"$anchor", "$dynamicAnchor", "$id"} {
			if name, ok := schema[keyword].(string); ok {
				name = strings.TrimPrefix(name, "#") // an $id of draft 7
				t.anchors[name] = append(t.anchors[name], schema)
			}
		}
	})
	return t
}

// of returns all schemas that a reference may mean, and rather too many.
func (t *targets) of(ref string) (found []any) {
	address, fragment, _ := strings.Cut(ref, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if fragment != "" && fragment[0] != '/' {
		return t.anchors[fragment]
	}
	name := nameOf(address)
	add := func(base any) {
		if v := follow(base, fragment); v != nil {
			found = append(found, v)
		}
	}
	if name == "" {
		add(t.document)
	}
	for _, base := range t.bases {
		if name == "" || base.name == "" || base.name == name {
			add(base.schema)
		}
	}
	return found
}

// nameOf is what the addresses of one thing have in common, however they are written: the
// last part of the path. "" is any.
func nameOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" {
		return ""
	}
	path := (&url.URL{Path: "/"}).ResolveReference(&url.URL{Path: u.Path}).Path // without . and ..
	return path[strings.LastIndexByte(path, '/')+1:]
}

// follow follows a JSON Pointer.
func follow(v any, pointer string) any {
	if pointer == "" {
		return v
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		switch holder := v.(type) {
		case map[string]any:
			v = holder[unescape(token)]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(holder) {
				return nil
			}
			v = holder[i]
		default:
			return nil
		}
	}
	return v
}

func unescape(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}
