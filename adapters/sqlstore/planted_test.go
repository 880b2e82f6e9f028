//go:build unix

package sqlstore_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
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
		_, filesErr := store.Files(dir, nil)
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

// A run is driven once at a time, also in a database in memory that several pools have. Other databases are not its own.
func TestOneDrivesInMemory(t *testing.T) {
	for name, shared := range map[string]bool{
		"file:x?mode=memory&cache=shared": true, "file::memory:?cache=shared": true, "file:/y?vfs=memdb": true,
		"file:z?mode=memory": false, ":memory:": false,
	} {
		t.Run(strings.ReplaceAll(name, "/", " "), func(t *testing.T) {
			open := func() *sqlstore.Store {
				db, err := sql.Open("sqlite", name)
				require.NoError(t, err)
				db.SetMaxOpenConns(1)
				t.Cleanup(func() { assert.NoError(t, db.Close()) })
				s, err := sqlstore.New(t.Context(), db, sqlstore.SQLite, nil)
				require.NoError(t, err)
				return s
			}
			a, b := open(), open()
			require.NoError(t, a.Append(t.Context(), "r", 0, []byte("one")))
			hold, err := a.Drive(t.Context(), "r", false)
			require.NoError(t, err)
			_, err = b.Drive(t.Context(), "r", false)
			if !shared {
				require.NoError(t, err)
				return
			}
			records, err2 := read(t, b, "r")
			require.NoError(t, err2)
			assert.Equal(t, []string{"one"}, records)
			require.ErrorIs(t, err, store.ErrDriven)
			require.NoError(t, hold.Release(t.Context()))
			hold, err = b.Drive(t.Context(), "r", false)
			require.NoError(t, err)
			require.NoError(t, hold.Release(t.Context()))
		})
	}
}
