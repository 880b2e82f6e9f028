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
	stored := blob{valid(mediaType), slices.Clone(data)}
	ref = blobRef(stored.data)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.doPutBlob(ref, stored); err != nil {
		return "", err
	}
	return ref, nil
}

func (b *Board) doPutBlob(ref string, stored blob) error {
	if _, ok := b.blobs[ref]; ok {
		return nil
	}
	if err := b.room(stored.size(ref)); err != nil {
		return &opError{"put", ref, err}
	}
	b.addBlob(ref, stored)
	b.log.add(&boarddata.Op{Kind: boarddata.OpPutBlob, Name: ref, MediaType: stored.mediaType, Data: stored.data})
	return nil
}

// Blob returns a copy of what is stored under a reference. ok is false when there is nothing.
func (b *Board) Blob(ref string) (mediaType string, data []byte, ok bool) {
	b.mu.RLock()
	stored, ok := b.blobs[ref]
	b.mu.RUnlock()
	if !ok {
		return "", nil, false
	}
	return stored.mediaType, slices.Clone(stored.data), true
}

// DeleteBlob removes a blob, such as a screenshot that nobody needs any more.
// Nothing happens when there is none. Values that refer to it are not changed.
func (b *Board) DeleteBlob(ref string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.doDeleteBlob(ref)
}

func (b *Board) doDeleteBlob(ref string) {
	if stored, ok := b.blobs[ref]; ok {
		b.size -= stored.size(ref)
		delete(b.blobs, ref)
		b.log.add(&boarddata.Op{Kind: boarddata.OpDeleteBlob, Name: ref})
	}
}

func (c *contents) addBlob(ref string, stored blob) {
	if c.blobs == nil {
		c.blobs = make(map[string]blob)
	}
	c.blobs[ref] = stored
	c.size += stored.size(ref)
}

func (s blob) size(ref string) int { return len(ref) + len(s.mediaType) + len(s.data) }

const blobPrefix = "sha256:" // of a reference

func blobRef(data []byte) string {
	sum := sha256.Sum256(data)
	return blobPrefix + hex.EncodeToString(sum[:])
}
