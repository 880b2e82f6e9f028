package jsonschema

import (
	"cmp"
	"strings"
)

// isPassword says whether a format is one of secrets. Formats have no case in
// the wild.
func isPassword(format any) bool {
	name, ok := format.(string)
	return ok && strings.EqualFold(name, "password")
}

// marksSecret says whether any object in v, at any depth, looks like a schema
// that marks a secret.
func marksSecret(v any) bool {
	return anyObject(v, func(object map[string]any) bool {
		return object["writeOnly"] == true || isPassword(object["format"])
	})
}

// refers says whether any object in v has a reference, which may lead anywhere in the
// document.
func refers(v any) bool {
	return anyObject(v, func(object map[string]any) bool {
		for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if _, ok := object[keyword]; ok {
				return true
			}
		}
		return false
	})
}

// formats returns the formats that stand anywhere in v, in lower case.
func formats(v any) (found []string) {
	anyObject(v, func(object map[string]any) bool {
		if format, ok := object["format"].(string); ok {
			found = append(found, strings.ToLower(format))
		}
		return false
	})
	return sorted(found)
}

func anyObject(v any, is func(map[string]any) bool) bool {
	switch v := v.(type) {
	case map[string]any:
		if is(v) {
			return true
		}
		for _, item := range v {
			if anyObject(item, is) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if anyObject(item, is) {
				return true
			}
		}
	}
	return false
}

// uncheck notes that a keyword of a node is not checked.
func (c *compiler) uncheck(n *node, at string) {
	n.unchecked = true
	c.unchecked = cmp.Or(c.unchecked, at)
}

// doubt is for a node whose references cannot be followed. They may lead to any schema of
// the document: to one that marks a secret, and better too much is kept from people than
// too little, and to one with a format.
func (c *compiler) doubt(n *node) {
	n.secret = n.secret || c.marksSecret
	n.doubt = append(n.doubt, c.formats...)
}

// doubtKeyword is for a keyword that is not understood. Most are annotations,
// so what cannot mark a secret leaves no doubt, and what has no format does not
// either.
func (c *compiler) doubtKeyword(n *node, v any) {
	if refers(v) {
		c.doubt(n)
		return
	}
	n.doubt = append(n.doubt, formats(v)...)
	n.secret = n.secret || marksSecret(v)
}
