package blackboard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// blob has bytes that are kept beside the values, mostly a screenshot.
type blob struct {
	mediaType string
	data      []byte
}

// PutBlob stores a copy of data, such as a screenshot, beside the values. A value has ref in its place:
// sha256: and the hash of the content, in hex. The same content is stored once, with the
// media type that it was first put with. The error is over [ErrFull], or over
// [ErrInvalid] when data is empty.
func (b *Board) PutBlob(mediaType string, data []byte) (ref string, err error) {
	if len(data) == 0 {
		return "", &opError{"put", "", fmt.Errorf("%w: empty blob", ErrInvalid)}
	}
	ref = blobRef(data)
	if err := b.change(&boarddata.Op{Kind: boarddata.OpPutBlob, Name: ref, MediaType: valid(mediaType), Data: slices.Clone(data)}); err != nil {
		return "", err
	}
	return ref, nil
}

func (b *Board) putBlob(op *boarddata.Op) (changed bool, err error) {
	if _, there := b.blobs[op.Name]; there {
		return false, nil
	}
	stored := blob{op.MediaType, op.Data}
	if err := b.room(stored.size(op.Name)); err != nil {
		return false, err
	}
	if b.blobs == nil {
		b.blobs = make(map[string]blob)
	}
	b.blobs[op.Name] = stored
	b.size += stored.size(op.Name)
	return true, nil
}

// Blob returns a copy of what is stored under a reference. ok is false when there is nothing.
func (b *Board) Blob(ref string) (mediaType string, data []byte, ok bool) {
	b.mu.RLock()
	stored, ok := b.blobs[ref]
	b.mu.RUnlock()
	return stored.mediaType, slices.Clone(stored.data), ok
}

// DeleteBlob removes a blob, such as a screenshot that nobody needs any more.
// Nothing happens when there is none. Values that refer to it are not changed.
func (b *Board) DeleteBlob(ref string) {
	_ = b.change(&boarddata.Op{Kind: boarddata.OpDeleteBlob, Name: ref}) // it never fails
}

func (b *Board) deleteBlob(ref string) (changed bool) {
	stored, there := b.blobs[ref]
	if there {
		b.size -= stored.size(ref)
		delete(b.blobs, ref)
	}
	return there
}

func (s blob) size(ref string) int { return len(ref) + len(s.mediaType) + len(s.data) }

const blobPrefix = "sha256:" // of a reference

func blobRef(data []byte) string {
	sum := sha256.Sum256(data)
	return blobPrefix + hex.EncodeToString(sum[:])
}
