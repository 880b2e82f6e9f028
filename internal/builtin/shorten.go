package builtin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/section"
	"github.com/agentfsm/agentfsm/llm"
)

// limits are those of sections that differ from promptsize.Section; 0 is none.
var limits = map[string]int{
	"request":          0, // the caller's own words: half a task is another task
	"history":          0, // promptsize.Decision and Output bound each step, MaxMemory how many there are
	"blackboard":       0, // promptsize.Board
	"allowed_statuses": 0,
	"tools":            promptsize.Tools,
	"plan":             promptsize.Plan,
	"windows":          promptsize.Windows,
	"controls":         promptsize.Controls,
}

// latest are sections whose end says more than their beginning.
var latest = map[string]bool{"answers": true, "previous_subtasks": true}

// limitOf returns how many bytes of JSON a section has at most; 0: any.
func limitOf(name string) int {
	if limit, own := limits[name]; own {
		return limit
	}
	return promptsize.Section
}

// shortened returns the sections without what is more than a prompt can have. Each
// says how much was left out of it.
func (s Sections) shortened() Sections {
	w := section.NewWriter()
	defer w.Close()
	list := slices.Clone(s)
	for i := range list {
		list[i].Value, _, _ = shortened(w, &s[i]) // who writes it says what is wrong with it
	}
	return list
}

// text writes the sections, as far as a prompt can have them.
func (s Sections) text() (string, error) {
	w := section.NewWriter()
	defer w.Close()
	for i := range s {
		if err := write(w, &s[i]); err != nil {
			return "", err
		}
	}
	return string(w.Text()), nil
}

// write writes a section, as far as a prompt can have it.
func write(w *section.Writer, s *llm.Section) error {
	_, raw, err := shortened(w, s)
	if err == nil {
		err = w.Add(s.Name, raw)
	}
	if err != nil {
		return fmt.Errorf("section %q: %w", s.Name, err)
	}
	return nil
}

// shortened returns the value of a section without what is more than a prompt can have, and its
// JSON, which the Writer has.
func shortened(w *section.Writer, s *llm.Section) (value any, raw []byte, err error) {
	limit := limitOf(s.Name)
	tree, isTree := s.Value.([]desktop.Control)
	large := isTree && limit > 0 && leastOf(tree, limit) > limit // all of a large one is not written to know its size
	if !large {
		if raw, err = w.Encode(s.Value); err != nil || limit == 0 || len(raw) <= limit {
			return s.Value, raw, err
		}
	}
	if isTree {
		value = fitControls(tree, limit)
	} else {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			return s.Value, raw, err
		}
		value = fit(v, limit, 0, latest[s.Name])
	}
	raw, err = w.Encode(value)
	return value, raw, err
}

// encode is JSON as llm.Prompt writes it.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

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

// fit returns a JSON value in about limit bytes: long texts are cut, and of lists and
// objects as much is kept as there is room for, of a list its first entries, or its
// last ones.
func fit(v any, limit, depth int, last bool) any {
	n := size(v)
	if n <= limit {
		return v
	}
	switch v := v.(type) {
	case string:
		// Escapes make it longer than it is: what is kept shrinks with them.
		return clip.Text(v, max(0, limit-noteSize)*len(v)/n)
	case []any:
		if depth < deepest {
			return fitList(v, limit, depth, last)
		}
	case map[string]any:
		if depth < deepest {
			return fitObject(v, limit, depth)
		}
	}
	return fmt.Sprintf("[left out: %d bytes]", n)
}

func fitList(list []any, limit, depth int, last bool) any {
	kept, room := []any{}, limit-noteSize
	for i := range list {
		if last {
			i = len(list) - 1 - i
		}
		item := fit(list[i], limit/share, depth+1, false)
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
	note := any(fmt.Sprintf("%d of %d entries were left out", left, len(list)))
	if _, objects := list[0].(map[string]any); objects {
		note = map[string]any{"left_out": note}
	}
	if last {
		return slices.Insert(kept, 0, note)
	}
	return append(kept, note)
}

// fitObject gives each member the same room, and what small ones leave to the others.
func fitObject(object map[string]any, limit, depth int) any {
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
	kept, room := map[string]any{}, limit-noteSize
	for i, name := range names {
		share := room/(len(names)-i) - len(name) - len(`"":,`)
		if share < min(size(object[name]), noteSize) {
			kept["left_out"] = fmt.Sprintf("%d of %d members were left out", len(names)-i, len(names))
			break
		}
		kept[name] = fit(object[name], share, depth+1, false)
		room -= size(kept[name]) + len(name) + len(`"":,`)
	}
	return kept
}
