package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"time"
)

// The mark of a run is in a file beside its journal, which is written behind the records and is not synced: it may be
// missing, or be that of an earlier record. So it says to which part of the journal it belongs. What does not fit is no mark,
// and the journal alone counts.

// fileMark is what the file of a mark has, as JSON behind a checksum.
type fileMark struct {
	Version int       `json:"v"`
	Run     string    `json:"run"`
	Seq     int64     `json:"seq"`
	At      time.Time `json:"at"`
	Stage   string    `json:"stage"`
	Due     time.Time `json:"due,omitzero"`
	Data    []byte    `json:"data,omitempty"`

	End  int64  `json:"end"`  // of the journal, behind the record with that seq
	Head string `json:"head"` // the line of that record
	// Origin is the line of the first record: a run that was deleted and started again has another one.
	Origin string `json:"origin,omitempty"`
	Line   int64  `json:"line"` // where that is
}

func (m *fileMark) mark() Mark {
	return Mark{Run: m.Run, Seq: m.Seq, At: m.At, Stage: m.Stage, Due: m.Due, Data: m.Data}
}

// maxMark is how large the file of a mark may be, in bytes: it has the request of the run.
const maxMark = 64 << 20

func markName(run string) string { return otherName(run, markSuffix) }

// putMark writes the mark of what was just appended, or compared. An error is none of the Append's: the records are there. t is
// held by the caller.
func (s *FileStore) putMark(run string, t *tail, m *Mark) {
	if m.Seq != t.last {
		return // it is not that of what the journal ends with
	}
	text, err := json.Marshal(&fileMark{
		Version: version, Run: run, Seq: m.Seq, At: m.At, Stage: m.Stage, Due: m.Due, Data: m.Data,
		End: t.end, Head: string(t.head), Line: t.at, Origin: string(t.origin),
	})
	if err != nil || len(text) > maxMark-lineSize {
		return
	}
	_ = s.disk.replace(markName(run), fmt.Appendf(nil, "%08x %s\n", crc32.Checksum(text, castagnoli), text))
}

// readMark reads the file of a mark; nil: there is none, or it cannot be read.
func (s *FileStore) readMark(run string) *fileMark {
	text, err := s.disk.readAll(markName(run))
	if err != nil {
		return nil
	}
	sum, text, _ := bytes.Cut(bytes.TrimRight(text, "\n"), []byte(" "))
	if string(sum) != fmt.Sprintf("%08x", crc32.Checksum(text, castagnoli)) {
		return nil
	}
	n := &fileMark{}
	if json.Unmarshal(text, n) != nil || n.Version != version || n.Run != run || n.Seq < 1 || n.End < n.Line+lineSize {
		return nil
	}
	return n
}

// fits reports whether a mark is of this journal.
func (m *fileMark) fits(f file, size int64) bool {
	if m == nil || size < m.End {
		return false
	}
	line := make([]byte, lineSize)
	_, err := f.ReadAt(line, m.Line)
	return err == nil && string(line) == m.Head
}

// lost is the damage of a journal that is whole only up to end, while its mark is of more: a mark is written when its records
// are safe. It was read before the journal was opened. A journal that begins in another way is not that of the mark.
func (m *fileMark) lost(path string, f io.ReaderAt, end int64) error {
	if m == nil || end >= m.End || m.Origin == "" {
		return nil
	}
	line := make([]byte, lineSize)
	if _, err := f.ReadAt(line, int64(len(title(m.Run)))); err != nil || string(line) != m.Origin {
		return nil //nolint:nilerr // reading the journal says what is wrong with it
	}
	reason := fmt.Sprintf("records are gone: it is whole up to byte %d, and by its mark it was up to byte %d. "+
		"Restore it from a copy, or delete the mark to go on from what is there", end, m.End)
	return &DamageError{Run: m.Run, file: path, Offset: m.Line, Seq: m.Seq, Reason: reason}
}

// Marked implements [Index].
func (s *FileStore) Marked(ctx context.Context, run string) (Mark, error) {
	if err := errors.Join(CheckRun(run), ended(ctx, run)); err != nil {
		return Mark{}, err
	}
	m := s.readMark(run)
	f, err := s.disk.open(fileName(run))
	if errors.Is(err, fs.ErrNotExist) {
		return Mark{Run: run}, nil
	}
	if err != nil {
		return Mark{}, inFile(run, err)
	}
	defer func() { _ = f.Close() }() // it was only read
	size, err := f.size()
	if err != nil {
		return Mark{}, unread(run, err)
	}
	if !m.fits(f, size) {
		return Mark{Run: run}, m.lost(s.File(run), f, size)
	}
	mark := m.mark()
	mark.Behind = size > m.End
	return mark, nil
}

// Marks implements [Index]. It opens no journal: a mark is that of a journal of the same size, and else Behind. In the
// order of Due, it reads all marks first.
func (s *FileStore) Marks(ctx context.Context, q Query) iter.Seq2[Mark, error] {
	return func(yield func(Mark, error) bool) {
		due, n := !q.Due.IsZero(), 0
		var list []Mark
		for run, err := range s.sizes(ctx, q) {
			if err != nil {
				yield(Mark{}, err)
				return
			}
			n++
			if !due {
				if mark := s.markOf(run); q.Wants(&mark) && !yield(mark, nil) {
					return
				}
				continue
			}
			file, _ := s.disk.stat(markName(run.id)) // nil: markOf finds none either
			if s.undue.has(run, file) {
				continue
			}
			mark := s.markOf(run)
			s.undue.set(run, file, &mark)
			if q.Wants(&mark) {
				list = append(list, mark)
			}
		}
		if due && q.Prefix == "" && q.After == "" {
			s.undue.trim(n)
		}
		q.Sort(list)
		values(ctx, list)(yield)
	}
}

// markOf reads the mark of a run whose journal has that size.
func (s *FileStore) markOf(run sized) Mark {
	m := s.readMark(run.id)
	if m == nil || run.size < m.End {
		return Mark{Run: run.id}
	}
	mark := m.mark()
	mark.Behind = run.size > m.End
	return mark
}

// begin has the scanner begin behind the record of a mark, if the caller wants what follows it.
func (s *scanner) begin(m *fileMark, f file, from int64) {
	if from <= 1 || !m.fits(f, s.end) || from <= m.Seq || s.title() != nil {
		return
	}
	if m.End < s.end { // what is there is what should be
		text, err := s.bytes(m.End, lineSize)
		if err != nil {
			return
		}
		if h, ok := parseHead(text); !ok || h.seq != m.Seq+1 || h.first != m.Seq+1 {
			return
		}
	}
	s.at, s.last = m.End, m.Seq
}
