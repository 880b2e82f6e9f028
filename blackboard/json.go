package blackboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

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
