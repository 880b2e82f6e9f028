package jsonschema

import "strings"

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

// mayMarkSecret also counts references, which may lead to such a schema.
func mayMarkSecret(v any) bool {
	return marksSecret(v) || anyObject(v, func(object map[string]any) bool {
		for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if _, ok := object[keyword]; ok {
				return true
			}
		}
		return false
	})
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

// doubt is for a node whose references cannot be followed. In a document that
// marks secrets they may lead to one, and better too much is kept from people
// than too little.
func (c *compiler) doubt(n *node) {
	n.secret = n.secret || c.marksSecret
}

// doubtKeyword is for a keyword that is not understood. Most are annotations,
// so what cannot mark a secret leaves no doubt, and what has no format does not
// either.
func (c *compiler) doubtKeyword(n *node, v any) {
	anyObject(v, func(object map[string]any) bool {
		if format, ok := object["format"].(string); ok {
			n.doubt = append(n.doubt, strings.ToLower(format))
		}
		return false
	})
	if c.marksSecret && mayMarkSecret(v) {
		n.secret = true
	}
}
