package blackboard

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
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
		return b.doAppend(name, item, 0)
	}
	dropped := e.items[:old]
	if err := b.doAppend(name, item, sizeOf(dropped)); err != nil {
		return err
	}
	if err := b.doDrop(name, e.dropped+old); err != nil {
		return err
	}
	b.deleteBlobsOf(dropped)
	return nil
}

// doDrop drops the first n items that the list has ever had, but not its last one.
func (b *Board) doDrop(name string, n int) error {
	e := b.values[name]
	if !e.list {
		return &opError{"drop", name, errWrongType}
	}
	old := n - e.dropped
	if old <= 0 || old >= len(e.items) {
		return &opError{"drop", name, fmt.Errorf("%w: it has the items %d to %d", ErrInvalid, e.dropped+1, e.dropped+len(e.items))}
	}
	freed := sizeOf(e.items[:old])
	kept := append(make([]json.RawMessage, 0, len(e.items)), e.items[old:]...) // readers may hold the longer slice
	b.set(name, entry{list: true, items: kept, dropped: n, size: e.len() - freed - old}, -freed)
	b.log.add(&boarddata.Op{Kind: boarddata.OpDrop, Name: name, N: n})
	return nil
}

func sizeOf(items []json.RawMessage) (size int) {
	for _, item := range items {
		size += len(item)
	}
	return size
}

// deleteBlobsOf deletes the blobs to which these items refer, which were dropped, and nothing else on the board.
func (b *Board) deleteBlobsOf(items []json.RawMessage) {
	var alone map[string]bool
	for _, item := range items {
		for ref := range refsIn(item) {
			if _, there := b.blobs[ref]; there {
				if alone == nil {
					alone = map[string]bool{}
				}
				alone[ref] = true
			}
		}
	}
	if len(alone) == 0 { // as mostly: the board need not be searched
		return
	}
	for _, e := range b.values {
		for ref := range refsIn(e.raw) {
			delete(alone, ref)
		}
		for _, item := range e.items {
			for ref := range refsIn(item) {
				delete(alone, ref)
			}
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(alone)) {
		b.doDeleteBlob(ref)
	}
}

// refsIn yields what may be references of blobs in a value.
func refsIn(raw json.RawMessage) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			_, rest, found := bytes.Cut(raw, []byte(blobPrefix))
			if !found || len(rest) < 2*sha256.Size || !yield(blobPrefix+string(rest[:2*sha256.Size])) {
				return
			}
			raw = rest
		}
	}
}
