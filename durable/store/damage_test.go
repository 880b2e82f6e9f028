package store_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/sample"
)

// three is a journal of three Appends, and where each of them ends.
func three(t testing.TB, last ...string) (dir string, ends []int) {
	t.Helper()
	dir = t.TempDir()
	s := files(t, dir)
	for _, batch := range [][]string{{"one"}, {"two", "three"}, last} {
		have, err := read(t, s, "r")
		require.NoError(t, err)
		require.NoError(t, s.Append(t.Context(), "r", int64(len(have)), bytesOf(batch...)...))
		ends = append(ends, len(load(t, s.File("r"))))
	}
	return dir, ends
}

// What a killed process leaves is cut off by the next Append, wherever it ended.
func TestTornAtEveryByte(t *testing.T) {
	dir, ends := three(t, "four", strings.Repeat("five", 20), "")
	path := files(t, dir).File("r")
	whole := load(t, path)
	for end := ends[1] + 1; end < ends[2]; end += sample.Every(5) {
		save(t, path, whole[:end])
		records, err := read(t, files(t, dir), "r")
		require.NoError(t, err)
		require.Equal(t, []string{"one", "two", "three"}, records, "cut at byte %d", end)

		s, err := store.Files(dir)
		require.NoError(t, err)
		require.ErrorIs(t, s.Append(t.Context(), "r", 4, []byte("x")), store.ErrConflict)
		require.Equal(t, whole[:end], load(t, path), "a conflict changes nothing")
		require.NoError(t, s.Append(t.Context(), "r", 3, []byte("new")))
		require.NoError(t, s.Append(t.Context(), "r", 4, []byte("newer")))
		records, err = read(t, s, "r")
		require.NoError(t, err)
		require.Equal(t, []string{"one", "two", "three", "new", "newer"}, records, "cut at byte %d", end)
	}
}

// A file that was not even created to its end is one without records.
func TestTornCreation(t *testing.T) {
	dir := t.TempDir()
	s := files(t, dir)
	require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
	first, _, _ := bytes.Cut(load(t, s.File("r")), []byte("\n"))
	for end := range len(first) + 2 {
		for _, left := range [][]byte{append(first, '\n')[:end], make([]byte, end)} {
			save(t, s.File("r"), left)
			records, err := read(t, s, "r")
			require.NoError(t, err)
			require.Empty(t, records)
			for run := range s.Runs(t.Context()) {
				require.Fail(t, "a run without records", run)
			}
			require.NoError(t, files(t, dir).Append(t.Context(), "r", 0, []byte("again")))
			records, err = read(t, s, "r")
			require.NoError(t, err)
			require.Equal(t, []string{"again"}, records)
		}
	}
}

// Each bit of a file counts: whichever flips is noticed, what is before it is read, and
// nobody writes behind it. In the short form that is one bit of each byte.
func TestEveryFlippedBit(t *testing.T) {
	dir, ends := three(t, "four")
	path := files(t, dir).File("r")
	whole := load(t, path)
	want := []string{"one", "two", "three", "four"}
	title := bytes.IndexByte(whole, '\n') + 1
	for i := range whole {
		for bit := i % sample.Every(8); bit < 8; bit += sample.Every(8) {
			broken := bytes.Clone(whole)
			broken[i] ^= 1 << bit
			save(t, path, broken)
			records, err := read(t, files(t, dir), "r")
			what := fmt.Sprintf("bit %d of byte %d", bit, i)
			var damage *store.DamageError
			require.ErrorAs(t, err, &damage, what)
			require.ErrorIs(t, err, store.ErrDamaged)
			before := map[bool]int{true: 1}[i >= ends[0]] + map[bool]int{true: 2}[i >= ends[1]]
			require.Equal(t, want[:before], append([]string{}, records...), what)
			if i < title {
				require.Zero(t, damage.Seq, what)
				require.Zero(t, damage.Offset, what)
			} else {
				require.LessOrEqual(t, damage.Offset, int64(i), what)
				require.Greater(t, damage.Offset, int64(i-70), what)
				require.Contains(t, string(whole[damage.Offset:]), fmt.Sprintf("#%-10d", damage.Seq), what)
			}
			require.Contains(t, err.Error(), fmt.Sprintf("byte %d of %s", damage.Offset, path))

			err = files(t, dir).Append(t.Context(), "r", int64(before), []byte("x"))
			require.ErrorIs(t, err, store.ErrDamaged, what)
			require.Equal(t, broken, load(t, path), what)
		}
	}
}

func TestForeignBytes(t *testing.T) {
	const sector = 512
	long := strings.Repeat("long", 400)
	dir, ends := three(t, long, "end")
	path := files(t, dir).File("r")
	whole := load(t, path)
	blank := func(from, to int) []byte {
		b := bytes.Clone(whole)
		clear(b[from:to])
		return b
	}
	aligned := (ends[1]/sector + 1) * sector // in the long record
	for name, c := range map[string]struct {
		text []byte
		torn bool
		want string // the reason
		seq  int64
	}{
		"a sector of the last append was not written":   {text: blank(aligned, aligned+sector), torn: true},
		"nor its beginning":                             {text: blank(ends[1], ends[1]/sector*sector+sector), torn: true},
		"nor its end":                                   {text: blank(ends[2]/sector*sector, ends[2]), torn: true},
		"nor anything of it":                            {text: blank(ends[1], ends[2]), torn: true},
		"a lost sector, and something behind it":        {text: append(blank(aligned, aligned+sector), appended(6, "six")...), want: "its data does not have its checksum", seq: 4},
		"zeros, but no sector of them":                  {text: blank(aligned+1, aligned+sector), want: "its data does not have its checksum", seq: 4},
		"written by hand":                               {text: append(bytes.Clone(whole), "hello\n"...), want: "it begins with what is no record", seq: 6},
		"much written by hand":                          {text: append(bytes.Clone(whole), strings.Repeat("hello\n", 50)...), want: "what should be the line of a record is not", seq: 6},
		"a record twice":                                {text: append(bytes.Clone(whole), whole[ends[0]:ends[1]]...), want: "record 2 is in its place", seq: 6},
		"a record left out":                             {text: append(bytes.Clone(whole[:ends[0]]), whole[ends[1]:]...), want: "record 4 is in its place", seq: 2},
		"a part of an append left out":                  {text: append(bytes.Clone(whole[:ends[1]]), whole[ends[2]-67:]...), want: "record 5 is in its place", seq: 4},
		"a record that belongs to others":               {text: append(bytes.Clone(whole), line(6, 5, 7, "x")...), want: "it belongs to records 5 to 7", seq: 6},
		"of another run":                                {text: bytes.Replace(load(t, otherRun(t)), []byte("x"), []byte("x"), 1), want: "it is the journal of another run"},
		"not a journal":                                 {text: []byte("#!/bin/sh\nexit\n"), want: "it does not begin as a journal"},
		"zeros only, more than creating it would leave": {text: make([]byte, 2000), want: "it does not begin as a journal"},
	} {
		t.Run(name, func(t *testing.T) {
			save(t, path, c.text)
			records, err := read(t, files(t, dir), "r")
			if c.torn {
				require.NoError(t, err)
				require.Equal(t, []string{"one", "two", "three"}, records)
				require.NoError(t, files(t, dir).Append(t.Context(), "r", 3, []byte("new")))
				return
			}
			var damage *store.DamageError
			require.ErrorAs(t, err, &damage)
			assert.Equal(t, c.want, damage.Reason)
			assert.Equal(t, c.seq, damage.Seq)
			require.ErrorIs(t, files(t, dir).Append(t.Context(), "r", int64(len(records)), []byte("x")), store.ErrDamaged)
		})
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// line is a record, written down again from the description of the format.
func line(seq, first, last int, data string) []byte {
	b := fmt.Sprintf("#%-10d %-21s %-10d %08x ", seq, fmt.Sprintf("%d-%d", first, last), len(data), crc32.Checksum([]byte(data), castagnoli))
	return fmt.Appendf(nil, "%s%08x\n%s\n", b, crc32.Checksum([]byte(b), castagnoli), data)
}

func appended(seq int, data string) []byte { return line(seq, seq, seq, data) }

func otherRun(t *testing.T) string {
	t.Helper()
	s := files(t, t.TempDir())
	require.NoError(t, s.Append(t.Context(), "x", 0, []byte("one")))
	return s.File("x")
}

func TestNewerVersion(t *testing.T) {
	dir, _ := three(t, "four")
	s := files(t, dir)
	for _, name := range []string{`agentfsm journal 2 "r" `, `agentfsm journal 31 zstd `, `agentfsm journal 7 `} {
		text := fmt.Appendf(nil, "%s%08x\nwho knows", name, crc32.Checksum([]byte(name), castagnoli))
		save(t, s.File("r"), text)
		_, err := read(t, s, "r")
		require.ErrorIs(t, err, store.ErrVersion)
		assert.NotErrorIs(t, err, store.ErrDamaged)
		assert.ErrorContains(t, err, fmt.Sprintf(`run "r" (%s) has version %s, and 1 is the newest that can be read: use a newer version`, s.File("r"), strings.Fields(name)[2]))
		require.ErrorIs(t, s.Append(t.Context(), "r", 0, []byte("x")), store.ErrVersion)
		assert.Equal(t, text, load(t, s.File("r")))
	}
}

// The file of version 1, to the letter: later versions have to read it.
func TestFileFormat(t *testing.T) {
	s := files(t, t.TempDir())
	require.NoError(t, s.Append(t.Context(), "Auftrag 12 ü", 0, bytesOf(`{"kind":"ask"}`, "two\nlines")...))
	require.NoError(t, s.Append(t.Context(), "Auftrag 12 ü", 2, nil))
	assert.Equal(t, string(load(t, "testdata/v1.journal")), string(load(t, s.File("Auftrag 12 ü"))))
	head := `agentfsm journal 1 "Auftrag 12 \u00fc" `
	assert.Equal(t, fmt.Sprintf("%s%08x\n%s%s%s", head, crc32.Checksum([]byte(head), castagnoli),
		line(1, 1, 2, `{"kind":"ask"}`), line(2, 1, 2, "two\nlines"), appended(3, "")), string(load(t, s.File("Auftrag 12 ü"))))
}
