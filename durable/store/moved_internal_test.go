package store

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hung is a process that hangs within an Append: it has the file, knows its end, and has not
// written yet.
type hung struct {
	*writer
	hold Hold
}

func hang(t *testing.T, s *FileStore) *hung {
	t.Helper()
	hold, err := s.Drive(t.Context(), "r", false)
	require.NoError(t, err)
	f, now, err := s.disk.lock(t.Context(), fileName("r"), forWriting)
	require.NoError(t, err)
	w := &writer{lockedFile: f, tail: &tail{}, store: s, run: "r"}
	require.NoError(t, w.find(t.Context(), now))
	_, err = w.secure(s.disk)
	require.NoError(t, err)
	return &hung{writer: w, hold: hold}
}

// wakesUp is the rest of its Append.
func (h *hung) wakesUp(t *testing.T) error {
	t.Helper()
	err := h.write([][]byte{[]byte("from the dead"), []byte("again")})
	require.NoError(t, h.Close())
	require.NoError(t, h.hold.Release(t.Context()))
	return err
}

func filesOf(t *testing.T, dir string) *FileStore {
	t.Helper()
	s, err := Files(dir, nil)
	require.NoError(t, err)
	return s
}

func texts(t *testing.T, s *FileStore) (list []string) {
	t.Helper()
	for e, err := range s.Read(t.Context(), "r", 1) {
		require.NoError(t, err)
		list = append(list, string(e.Data))
	}
	return list
}

// Who takes a run over goes on while the other one hangs within an Append, wherever that one goes
// on itself. It stands for every moment at which a process may be frozen with the lock.
func TestTakenOverFromAHungAppend(t *testing.T) {
	for name, c := range map[string]struct {
		before func(t *testing.T, h *hung) // the take-over
		after  func(t *testing.T, h *hung) // it, and the next Append
		want   []string
	}{
		"it stays hung": {want: []string{"one", "two", "three"}},
		"it wakes up after the next Append": {
			after: func(t *testing.T, h *hung) { require.ErrorIs(t, h.wakesUp(t), ErrConflict) },
			want:  []string{"one", "two", "three"},
		},
		"it has written, and hangs before it looks": {
			before: func(t *testing.T, h *hung) {
				text, _ := appendRecords(nil, h.last, [][]byte{[]byte("late")})
				_, err := h.WriteAt(text, h.end)
				require.NoError(t, err)
			},
			want: []string{"one", "late", "two", "three"},
		},
		"it has written a part": {
			before: func(t *testing.T, h *hung) {
				text, _ := appendRecords(nil, h.last, [][]byte{[]byte("late")})
				_, err := h.WriteAt(text[:len(text)-3], h.end)
				require.NoError(t, err)
			},
			after: func(t *testing.T, h *hung) { require.ErrorIs(t, h.wakesUp(t), ErrConflict) },
			want:  []string{"one", "two", "three"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, other := filesOf(t, dir), filesOf(t, dir)
			require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
			h := hang(t, s)
			defer func() { _ = h.Close() }() // again
			if c.before != nil {
				c.before(t, h)
			}
			hold, err := other.Drive(t.Context(), "r", true)
			require.NoError(t, err)
			assert.True(t, hold.Took())
			last := int64(len(texts(t, other)))
			require.NoError(t, other.Append(t.Context(), "r", last, []byte("two")))
			if c.after != nil {
				c.after(t, h)
			}
			require.NoError(t, other.Append(t.Context(), "r", last+1, []byte("three")))
			assert.Equal(t, c.want, texts(t, filesOf(t, dir)))
			_, err = s.Drive(t.Context(), "r", false)
			require.ErrorIs(t, err, ErrDriven)
			var runs []string
			for run, err := range s.Runs(t.Context()) {
				require.NoError(t, err)
				runs = append(runs, run)
			}
			assert.Equal(t, []string{"r"}, runs)
			left, err := filepath.Glob(filepath.Join(dir, ".new-*"))
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}

// Nor is a copy refused because the process died before it took its first name away. A name elsewhere is none of a copy.
func TestMoverDiesWithTwoNames(t *testing.T) {
	for _, first := range []string{"read", "append"} {
		dir := t.TempDir()
		s := filesOf(t, dir)
		require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one"), []byte("two")))
		require.NoError(t, os.Link(s.File("r"), filepath.Join(dir, ".new-1")))
		s = filesOf(t, dir)
		if first == "append" {
			require.NoError(t, s.Append(t.Context(), "r", 2, []byte("three")))
		}
		assert.Subset(t, texts(t, s), []string{"one", "two"})
		require.NoFileExists(t, filepath.Join(dir, ".new-1"))

		require.NoError(t, os.Link(s.File("r"), filepath.Join(dir, "other")))
		require.ErrorIs(t, s.Append(t.Context(), "r", 2, []byte("three")), ErrDamaged)
	}
}

// The process that takes over may die itself, before or after the copy has its place: whoever comes
// next reads all of it, and goes on.
func TestMoverDies(t *testing.T) {
	for name, finished := range map[string]bool{"before the copy": false, "before it empties the old file": true} {
		for _, first := range []string{"read", "append", "drive"} {
			t.Run(name+", then "+first, func(t *testing.T) {
				s := filesOf(t, t.TempDir())
				require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one"), []byte("two")))
				path := s.File("r")
				if finished {
					text, err := os.ReadFile(path)
					require.NoError(t, err)
					require.NoError(t, os.WriteFile(moved(path), text, 0o600))
				} else {
					require.NoError(t, os.Rename(path, moved(path)))
				}
				switch first {
				case "append":
					require.NoError(t, s.Append(t.Context(), "r", 2, []byte("three")))
				case "drive":
					h, err := s.Drive(t.Context(), "r", true)
					require.NoError(t, err)
					require.NoError(t, h.Release(t.Context()))
					fallthrough
				default:
					assert.Equal(t, []string{"one", "two"}, texts(t, s))
					require.NoError(t, filesOf(t, filepath.Dir(path)).Append(t.Context(), "r", 2, []byte("three")))
				}
				require.ErrorIs(t, s.Append(t.Context(), "r", 0, []byte("new")), ErrConflict, "it was there")
				assert.Equal(t, []string{"one", "two", "three"}, texts(t, s))
			})
		}
	}
}

// A take-over heeds its context, and gives back what it has when it cannot have all of it.
func TestTakeOverIsCancelled(t *testing.T) {
	s := filesOf(t, t.TempDir())
	require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
	h := hang(t, s)
	defer func() { _ = h.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), stuckAfter/2)
	defer cancel()
	_, err := s.Drive(ctx, "r", true)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, err = os.Stat(moved(s.File("r")))
	require.ErrorIs(t, err, os.ErrNotExist)
	hold, err := s.Drive(t.Context(), "r", false)
	require.NoError(t, err, "the one that hangs has lost it, and the other one does not have it")
	require.NoError(t, hold.Release(t.Context()))
}
