package store

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// names are the files of a folder.
func names(t *testing.T, s *FileStore) []string {
	t.Helper()
	list, err := os.ReadDir(s.locks.dir)
	require.NoError(t, err)
	all := []string{}
	for _, e := range list {
		all = append(all, e.Name())
	}
	return all
}

// Whatever there is of a run: Delete leaves no file of it, and nobody finds it again.
func TestDeleteLeavesNoFile(t *testing.T) {
	for name, before := range map[string]func(t *testing.T, s *FileStore){
		"nothing": func(*testing.T, *FileStore) {},
		"a run":   func(t *testing.T, s *FileStore) { require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one"))) },
		"one that was driven": func(t *testing.T, s *FileStore) {
			h, err := s.Drive(t.Context(), "r", false)
			require.NoError(t, err)
			require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
			require.NoError(t, h.Release(t.Context()))
		},
		"one that was moved": func(t *testing.T, s *FileStore) {
			require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
			require.NoError(t, os.WriteFile(moved(s.File("r")), nil, 0o600))
		},
		"one that was about to be moved": func(t *testing.T, s *FileStore) {
			require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
			require.NoError(t, os.Rename(s.File("r"), moved(s.File("r"))))
		},
		"both, from a mover that died": func(t *testing.T, s *FileStore) {
			require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
			text, err := os.ReadFile(s.File("r"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(moved(s.File("r")), text, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := filesOf(t, t.TempDir())
			before(t, s)
			require.NoError(t, s.Delete(t.Context(), "r"))
			assert.Empty(t, names(t, s))
			assert.Empty(t, texts(t, s))
			require.NoError(t, s.Append(t.Context(), "r", 0, []byte("new")))
			assert.Equal(t, []string{"new"}, texts(t, s))
		})
	}
}

// Delete stops at each of its steps: the run is all there, or gone, and the next Delete goes on.
func TestDeleteStops(t *testing.T) {
	for name, gone := range map[string]bool{movedSuffix: false, fileSuffix: false, lockSuffix: true} {
		t.Run("at "+name, func(t *testing.T) {
			s := filesOf(t, t.TempDir())
			require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
			text, err := os.ReadFile(s.File("r"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(moved(s.File("r")), text, 0o600)) // of a mover that died
			require.NoError(t, s.Append(t.Context(), "r", 1, []byte("two")))
			err = folder(s.locks.dir).delete(t.Context(), fileName("r"), func(path string) error {
				if filepath.Base(path) == otherName("r", name) {
					return os.ErrPermission
				}
				return os.Remove(path)
			})
			if gone {
				require.NoError(t, err)
				assert.Empty(t, texts(t, s))
			} else {
				require.ErrorIs(t, err, os.ErrPermission)
				assert.Equal(t, []string{"one", "two"}, texts(t, s))
				require.ErrorIs(t, s.Append(t.Context(), "r", 0, []byte("new")), ErrConflict)
			}
			require.NoError(t, s.Delete(t.Context(), "r"))
			assert.Empty(t, names(t, s))
			assert.Empty(t, texts(t, s))
		})
	}
}

// A process that hangs within an Append holds nobody up who deletes the run. It finds that the run has gone,
// also when there is another one with its id by now.
func TestDeletedFromAHungAppend(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s, other := filesOf(t, dir), filesOf(t, dir)
		require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
		h := hang(t, s)
		require.NoError(t, h.hold.Release(t.Context()), "it answers")
		begun := time.Now()
		require.NoError(t, other.Delete(t.Context(), "r"))
		assert.Equal(t, stuckAfter, time.Since(begun).Round(stuckAfter/10))
		require.NoError(t, other.Append(t.Context(), "r", 0, []byte("new")))
		require.ErrorIs(t, h.wakesUp(t), ErrConflict)
		assert.Equal(t, []string{"new"}, texts(t, other))

		held, _, err := s.disk.lock(t.Context(), fileName("r"), forWriting)
		require.NoError(t, err)
		defer func() { require.NoError(t, held.Close()) }()
		ctx, cancel := context.WithTimeout(t.Context(), stuckAfter/2)
		defer cancel()
		require.ErrorIs(t, other.Delete(ctx, "r"), context.DeadlineExceeded)
		assert.Equal(t, []string{"new"}, texts(t, other), "the caller did not want to wait")
	})
}

// What was begun before Delete has its end before it.
func TestDeleteWaitsForAnAppend(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := filesOf(t, dir)
		require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
		h := hang(t, s)
		require.NoError(t, h.hold.Release(t.Context()))
		end := make(chan error)
		go func() { end <- s.Delete(t.Context(), "r") }()
		synctest.Wait()
		require.NoError(t, h.wakesUp(t))
		require.NoError(t, <-end)
		assert.Empty(t, texts(t, s))
	})
}

// Who drove a run until somebody took it over, deleted it and began another one with its id is refused, also
// where the new one has come to as many records.
func TestDeletedFromItsDriver(t *testing.T) {
	dir := t.TempDir()
	s, other := filesOf(t, dir), filesOf(t, dir)
	mine, err := s.Drive(t.Context(), "r", false)
	require.NoError(t, err)
	require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
	theirs, err := other.Drive(t.Context(), "r", true)
	require.NoError(t, err)
	require.NoError(t, theirs.Release(t.Context()))
	require.NoError(t, other.Delete(t.Context(), "r"))
	require.NoError(t, other.Append(t.Context(), "r", 0, []byte("new")))
	require.ErrorIs(t, s.Append(t.Context(), "r", 1, []byte("two")), ErrConflict)
	assert.Equal(t, []string{"new"}, texts(t, other))
	require.NoError(t, mine.Release(t.Context()))
}

// Who is about to delete the lock of a run leaves that of somebody who has taken the run over meanwhile.
func TestDeleteIsTakenOver(t *testing.T) {
	s := filesOf(t, t.TempDir())
	deletes, err := s.locks.drive(t.Context(), "r", false)
	require.NoError(t, err)
	h, err := s.Drive(t.Context(), "r", true)
	require.NoError(t, err)
	deletes.forget(s.locks.file("r"))
	require.NoError(t, deletes.Release(t.Context()))
	_, err = s.Drive(t.Context(), "r", false)
	require.ErrorIs(t, err, ErrDriven)
	require.NoError(t, h.Release(t.Context()))
}
