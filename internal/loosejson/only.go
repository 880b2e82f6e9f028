package loosejson

import (
	"slices"
	"strings"
)

// Only returns the objects of a text that is nothing else but the thoughts before them, and wrappers and
// fences. Those of a list count as if they stood alone. It returns nil for any other text, and for an object that is
// there twice: nobody knows whether it is meant twice.
func Only(text string) (all []Value) {
	const most = 32
	f := newFinder(text)
	if f.thoughtsInFront() != nil {
		return nil
	}
	p := parser{text: text, quiet: true}
	for at := f.gap; ; {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], blank+",;"))
		if at == len(text) {
			return all
		}
		if t, ok := readTag(text, at); ok && t.wrapper {
			at = t.end
			continue
		}
		line, _, _ := strings.Cut(text[at:], "\n")
		if before, behind, fenced := cutFence(line); fenced && before+behind == "" {
			at += len(line)
			continue
		}
		v, err := f.attempt(&p, at)
		items := []Value{v}
		if v.Kind == Array {
			items = v.Items
		}
		if err != nil || len(all)+len(items) > most {
			return nil
		}
		for _, item := range items {
			if item.Kind != Object || slices.ContainsFunc(all, func(other Value) bool { return Equal(item, other) }) {
				return nil
			}
			all = append(all, item)
		}
		at = p.pos
	}
}
