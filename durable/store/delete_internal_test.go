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

func filesOf(t *testing.T, dir string) *FileStore {
	t.Helper()
	s, err := Files(dir)
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
		"one with a mark": func(t *testing.T, s *FileStore) {
			require.NoError(t, s.AppendMarked(t.Context(), "r", 0, Mark{Seq: 1}, []byte("one")))
		},
		"one that was driven": func(t *testing.T, s *FileStore) {
			h, err := s.Drive(t.Context(), "r", false)
			require.NoError(t, err)
			require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
			require.NoError(t, h.Release(t.Context()))
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

// A Delete that fails leaves the run as it was, and the next Delete goes on.
func TestDeleteFails(t *testing.T) {
	s := filesOf(t, t.TempDir())
	require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
	inside := filepath.Join(s.locks.dir, markName("r"), "file") // what cannot be removed
	require.NoError(t, os.Mkdir(filepath.Dir(inside), 0o700))
	require.NoError(t, os.WriteFile(inside, nil, 0o600))
	require.Error(t, s.Delete(t.Context(), "r"))
	assert.Equal(t, []string{"one"}, texts(t, s))
	require.ErrorIs(t, s.Append(t.Context(), "r", 0, []byte("new")), ErrConflict)
	require.NoError(t, os.Remove(inside))
	require.NoError(t, s.Delete(t.Context(), "r"))
	assert.Empty(t, names(t, s))
}

// What was begun before Delete has its end before it, and Delete waits as long as its context lets it.
func TestDeleteWaitsForAnAppend(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := filesOf(t, dir)
		require.NoError(t, s.Append(t.Context(), "r", 0, []byte("one")))
		held, err := s.disk.lock(t.Context(), fileName("r"), false)
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.ErrorIs(t, s.Delete(ctx, "r"), context.DeadlineExceeded)
		assert.Equal(t, []string{"one"}, texts(t, s))
		end := make(chan error)
		go func() { end <- s.Delete(t.Context(), "r") }()
		synctest.Wait()
		require.NoError(t, held.Close())
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
