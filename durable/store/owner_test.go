//go:build unix

package store_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
)

// Folder and files are for their owner, also where somebody else has made them. Each stands for a
// way in which another account of the machine comes to read or change a journal.
func TestFilesThatWereThere(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	for name, c := range map[string]struct {
		make func(t *testing.T, dir string, s *store.FileStore)
		ok   bool
	}{
		"a file for everybody":   {func(t *testing.T, _ string, s *store.FileStore) { make666(t, s.File("r")) }, true},
		"a lock for everybody":   {func(t *testing.T, dir string, _ *store.FileStore) { make666(t, filepath.Join(dir, "run-r.lock")) }, true},
		"a link to another file": {func(t *testing.T, _ string, s *store.FileStore) { link(t, elsewhere, s.File("r")) }, false},
		"a lock that is a link": {func(t *testing.T, dir string, _ *store.FileStore) {
			link(t, elsewhere, filepath.Join(dir, "run-r.lock"))
		}, false},
		"a lock with another name": {func(t *testing.T, dir string, _ *store.FileStore) {
			require.NoError(t, os.Link(elsewhere, filepath.Join(dir, "run-r.lock")))
		}, false},
		"a journal with another name": {func(t *testing.T, _ string, s *store.FileStore) {
			save(t, elsewhere, nil) // which could be one
			require.NoError(t, os.Link(elsewhere, s.File("r")))
			save(t, elsewhere, []byte("mine"))
		}, false},
		"a link to what is not there": {func(t *testing.T, dir string, s *store.FileStore) {
			link(t, filepath.Join(dir, "new"), s.File("r"))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			save(t, elsewhere, []byte("mine"))
			s := files(t, dir)
			c.make(t, dir, s)
			_, err := s.Drive(t.Context(), "r", false)
			if err == nil {
				err = s.Append(t.Context(), "r", 0, []byte("secret"))
			}
			assert.Equal(t, "mine", string(load(t, elsewhere)))
			if !c.ok {
				require.Error(t, err)
				_, err := os.Stat(filepath.Join(dir, "new"))
				require.ErrorIs(t, err, os.ErrNotExist)
				return
			}
			require.NoError(t, err)
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Len(t, entries, 2)
			for _, e := range entries {
				info, err := e.Info()
				require.NoError(t, err)
				assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), e.Name())
			}
		})
	}
}

// A holder has its run until it gives it back, also where nothing refers to the Hold and its store any more.
func TestForgottenHold(t *testing.T) {
	dir := t.TempDir()
	_, err := files(t, dir).Drive(t.Context(), "r", false)
	require.NoError(t, err)
	s := files(t, dir)
	for range 20 {
		runtime.GC()
		time.Sleep(time.Millisecond) // the collector closes files in a goroutine
		_, err = s.Drive(t.Context(), "r", false)
		require.ErrorIs(t, err, store.ErrDriven)
	}
}

func make666(t *testing.T, path string) {
	t.Helper()
	save(t, path, nil)
	require.NoError(t, os.Chmod(path, 0o666))
}

func link(t *testing.T, to, path string) {
	t.Helper()
	require.NoError(t, os.Symlink(to, path))
}

// A folder to which everybody may write is refused, unless only owners may delete in it.
func TestPublicFolder(t *testing.T) {
	for mode, ok := range map[os.FileMode]bool{0o700: true, 0o755: true, 0o775: true, 0o777: false, 0o703: false, 0o777 | os.ModeSticky: true} {
		dir := t.TempDir()
		require.NoError(t, os.Chmod(dir, mode))
		_, err := store.Files(dir)
		if ok {
			require.NoError(t, err, mode)
			continue
		}
		require.ErrorContains(t, err, "others may write to the folder", mode)
		assert.Contains(t, err.Error(), dir)
		locks, err := store.DrivesIn(dir)
		require.NoError(t, err)
		_, err = locks.Drive(t.Context(), "r", false)
		require.ErrorContains(t, err, "others may write to the folder", mode)
	}
}
