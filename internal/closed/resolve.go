package closed

import (
	"net/url"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// mayBeCut reports whether a value can be so long that a prompt shows it in part, and a reference stands for all of it.
func mayBeCut(v loosejson.Value) bool {
	typ := get(v, "type").Text
	return typ == "array" || typ == "object" || typ == "string" && !has(v, "enum")
}

// within reports whether an object asks for no property that it does not describe, also where
// other schemas restrict it.
func within(v, properties loosejson.Value) bool {
	for _, name := range get(v, "required").Items {
		if !has(properties, name.Text) {
			return false
		}
	}
	for _, word := range choices {
		for _, branch := range get(v, word).Items {
			strange := func(p loosejson.Member) bool { return !has(properties, p.Name) }
			if !within(branch, properties) || has(branch, Ref) || slices.ContainsFunc(get(branch, "properties").Members, strange) {
				return false
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
