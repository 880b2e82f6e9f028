package store

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// scanner reads a file from its start, and checks what it reads. It holds no more of it than a window.
type scanner struct {
	run, path string
	from      io.ReaderAt
	end       int64 // of what counts of the file

	at   int64 // where the next batch begins; 0: the title has not been read
	last int64 // the last seq before that
	kept batch // the batch before that; zero: there is none

	window []byte // what was read last
	base   int64  // where in the file that begins
}

// batch is what was appended at once.
type batch struct {
	heads      []head
	start, end int64
}

// errTorn says that what follows was never appended as a whole.
var errTorn = errors.New("store: torn")

// windowSize is how much is read at a time.
const windowSize = 64 << 10

// bytes returns n bytes from an offset on, fewer at the end. They are valid until the next call.
func (s *scanner) bytes(at int64, n int) ([]byte, error) {
	n = int(min(int64(n), s.end-at))
	if n <= 0 {
		return nil, nil
	}
	if at < s.base || at+int64(n) > s.base+int64(len(s.window)) {
		want := int(min(max(int64(n), windowSize), s.end-at))
		if cap(s.window) < want {
			s.window = make([]byte, want)
		}
		s.window, s.base = s.window[:want], at
		got, err := s.from.ReadAt(s.window, at)
		s.window = s.window[:got]
		if got < n && err != nil && !errors.Is(err, io.EOF) {
			s.window = s.window[:0]
			return nil, fmt.Errorf("store: run %q: %w", s.run, err)
		}
	}
	rest := s.window[at-s.base:]
	return rest[:min(n, len(rest))], nil
}

// forget drops what was read, because it may have changed.
func (s *scanner) forget() { s.window = s.window[:0] }

// next reads and checks the next batch. It returns io.EOF behind the last one, errTorn when what is there was left by
// an Append that did not come to its end, and else a *DamageError, an ErrVersion or what reading failed with.
func (s *scanner) next() (batch, error) {
	if s.at == 0 {
		if err := s.title(); err != nil {
			return batch{}, err
		}
	}
	b := batch{start: s.at, end: s.at}
	for seq := s.last + 1; ; seq++ {
		h, err := s.record(&b, seq)
		if err != nil {
			return batch{}, err
		}
		b.heads = append(b.heads, h)
		b.end += h.size()
		if seq == h.last {
			break
		}
	}
	s.at, s.last, s.kept = b.end, b.heads[len(b.heads)-1].seq, b
	return b, nil
}

// record checks the record at the end of what is known of a batch.
func (s *scanner) record(b *batch, seq int64) (head, error) {
	at := b.end
	first := at == b.start
	text, err := s.bytes(at, lineSize)
	if err != nil {
		return head{}, err
	}
	if len(text) == 0 && first {
		return head{}, io.EOF
	}
	if len(text) < lineSize {
		begin := fmt.Appendf(nil, "#%-10d %d-", seq, b.firstSeq(seq))
		if n := min(len(begin), len(text)); bytes.Equal(begin[:n], text[:n]) {
			return head{}, errTorn
		}
		return head{}, s.bad(b, at, seq, "it begins with what is no record")
	}
	h, ok := parseHead(text)
	switch {
	case !ok:
		return head{}, s.bad(b, at, seq, "what should be the line of a record is not")
	case h.seq != seq:
		return head{}, s.bad(b, at, seq, fmt.Sprintf("record %d is in its place", h.seq))
	case h.first != b.firstSeq(seq), !first && h.last != b.heads[0].last:
		return head{}, s.bad(b, at, seq, fmt.Sprintf("it belongs to records %d to %d", h.first, h.last))
	case h.size() > s.end-at:
		return head{}, errTorn
	}
	sum, next := uint32(0), at+lineSize
	for left := h.length; left > 0; {
		text, err := s.bytes(next, int(min(left, windowSize)))
		if err != nil {
			return head{}, err
		}
		if len(text) == 0 {
			return head{}, errTorn
		}
		sum = crc32.Update(sum, castagnoli, text)
		next += int64(len(text))
		left -= int64(len(text))
	}
	if text, err = s.bytes(next, 1); err != nil {
		return head{}, err
	}
	switch {
	case sum != h.sum:
		return head{}, s.bad(b, at, seq, "its data does not have its checksum")
	case len(text) != 1 || text[0] != '\n':
		return head{}, s.bad(b, at, seq, "it does not end where it should")
	}
	return h, nil
}

// firstSeq is the first seq of a batch that seq belongs to.
func (b *batch) firstSeq(seq int64) int64 { return seq - int64(len(b.heads)) }

// bad says what it means that the record with seq is not what it should be. It may be torn when it is of the last
// batch, and a sector that the disk has not written is in there: it reads as zeros. Everything else is damage.
func (s *scanner) bad(b *batch, at, seq int64, reason string) error {
	blank, err := s.blankSector(b.start)
	if err != nil {
		return err
	}
	if blank {
		behind, err := s.otherBatch(at, b.firstSeq(seq))
		if err != nil {
			return err
		}
		if !behind {
			return errTorn
		}
	}
	return &DamageError{Run: s.run, file: s.path, Offset: at, Seq: seq, Reason: reason}
}

// blankSector reports whether there is a sector, or the part of one that is behind at, without a byte that is not zero.
func (s *scanner) blankSector(at int64) (bool, error) {
	for at < s.end {
		text, err := s.bytes(at, int(sectorSize-at%sectorSize))
		if err != nil || len(text) == 0 {
			return false, err
		}
		if len(bytes.Trim(text, "\x00")) == 0 {
			return true, nil
		}
		at += int64(len(text))
	}
	return false, nil
}

// otherBatch reports whether behind at there is a record of another batch than that which begins with the seq first.
func (s *scanner) otherBatch(at, first int64) (bool, error) {
	for at < s.end {
		text, err := s.bytes(at, windowSize)
		if err != nil || len(text) == 0 {
			return false, err
		}
		i := bytes.IndexByte(text, '#')
		if i < 0 {
			at += int64(len(text))
			continue
		}
		at += int64(i)
		if text, err = s.bytes(at, lineSize); err != nil {
			return false, err
		}
		if h, ok := parseHead(text); ok && h.first != first {
			return true, nil
		}
		at++
	}
	return false, nil
}

// title checks the first line. A file that has not even that was torn when it was
// created: records are written only when the line is safe.
func (s *scanner) title() error {
	want := title(s.run)
	text, err := s.bytes(0, maxTitle)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(text, want) {
		s.at = int64(len(want))
		return nil
	}
	reason := "it does not begin as a journal"
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		switch v, ok := titleVersion(text[:i+1]); {
		case ok && v > version:
			return fmt.Errorf("%w: run %q (%s) has version %d, and %d is the newest that can be read: use a newer version of the program", ErrVersion, s.run, s.path, v, version)
		case ok:
			reason = "it is the journal of another run"
		}
	}
	if s.end == 0 {
		return io.EOF
	}
	if s.end <= int64(len(want)) && (bytes.HasPrefix(want, text) || len(bytes.Trim(text, "\x00")) == 0) {
		return errTorn
	}
	return &DamageError{Run: s.run, file: s.path, Reason: reason}
}

// data reads a record that has been checked.
func (s *scanner) data(at int64, h head) ([]byte, error) {
	data := make([]byte, h.length)
	if near := at + lineSize - s.base; near >= 0 && near+h.length <= int64(len(s.window)) {
		copy(data, s.window[near:])
	} else if n, err := s.from.ReadAt(data, at+lineSize); n < len(data) {
		return nil, fmt.Errorf("store: run %q: %w", s.run, err)
	}
	if crc32.Checksum(data, castagnoli) != h.sum {
		return nil, &DamageError{Run: s.run, file: s.path, Offset: at, Seq: h.seq, Reason: "its data does not have its checksum any more"}
	}
	return data, nil
}
