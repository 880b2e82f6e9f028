package blackboard

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// blob has bytes that the board keeps beside the values, mostly a screenshot.
type blob struct {
	mediaType string
	data      []byte
}

func (s blob) size(ref string) int { return len(ref) + len(s.mediaType) + len(s.data) }

// PutBlob stores a copy of data, such as a screenshot, beside the values. Values can contain ref: it is
// sha256: and the hash of the content, in hex. The board stores the same content once, with its
// first media type. The error is over [ErrFull], or over
// [ErrInvalid] if data is empty.
func (b *Board) PutBlob(mediaType string, data []byte) (ref string, err error) {
	op := &boarddata.Op{Kind: boarddata.OpPutBlob, MediaType: mediaType, Data: data}
	err = b.change(op)
	return op.Name, err
}

func (b *Board) putBlob(op *boarddata.Op) error {
	sum := sha256.Sum256(op.Data)
	ref := blobPrefix + hex.EncodeToString(sum[:])
	switch {
	case len(op.Data) == 0:
		return fmt.Errorf("%w: empty blob", ErrInvalid)
	case op.Name != "" && op.Name != ref:
		return fmt.Errorf("%w: the blob has other content", ErrInvalid)
	}
	stored := blob{valid(op.MediaType), slices.Clone(op.Data)}
	if _, there := b.blobs[ref]; there {
		op.Name = ref
		return errUnchanged
	}
	if err := b.room(stored.size(ref)); err != nil {
		return err
	}
	op.Name, op.MediaType, op.Data = ref, stored.mediaType, stored.data
	b.blobs[ref] = stored
	b.size += stored.size(ref)
	return nil
}

// Blob returns a copy of what is stored under a reference. ok is false if there is nothing.
func (b *Board) Blob(ref string) (mediaType string, data []byte, ok bool) {
	b.mu.RLock()
	stored, ok := b.blobs[ref]
	b.mu.RUnlock()
	return stored.mediaType, slices.Clone(stored.data), ok
}

// DeleteBlob removes a blob, if there is one. Values that refer to it stay as they are.
func (b *Board) DeleteBlob(ref string) {
	_ = b.change(&boarddata.Op{Kind: boarddata.OpDeleteBlob, Name: ref}) // it never fails
}

func (b *Board) deleteBlob(ref string) error {
	stored, there := b.blobs[ref]
	if !there {
		return errUnchanged
	}
	b.size -= stored.size(ref)
	delete(b.blobs, ref)
	return nil
}

const blobPrefix = "sha256:"

var refs = regexp.MustCompile(blobPrefix + `[0-9a-f]{64}`)

// deleteBlobsOf deletes the blobs to which only these items refer, which the board has dropped.
func (b *Board) deleteBlobsOf(items []json.RawMessage) error {
	unused := map[string]bool{}
	for _, item := range items {
		for _, ref := range refs.FindAllString(string(item), -1) {
			unused[ref] = true
		}
	}
	for _, e := range b.values {
		if len(unused) == 0 {
			break // no need to search the whole board
		}
		for _, raw := range append(slices.Clip(e.items), e.raw) {
			for _, ref := range refs.FindAllString(string(raw), -1) {
				delete(unused, ref)
			}
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(unused)) {
		if err := b.do(&boarddata.Op{Kind: boarddata.OpDeleteBlob, Name: ref}); err != nil {
			return err
		}
	}
	return nil
}
