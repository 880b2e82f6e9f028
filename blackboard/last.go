package blackboard

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

func (b inside) AppendLast(name string, v any, least int) error {
	item, err := encode(v)
	if err != nil {
		return &opError{"append", name, err}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.values[name]
	least = max(1, least)
	old := len(e.items) + 1 - least
	if old < max(1, least/2) { // a block: few appends move what stays, and the beginning mostly stays
		return b.do(&boarddata.Op{Kind: boarddata.OpAppend, Name: name, Value: item})
	}
	dropped := e.items[:old]
	op := &boarddata.Op{Kind: boarddata.OpAppend, Name: name, Value: item}
	if err := b.append(op, sizeOf(dropped)); err != nil {
		return &opError{"append", name, err}
	}
	b.note(*op)
	if err := b.do(&boarddata.Op{Kind: boarddata.OpDrop, Name: name, N: e.dropped + old}); err != nil {
		return err
	}
	return b.deleteBlobsOf(dropped)
}

// drop drops the first N items that the list has ever had, but not its last one.
func (b *Board) drop(op *boarddata.Op) error {
	e := b.values[op.Name]
	if !e.list() {
		return errWrongType
	}
	old := op.N - e.dropped
	if old <= 0 || old >= len(e.items) {
		return fmt.Errorf("%w: it has the items %d to %d", ErrInvalid, e.dropped+1, e.count())
	}
	freed := sizeOf(e.items[:old])
	b.set(op.Name, entry{items: slices.Clone(e.items[old:]), dropped: op.N}, -freed) // readers may hold the longer slice
	return nil
}

var refs = regexp.MustCompile(blobPrefix + `[0-9a-f]{64}`)

// deleteBlobsOf deletes the blobs to which these items refer, which were dropped, and nothing else on the board.
func (b *Board) deleteBlobsOf(items []json.RawMessage) error {
	alone := map[string]bool{}
	for _, item := range items {
		for _, ref := range refs.FindAllString(string(item), -1) {
			if _, there := b.blobs[ref]; there {
				alone[ref] = true
			}
		}
	}
	if len(alone) == 0 { // as mostly: the board need not be searched
		return nil
	}
	for _, e := range b.values {
		for _, raw := range append(slices.Clip(e.items), e.raw) {
			for _, ref := range refs.FindAllString(string(raw), -1) {
				delete(alone, ref)
			}
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(alone)) {
		if err := b.do(&boarddata.Op{Kind: boarddata.OpDeleteBlob, Name: ref}); err != nil {
			return err
		}
	}
	return nil
}
