package store_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// marked is a journal of twelve records in four Appends, with a mark at the tenth.
func marked(t testing.TB) (s *store.FileStore, mark string) {
	t.Helper()
	s, err := store.Files(t.TempDir())
	require.NoError(t, err)
	put := func(after int64, m *store.Mark, n int) {
		var records [][]byte
		for i := range n {
			records = append(records, fmt.Appendf(nil, "record %d", after+int64(i)+1))
		}
		if m == nil {
			require.NoError(t, s.Append(t.Context(), "run", after, records...))
			return
		}
		require.NoError(t, s.AppendMarked(t.Context(), "run", after, *m, records...))
	}
	put(0, nil, 5)
	put(5, &store.Mark{Run: "run", Seq: 9, At: time.Now(), Stage: "ready"}, 4)
	put(9, &store.Mark{Run: "run", Seq: 10, At: time.Now(), Stage: "waiting", Data: []byte("\x00")}, 1)
	put(10, nil, 2)
	return s, strings.TrimSuffix(s.File("run"), ".journal") + ".mark"
}

func readFrom(t testing.TB, s *store.FileStore, from int64) (seqs []int64) {
	t.Helper()
	for e, err := range s.Read(t.Context(), "run", from) {
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprintf("record %d", e.Seq), string(e.Data))
		seqs = append(seqs, e.Seq)
	}
	return seqs
}

// Whatever is in the file of a mark, the journal is read as it is.
func TestReadWithMarks(t *testing.T) {
	s, mark := marked(t)
	check := func(what string) {
		for from := range int64(14) {
			seqs := readFrom(t, s, from)
			assert.Len(t, seqs, int(13-max(from, 1)), "%s, from %d", what, from)
			if len(seqs) > 0 {
				assert.Equal(t, max(from, 1), seqs[0], what)
			}
		}
	}
	check("with its mark")
	whole, err := os.ReadFile(mark)
	require.NoError(t, err)
	for i := range whole {
		broken := append([]byte(nil), whole...)
		broken[i] ^= 1
		require.NoError(t, os.WriteFile(mark, broken, 0o600))
		m, err := s.Marked(t.Context(), "run")
		require.NoError(t, err)
		require.Equal(t, store.Mark{Run: "run"}, m, "byte %d is another one", i)
	}
	check("with a broken mark")
	require.NoError(t, os.WriteFile(mark, whole[:len(whole)/2], 0o600))
	check("with half of a mark")

	// The mark of a run that was deleted by hand, with another one under its id.
	require.NoError(t, os.WriteFile(mark, whole, 0o600))
	require.NoError(t, os.Remove(s.File("run")))
	other, err := store.Files(filepath.Dir(mark))
	require.NoError(t, err)
	for seq := int64(0); seq < 12; seq += 3 {
		require.NoError(t, other.Append(t.Context(), "run", seq,
			fmt.Appendf(nil, "record %d", seq+1), fmt.Appendf(nil, "record %d", seq+2), fmt.Appendf(nil, "record %d", seq+3)))
	}
	s = other
	check("with the mark of another journal")
	m, err := s.Marked(t.Context(), "run")
	require.NoError(t, err)
	assert.Zero(t, m.Seq)
}

// A mark is written when its records are safe. So a journal that has fewer of them than its mark has lost records, and says so
// in place of going back in silence: what the lost records say was done would be done again.
func TestLostEnd(t *testing.T) {
	s, mark := marked(t)
	file := s.File("run")
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	first := bytes.Index(whole, []byte("#2")) // behind the first record
	end := bytes.Index(whole, []byte("#11"))  // behind the record of the mark
	zeroed := bytes.Clone(whole[:end])
	clear(zeroed[end-520:]) // a disk that has not written a sector, and said that it had
	older := whole[:bytes.Index(whole, []byte("#6"))]
	journals := map[string][]byte{"a sector of zeros": zeroed, "an older copy": older, "without the last byte": whole[:end-1]}
	for at := first; at < end; at += 37 {
		journals[fmt.Sprintf("cut at byte %d", at)] = whole[:at]
	}
	for name, text := range journals {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(file, text, 0o600))
			s := files(t, filepath.Dir(file))
			lost := func(err error) {
				t.Helper()
				damage := &store.DamageError{}
				require.ErrorAs(t, err, &damage)
				assert.Contains(t, damage.Reason, "records are gone")
				assert.EqualValues(t, 10, damage.Seq)
			}
			records, err := read(t, s, "run")
			lost(err)
			for i, record := range records {
				assert.Equal(t, fmt.Sprintf("record %d", i+1), record)
			}
			if len(text) < end {
				_, err = s.Marked(t.Context(), "run")
				lost(err)
				n := 0
				for m, err := range s.Marks(t.Context(), store.Query{Stages: []string{"none"}}) {
					require.NoError(t, err)
					assert.Equal(t, "run", m.Run, "it is in every list")
					n++
				}
				assert.Equal(t, 1, n)
			}
			lost(s.Append(t.Context(), "run", int64(len(records)), []byte("another one")))
			lost(s.AppendMarked(t.Context(), "run", int64(len(records)), store.Mark{Seq: 1}))
			assert.Equal(t, text, load(t, file), "nothing was cut off")
		})
	}

	// What nobody can know is no error: records behind the mark, and whether an operator wants to go on without the others.
	require.NoError(t, os.WriteFile(file, whole[:end+30], 0o600))
	records, err := read(t, s, "run")
	require.NoError(t, err)
	assert.Len(t, records, 10)
	require.NoError(t, os.WriteFile(file, older, 0o600))
	require.NoError(t, os.Remove(mark))
	s = files(t, filepath.Dir(file))
	require.NoError(t, s.Append(t.Context(), "run", 5, []byte("record 6")))
	records, err = read(t, s, "run")
	require.NoError(t, err)
	assert.Len(t, records, 6)
}

// A mark that is not that of the last record is said to be behind.
func TestMarkBehind(t *testing.T) {
	s, mark := marked(t)
	m, err := s.Marked(t.Context(), "run")
	require.NoError(t, err)
	assert.True(t, m.Behind)
	for _, stages := range [][]string{nil, {"ended"}} {
		n := 0
		for m, err := range s.Marks(t.Context(), store.Query{Stages: stages, Due: time.Now()}) {
			require.NoError(t, err)
			assert.True(t, m.Behind)
			n++
		}
		assert.Equal(t, 1, n, "whatever is asked for")
	}
	require.NoError(t, s.AppendMarked(t.Context(), "run", 12, store.Mark{Run: "run", Seq: 12, Stage: "ended"}))
	m, err = s.Marked(t.Context(), "run")
	require.NoError(t, err)
	assert.False(t, m.Behind)
	assert.Equal(t, []int64{8, 9, 10, 11, 12}, readFrom(t, s, 8))

	hold, err := s.Drive(t.Context(), "run", false)
	require.NoError(t, err)
	require.NoError(t, hold.Release(context.Background()))
	require.NoError(t, s.Delete(t.Context(), "run"))
	assert.NoFileExists(t, mark)
}

// A mark without a Due is read once. What another process changes is seen at the next query.
func TestMarksThatAreNotDue(t *testing.T) {
	s, mark := marked(t)
	other := files(t, filepath.Dir(mark))
	now := time.Now()
	due := func() (runs []string) {
		for m, err := range s.Marks(t.Context(), store.Query{Due: now}) {
			require.NoError(t, err)
			runs = append(runs, m.Run)
		}
		return runs
	}
	old := now.Add(-time.Hour)
	set := func(due time.Time) {
		require.NoError(t, other.AppendMarked(t.Context(), "run", 12, store.Mark{Run: "run", Seq: 12, Due: due}))
		old = old.Add(time.Millisecond)
		require.NoError(t, os.Chtimes(mark, old, old))
	}
	set(time.Time{})
	assert.Empty(t, due())
	assert.Empty(t, due())
	for range 3 { // files of the same size
		set(now.Add(-time.Minute))
		assert.Equal(t, []string{"run"}, due())
		set(time.Time{})
		assert.Empty(t, due())
		assert.Empty(t, due())
	}
	require.NoError(t, other.Append(t.Context(), "run", 12, []byte("record 13")))
	assert.Equal(t, []string{"run"}, due(), "its mark is behind")
	require.NoError(t, os.Remove(mark))
	assert.Equal(t, []string{"run"}, due(), "it has no mark")

	hold, err := other.Drive(t.Context(), "run", false)
	require.NoError(t, err)
	require.NoError(t, hold.Release(context.Background()))
	require.NoError(t, other.Delete(t.Context(), "run"))
	assert.Empty(t, due())
}

// A service looks for what is due at each poll.
func BenchmarkMarksThatAreNotDue(b *testing.B) {
	s := files(b, b.TempDir())
	for i := range 1000 {
		run := fmt.Sprintf("run %d", i)
		require.NoError(b, s.AppendMarked(b.Context(), run, 0, store.Mark{Run: run, Seq: 1, Stage: "ended", Data: make([]byte, 500)}, []byte("record")))
	}
	time.Sleep(time.Second)
	for b.Loop() {
		for _, err := range s.Marks(b.Context(), store.Query{Due: time.Now()}) {
			require.NoError(b, err)
		}
	}
}

// A place that a mark knows is where reading begins: what is before it may be of any size.
func BenchmarkReadLast(b *testing.B) {
	for _, kept := range []string{"marked", "unmarked"} {
		b.Run(kept, func(b *testing.B) {
			s, err := store.Files(b.TempDir())
			require.NoError(b, err)
			for seq := range int64(1000) {
				require.NoError(b, s.Append(b.Context(), "run", seq, make([]byte, 10_000)))
			}
			if kept == "marked" {
				require.NoError(b, s.AppendMarked(b.Context(), "run", 1000, store.Mark{Run: "run", Seq: 1000}))
			}
			require.NoError(b, s.Append(b.Context(), "run", 1000, []byte("the last one")))
			for b.Loop() {
				for _, err := range s.Read(b.Context(), "run", 1001) {
					require.NoError(b, err)
				}
			}
		})
	}
}
