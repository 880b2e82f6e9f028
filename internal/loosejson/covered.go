package loosejson

import (
	"slices"
	"strings"
)

// covers looks for an object inside the strings and comments of the one that was
// just read, and returns its place, or -1. Who quotes the beginning of an object
// before the reply, and its end behind it, wraps the reply into it.
func (f *finder) covers(p *parser) int {
	if p.behind >= 0 {
		return p.behind
	}
	for _, part := range p.parts {
		inner := parser{text: f.text[:part.end], quiet: true}
		for at := part.start; ; {
			next := strings.IndexAny(f.text[at:part.end], "{｛")
			if next < 0 {
				f.work += part.end - at
				break
			}
			f.work += next + 1
			at += next + 1
			if _, err := f.attempt(&inner, at-1); err == nil || inner.certain || f.spent > mostSpent*len(f.text) || opensEscaped(f.text[at-1:part.end]) {
				return at - 1
			}
		}
	}
	return -1
}

// nestsReply reports whether an object has one inside that looks like a reply, with a
// status. Who quotes the beginning of an object before the reply makes the reply its
// value.
func nestsReply(v Value) bool {
	for _, m := range v.Members {
		if looksLikeReply(m.Value) {
			return true
		}
	}
	return slices.ContainsFunc(v.Items, looksLikeReply)
}

func looksLikeReply(v Value) bool {
	return nestsReply(v) || slices.ContainsFunc(v.Members, func(m Member) bool {
		return m.Value.Kind == String && strings.EqualFold(strings.TrimSpace(m.Name), "status")
	})
}
