// Package digest hashes texts, in the same way in every process and without a copy of them.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"sync"
)

// Digest is a SHA-256 of what is written to it.
type Digest struct {
	hash hash.Hash
	part [512]byte // what is about to be hashed
	n    int
}

var digests = sync.Pool{New: func() any { return &Digest{hash: sha256.New()} }}

// New returns the Digest of no text.
func New() *Digest { return digests.Get().(*Digest) }

// Text writes a text as it is.
func (d *Digest) Text(text string) {
	for len(text) > 0 {
		if d.n == len(d.part) {
			d.flush()
		}
		n := copy(d.part[d.n:], text)
		d.n, text = d.n+n, text[n:]
	}
}

// Field writes a text so that it is seen where it ends: its length, a space, the text and a line feed.
func (d *Digest) Field(text string) {
	d.length(len(text))
	d.Text(text)
	d.Text("\n")
}

// Bytes is Field of data.
func (d *Digest) Bytes(data []byte) {
	d.length(len(data))
	d.raw(data)
	d.Text("\n")
}

// JSON writes JSON without the spaces between its parts, and a line feed, which no JSON has without them.
func (d *Digest) JSON(raw []byte) {
	begin, quoted, escaped := 0, false, false
	for i, c := range raw {
		switch {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\n' || c == '\t' || c == '\r'):
			d.raw(raw[begin:i])
			begin = i + 1
		}
	}
	d.raw(raw[begin:])
	d.Text("\n")
}

func (d *Digest) length(n int) {
	if len(d.part)-d.n < 20 { // digits that an int may have, and the space
		d.flush()
	}
	d.n = len(append(strconv.AppendInt(d.part[:d.n], int64(n), 10), ' '))
}

func (d *Digest) raw(data []byte) {
	if len(data) <= len(d.part)-d.n {
		d.n += copy(d.part[d.n:], data)
		return
	}
	d.flush()
	_, _ = d.hash.Write(data) // it never fails
}

func (d *Digest) flush() {
	_, _ = d.hash.Write(d.part[:d.n]) // it never fails
	d.n = 0
}

// Sum returns the first eight bytes of the hash. Do not use the Digest after that: New gives it to the next caller.
func (d *Digest) Sum() [8]byte {
	d.flush()
	sum := [8]byte(d.hash.Sum(d.part[:0]))
	d.hash.Reset()
	digests.Put(d)
	return sum
}

// Hex returns Sum as sixteen hexadecimal digits. Do not use the Digest after that.
func (d *Digest) Hex() string {
	sum := d.Sum()
	return hex.EncodeToString(sum[:])
}
