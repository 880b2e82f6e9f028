package blackboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// formatVersion is raised when the stored form changes in a way that older
// code would misread.
const formatVersion = 1

// stored is a board as JSON: what makes an empty one the same.
type stored struct {
	Version int            `json:"version"`
	Ops     []boarddata.Op `json:"ops"`
}

// MarshalJSON writes the whole board, blobs included. Two boards with the same contents give the
// same text. The form is versioned and stable.
func (b *Board) MarshalJSON() ([]byte, error) {
	b.mu.RLock()
	ops := b.ops() // their bytes never change
	b.mu.RUnlock()
	raw, err := text(stored{formatVersion, ops})
	if err != nil {
		return nil, &opError{"store", "", err}
	}
	return raw, nil
}

// UnmarshalJSON replaces the board's contents by what MarshalJSON wrote; its
// bound stays. What was stored is loaded even when it exceeds that bound; then
// nothing can be added until something is deleted. The error is over
// [ErrInvalid], and the board is as it was.
func (b *Board) UnmarshalJSON(data []byte) error {
	if string(bytes.TrimSpace(data)) == "null" {
		return nil // by convention of encoding/json
	}
	var in stored
	err := json.Unmarshal(data, &in)
	if err == nil && in.Version != formatVersion {
		err = fmt.Errorf("version %d is not %d", in.Version, formatVersion)
	}
	if err == nil {
		err = b.Inside().Replay(append([]boarddata.Op{{Kind: boarddata.OpClear}}, in.Ops...))
	}
	if err != nil {
		return &opError{"load", "", fmt.Errorf("%w: %w", errCorrupt, err)}
	}
	return nil
}

// ops are operations that make a new board have the contents.
func (c *contents) ops() (ops []boarddata.Op) {
	ops = []boarddata.Op{} // [] in JSON
	for _, name := range slices.Sorted(maps.Keys(c.values)) {
		e := c.values[name]
		for i, item := range e.items {
			ops = append(ops, boarddata.Op{Kind: boarddata.OpAppend, Name: name, N: e.dropped + i + 1, Value: item})
		}
		if !e.list() && resultNumber(name) == 0 { // results come from the sub-tasks
			ops = append(ops, boarddata.Op{Kind: boarddata.OpPut, Name: name, Value: e.raw})
		}
	}
	for _, s := range c.subtasks {
		ops = append(ops, boarddata.Op{Kind: boarddata.OpOpen, Name: s.ID, N: s.N, App: s.App, Text: s.Text, DependsOn: s.DependsOn})
		if s.Status != "" {
			ops = append(ops, boarddata.Op{Kind: boarddata.OpClose, Name: s.ID, Value: s.Result, Status: s.Status, Reason: s.Reason})
		}
	}
	for _, prefix := range slices.Sorted(maps.Keys(c.numbered)) {
		ops = append(ops, boarddata.Op{Kind: boarddata.OpCount, Name: prefix, N: c.numbered[prefix]})
	}
	for _, ref := range slices.Sorted(maps.Keys(c.blobs)) {
		ops = append(ops, boarddata.Op{Kind: boarddata.OpPutBlob, Name: ref, MediaType: c.blobs[ref].mediaType, Data: c.blobs[ref].data})
	}
	return ops
}

// text is json.Marshal that leaves <, > and & as they are.
func text(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), err
}

// maxDepth bounds how deep arrays and objects nest. It is far below the limit of encoding/json,
// so that a stored board, which wraps values in a few levels of its own, can always be loaded.
const (
	maxDepth     = 1000
	encodingJSON = 10_000 // its limit
)

var (
	strs     = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	errDepth = fmt.Errorf("%w: more than %d levels", ErrNotSerialisable, maxDepth)
)

// normal returns a copy of raw in the form in which the board keeps values: valid JSON in UTF-8 without
// white space, with the escapes of encoding/json but none for HTML. So a value reads the same
// after it was stored and loaded, by any encoder. Digits of numbers and order of members stay.
func normal(raw []byte) (json.RawMessage, error) {
	var buf bytes.Buffer
	if err := json.Compact(&buf, raw); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotSerialisable, err)
	}
	out := buf.Bytes()
	if bytes.Count(out, []byte("["))+bytes.Count(out, []byte("{")) > maxDepth {
		const levels = encodingJSON - maxDepth
		if !json.Valid(slices.Concat(bytes.Repeat([]byte("["), levels), out, bytes.Repeat([]byte("]"), levels))) {
			return nil, errDepth
		}
	}
	if utf8.Valid(out) && !escaped(out) {
		return slices.Clip(out), nil
	}
	return strs.ReplaceAllFunc(bytes.ToValidUTF8(out, []byte("\uFFFD")), func(quoted []byte) []byte {
		var s string
		_ = json.Unmarshal(quoted, &s) // it is a valid string
		return quote(s)
	}), nil
}

// escaped reports whether a JSON text may have a string in another form than that of encoding/json.
func escaped(text []byte) bool {
	for _, form := range []string{`\u`, `\/`, "\u2028", "\u2029"} {
		if bytes.Contains(text, []byte(form)) {
			return true
		}
	}
	return false
}

var plain = regexp.MustCompile(`^[\w.:-]*$`)

// quote returns a text as a JSON string.
func quote(s string) []byte {
	if plain.MatchString(s) { // as most names
		return []byte(`"` + s + `"`)
	}
	quoted, _ := text(s) // a string always has a JSON form
	return quoted
}
