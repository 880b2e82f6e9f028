package closed

import (
	"net/url"
	"strings"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// mayBeCut reports whether a value can be so long that a prompt shows it in part, and a reference stands for all of it.
func mayBeCut(v loosejson.Value) bool {
	typ, _ := v.Get("type")
	return typ.Text == "array" || typ.Text == "object" || typ.Text == "string" && !has(v, "enum")
}

// within reports whether an object asks for no property that it does not describe, also where
// other schemas restrict it.
func within(v, properties loosejson.Value) bool {
	for _, m := range v.Members {
		switch m.Name {
		case "required":
			for _, name := range m.Value.Items {
				if !has(properties, name.Text) {
					return false
				}
			}
		case "allOf", "anyOf", "oneOf":
			for _, branch := range m.Value.Items {
				if !within(branch, properties) || has(branch, Ref) {
					return false
				}
				inner, _ := branch.Get("properties")
				for _, p := range inner.Members {
					if !has(properties, p.Name) {
						return false
					}
				}
			}
		}
	}
	return true
}

// resolve follows a reference to the schema that it names.
func (c *closer) resolve(v loosejson.Value) (loosejson.Value, bool) {
	ref, ok := v.Get(Ref)
	if !ok {
		return v, true
	}
	pointer, ok := strings.CutPrefix(ref.Text, "#/")
	if !ok || has(v, "properties") || has(v, "items") || has(v, "anyOf") || has(v, "oneOf") || has(v, "allOf") {
		return v, false
	}
	to := c.root
	for token := range strings.SplitSeq(pointer, "/") {
		token, err := url.PathUnescape(token)
		if err != nil {
			return v, false
		}
		if to, ok = to.Get(strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")); !ok {
			return v, false
		}
	}
	return to, true
}
