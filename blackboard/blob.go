package blackboard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/agentfsm/agentfsm/internal/boarddata"
)

// Blob describes bytes that are kept beside the values, mostly a screenshot.
// It is what goes into a value, instead of the bytes.
type Blob struct {
	Ref       string `json:"ref"`        // sha256: and the hash of the content, in hex
	MediaType string `json:"media_type"` // such as image/png
	Size      int    `json:"size"`       // in bytes
}

type blob struct {
	mediaType string
	data      []byte
}

// PutBlob stores a copy of data. The same content is stored once, with the
// media type that it was first put with. The error is over [ErrFull], or over
// [ErrInvalid] when data is empty.
func (b *Board) PutBlob(mediaType string, data []byte) (Blob, error) {
	if len(data) == 0 {
		return Blob{}, &opError{"put", "", fmt.Errorf("%w: empty blob", ErrInvalid)}
	}
	stored := blob{valid(mediaType), slices.Clone(data)}
	ref := blobRef(stored.data)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.doPutBlob(ref, stored)
}

func (b *Board) doPutBlob(ref string, stored blob) (Blob, error) {
	if old, ok := b.blobs[ref]; ok {
		return old.describe(ref), nil
	}
	if err := b.room(stored.size(ref)); err != nil {
		return Blob{}, &opError{"put", ref, err}
	}
	b.addBlob(ref, stored)
	b.log.add(&boarddata.Op{Kind: boarddata.OpPutBlob, Name: ref, MediaType: stored.mediaType, Data: stored.data})
	return stored.describe(ref), nil
}

// Blob returns what is stored under a reference, with a copy of its content.
// ok is false when there is nothing.
func (b *Board) Blob(ref string) (info Blob, data []byte, ok bool) {
	b.mu.RLock()
	stored, ok := b.blobs[ref]
	b.mu.RUnlock()
	if !ok {
		return Blob{}, nil, false
	}
	return stored.describe(ref), slices.Clone(stored.data), true
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

func (s blob) describe(ref string) Blob { return Blob{ref, s.mediaType, len(s.data)} }

func (s blob) size(ref string) int { return len(ref) + len(s.mediaType) + len(s.data) }

func blobRef(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
