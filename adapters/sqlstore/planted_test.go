//go:build unix

package sqlstore_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

// A folder is good for both stores, or for none.
func TestPublicFolder(t *testing.T) {
	for mode, ok := range map[os.FileMode]bool{0o700: true, 0o775: true, 0o777: false, 0o703: false, 0o777 | os.ModeSticky: true} {
		dir := t.TempDir()
		require.NoError(t, os.Chmod(dir, mode))
		_, filesErr := store.Files(dir)
		s, err := sqlstore.OpenSQLite(t.Context(), filepath.Join(dir, "runs.db"), nil)
		assert.Equal(t, ok, filesErr == nil, mode)
		if ok {
			require.NoError(t, err, mode)
			require.NoError(t, s.Close())
			continue
		}
		require.ErrorContains(t, err, "others may write to the folder", mode)
		assert.NoFileExists(t, filepath.Join(dir, "runs.db"))
	}
}

// No link is followed, and nothing else is opened that another user has planted, in place of the database or beside it.
func TestPlantedFiles(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "elsewhere.db")
	plants := map[string]func(path string) error{
		"dangling link": func(path string) error { return os.Symlink(elsewhere, path) },
		"link":          func(path string) error { return os.Symlink("/etc", path) },
		"fifo":          func(path string) error { return syscall.Mkfifo(path, 0o600) },
	}
	if os.Geteuid() == 0 { // nobody else can give files away
		plants["file of another user"] = func(path string) error {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				return err
			}
			return os.Lchown(path, 65534, 65534)
		}
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", "-driven"} {
		for name, plant := range plants {
			path := filepath.Join(t.TempDir(), "runs.db")
			require.NoError(t, plant(path+suffix))
			_, err := sqlstore.OpenSQLite(t.Context(), path, nil)
			require.ErrorContains(t, err, path+suffix, name+suffix)
			assert.NoFileExists(t, elsewhere, name+suffix)
		}
	}
}
