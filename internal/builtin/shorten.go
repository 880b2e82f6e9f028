package builtin

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/section"
	"github.com/agentfsm/agentfsm/llm"
)

// latest are sections whose end says more than their beginning.
var latest = map[string]bool{"answers": true, "previous_subtasks": true}

// cutter shortens sections. It keeps what it cuts, so that a model can refer to the whole; nil: nothing.
type cutter struct{ whole *wholes }

// shortened returns the sections without what is more than a prompt can have. Each
// says how much was left out of it.
func (s Sections) shortened() Sections {
	list := slices.Clone(s)
	for i := range list {
		list[i].Value, _, _ = cutter{}.shortened(&s[i]) // who writes it says what is wrong with it
	}
	return list
}

// text writes the sections, as far as a prompt can have them.
func (s Sections) text() (string, error) {
	w := &section.Writer{}
	for i := range s {
		if err := (cutter{}).write(w, &s[i]); err != nil {
			return "", err
		}
	}
	return string(w.Text()), nil
}

// write writes a section, as far as a prompt can have it.
func (c cutter) write(w *section.Writer, s *llm.Section) error {
	_, raw, err := c.shortened(s)
	if err == nil {
		err = w.Add(s.Name, raw)
	}
	if err != nil {
		return fmt.Errorf("section %q: %w", s.Name, err)
	}
	return nil
}

// shortened returns the value of a section without what is more than a prompt can have, and its
// JSON.
func (c cutter) shortened(s *llm.Section) (value any, raw []byte, err error) {
	limit := promptsize.Of(s.Name)
	tree, isTree := s.Value.([]desktop.Control)
	large := isTree && limit > 0 && leastOf(tree, limit) > limit // all of a large one is not written to know its size
	if !large {
		if raw, err = section.Encode(s.Value); err != nil || limit == 0 || len(raw) <= limit {
			return s.Value, raw, err
		}
	}
	if isTree {
		value = fitControls(tree, limit, c.whole)
	} else {
		v, err := plainjson.Decode(raw)
		if err != nil {
			return s.Value, raw, err
		}
		value = c.fit(v, limit, 0, c.whole.section(s.Name, raw), latest[s.Name])
	}
	raw, err = section.Encode(value)
	return value, raw, err
}

// encode is JSON as llm.Prompt writes it.
func encode(v any) ([]byte, error) { return section.Encode(v) }

func size(v any) int {
	raw, err := encode(v)
	if err != nil {
		return 0
	}
	return len(raw)
}

const (
	share    = 8   // an entry of a list has this part of what the list has
	noteSize = 128 // room for what is said of what was left out
	deepest  = 16  // levels that are looked into
)

// fit returns a JSON value in at most limit bytes, if that is not too little for anything: long texts
// are cut, and of lists and objects as much is kept as there is room for, of a list its first entries, or
// its last ones. The path is where the value stands.
func (c cutter) fit(v any, limit, depth int, path string, last bool) any {
	n := size(v)
	if n <= limit {
		return v
	}
	switch v := v.(type) {
	case string:
		// Escapes make it longer than it is: what is kept shrinks with them.
		return clip.Ref(v, max(0, limit-noteSize-len(path))*len(v)/n, c.whole.text(path, v))
	case []any:
		if depth < deepest {
			return c.fitList(v, limit, depth, path, last)
		}
	case map[string]any:
		if depth < deepest {
			return c.fitObject(v, limit, depth, path)
		}
	}
	return fmt.Sprintf("[left out: %d bytes]", n)
}

func (c cutter) fitList(list []any, limit, depth int, path string, last bool) any {
	kept, room := []any{}, limit-noteSize-len(path)
	for i := range list {
		if last {
			i = len(list) - 1 - i
		}
		item := c.fit(list[i], limit/share, depth+1, c.whole.child(path, strconv.Itoa(i)), false)
		if room -= size(item) + 1; room < 0 {
			break
		}
		kept = append(kept, item)
	}
	left := len(list) - len(kept)
	if last {
		slices.Reverse(kept)
	}
	if left == 0 {
		return kept
	}
	note := any(leftOut("%d of %d entries", left, len(list), c.whole.known(path)))
	if _, objects := list[0].(map[string]any); objects {
		note = map[string]any{"left_out": note}
	}
	if last {
		return slices.Insert(kept, 0, note)
	}
	return append(kept, note)
}

// fitObject gives each member the same room, and what small ones leave to the others.
func (c cutter) fitObject(object map[string]any, limit, depth int, path string) any {
	sizes := make(map[string]int, len(object))
	for k, v := range object {
		sizes[k] = size(v) + len(k)
	}
	names := slices.SortedFunc(maps.Keys(object), func(a, b string) int {
		if sizes[a] != sizes[b] {
			return sizes[a] - sizes[b]
		}
		return bytes.Compare([]byte(a), []byte(b))
	})
	kept, room := map[string]any{}, limit-noteSize-len(path)
	for i, name := range names {
		share := room/(len(names)-i) - len(name) - len(`"":,`)
		if share < min(size(object[name]), noteSize) {
			kept["left_out"] = leftOut("%d of %d members", len(names)-i, len(names), c.whole.known(path))
			break
		}
		kept[name] = c.fit(object[name], share, depth+1, c.whole.child(path, name), false)
		room -= size(kept[name]) + len(name) + len(`"":,`)
	}
	return kept
}

// leftOut says what is missing, and the name of the whole, if it has one.
func leftOut(what string, left, all int, name string) string {
	text := fmt.Sprintf(what+" were left out", left, all)
	if name != "" {
		text += ", $ref: " + name
	}
	return text
}
