package blackboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// formatVersion is raised when the stored form changes in a way that older
// code would misread.
const formatVersion = 1

// stored is a board as JSON. Its members are in alphabetical order, and
// encoding/json sorts the keys of maps.
type stored struct {
	Blobs    map[string]storedBlob        `json:"blobs,omitempty"`
	Dropped  map[string]int               `json:"dropped,omitempty"` // how many items a list has lost
	Lists    map[string][]json.RawMessage `json:"lists,omitempty"`
	Numbered map[string]int               `json:"numbered,omitempty"`
	Subtasks []*subtask                   `json:"subtasks,omitempty"`
	Values   map[string]json.RawMessage   `json:"values,omitempty"`
	Version  int                          `json:"version"`
}

type storedBlob struct {
	Data      []byte `json:"data"` // base64
	MediaType string `json:"media_type"`
}

// MarshalJSON writes the whole board, blobs included, as one JSON object with
// sorted keys. Two boards with the same contents give the same text. The form
// is versioned and stable.
func (b *Board) MarshalJSON() ([]byte, error) {
	b.mu.RLock()
	out := b.stored() // the bytes never change
	b.mu.RUnlock()
	text, err := text(out)
	if err != nil {
		return nil, &opError{"store", "", err}
	}
	return text, nil
}

// stored copies the maps, and none of the bytes.
func (c *contents) stored() *stored {
	out := &stored{Version: formatVersion, Subtasks: slices.Clone(c.subtasks), Numbered: maps.Clone(c.numbered)}
	out.Values = make(map[string]json.RawMessage, len(c.values))
	out.Lists = make(map[string][]json.RawMessage)
	for name, e := range c.values {
		switch {
		case e.list:
			out.Lists[name] = e.items
			if e.dropped > 0 {
				out.drop(name, e.dropped)
			}
		case resultNumber(name) == 0: // results are made from the sub-tasks again
			out.Values[name] = e.raw
		}
	}
	out.Blobs = make(map[string]storedBlob, len(c.blobs))
	for ref, stored := range c.blobs {
		out.Blobs[ref] = storedBlob{stored.data, stored.mediaType}
	}
	return out
}

func (in *stored) drop(name string, n int) {
	if in.Dropped == nil {
		in.Dropped = make(map[string]int)
	}
	in.Dropped[name] = n
}

// text is json.Marshal that leaves <, > and & bare, as values are kept.
func text(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// UnmarshalJSON replaces the board's contents by what MarshalJSON wrote; its
// bound stays. What was stored is loaded even when it exceeds that bound; then
// nothing can be added until something is deleted. The error is over
// [ErrInvalid], and the board is as it was.
func (b *Board) UnmarshalJSON(data []byte) error {
	if string(bytes.TrimSpace(data)) == "null" {
		return nil // by convention of encoding/json
	}
	c, err := decodeContents(data)
	if err != nil {
		return &opError{"load", "", fmt.Errorf("%w: %w", errCorrupt, err)}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.doLoad(c)
}

// doLoad makes c what the board stores. Nothing is changed when there is an error.
func (b *Board) doLoad(c *contents) error {
	for prefix, n := range b.numbered {
		c.count(prefix, n) // somebody may still hold a name that this board gave
	}
	if b.log != nil {
		ops, err := c.ops()
		if err != nil {
			return err
		}
		for i := range ops {
			b.log.add(&ops[i])
		}
	}
	b.contents = *c
	return nil
}

// ops are operations that make a new board have the contents.
func (c *contents) ops() ([]boarddata.Op, error) {
	whole := c.stored()
	whole.Blobs = nil
	raw, err := text(whole)
	if err != nil {
		return nil, &opError{"load", "", err}
	}
	ops := []boarddata.Op{{Kind: boarddata.OpLoad, Value: raw}}
	for _, ref := range slices.Sorted(maps.Keys(c.blobs)) {
		ops = append(ops, boarddata.Op{Kind: boarddata.OpPutBlob, Name: ref, MediaType: c.blobs[ref].mediaType, Data: c.blobs[ref].data})
	}
	return ops, nil
}

// decodeContents reads what MarshalJSON wrote.
func decodeContents(data []byte) (*contents, error) {
	var in stored
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, err
	}
	return in.contents()
}

// contents checks everything that the board's own methods guarantee, since the
// text may have been edited.
func (in *stored) contents() (*contents, error) {
	if in.Version != formatVersion {
		return nil, fmt.Errorf("version %d is not %d", in.Version, formatVersion)
	}
	c := &contents{}
	for name, raw := range in.Values {
		value, err := in.value(name, raw)
		if err != nil {
			return nil, err
		}
		c.set(name, entry{raw: value}, len(name)+len(value))
	}
	for name, list := range in.Lists {
		if _, ok := c.values[name]; ok || len(list) == 0 {
			return nil, fmt.Errorf("list %q is empty or a value too", clip(name))
		}
		e := entry{list: true, dropped: in.Dropped[name]}
		size := len(name)
		for _, raw := range list {
			item, err := in.value(name, raw)
			if err != nil {
				return nil, err
			}
			e = e.with(item)
			size += len(item)
		}
		c.set(name, e, size)
	}
	for name, n := range in.Dropped {
		if e := c.values[name]; !e.list || n < 1 || n >= math.MaxInt32-len(e.items) {
			return nil, fmt.Errorf("what list %q has lost is not a number of items", clip(name))
		}
	}
	for _, s := range in.Subtasks {
		if err := c.load(s); err != nil {
			return nil, err
		}
	}
	for prefix, n := range in.Numbered {
		if n < 1 || n >= math.MaxInt32 || prefix == "" || checkName(numberedName(prefix, n)) != nil {
			return nil, fmt.Errorf("the number of %q is not one", clip(prefix))
		}
		c.count(prefix, n)
	}
	for ref, stored := range in.Blobs {
		if len(stored.Data) == 0 || blobRef(stored.Data) != ref {
			return nil, fmt.Errorf("blob %q has other content", clip(ref))
		}
		c.addBlob(ref, blob{stored.MediaType, stored.Data})
	}
	return c, nil
}

func (in *stored) value(name string, raw json.RawMessage) (json.RawMessage, error) {
	if err := checkName(name); err != nil {
		return nil, fmt.Errorf("%q: %w", clip(name), err)
	}
	value, err := normalValid(raw)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", clip(name), err)
	}
	return value, nil
}

func (c *contents) load(s *subtask) error {
	switch {
	case s == nil || s.N <= c.opened() || s.N >= math.MaxInt32:
		return errors.New("sub-tasks are not numbered in order")
	case s.ID == "" || strings.TrimSpace(s.Text) == "" || c.byID[s.ID] != nil:
		return fmt.Errorf("sub-task %d has no text, or no id of its own", s.N)
	case s.Status == "" && (s.Result != nil || s.Reason != ""):
		return fmt.Errorf("sub-task %d is open and has an outcome", s.N)
	}
	if len(s.DependsOn) == 0 {
		s.DependsOn = nil // as it is stored
	}
	if s.Result != nil {
		data, err := normalValid(s.Result)
		if err != nil {
			return fmt.Errorf("sub-task %d: %w", s.N, err)
		}
		s.Result = data
	}
	c.addSubtask(s)
	if s.Status != "" {
		name, record := s.resultName(), s.record()
		c.set(name, entry{raw: record}, len(name)+len(record))
	}
	return nil
}

// sortedNames returns the names of all values, sorted.
func (c *contents) sortedNames() []string { return slices.Sorted(maps.Keys(c.values)) }
