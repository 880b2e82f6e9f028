package sqlstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
)

// A database that is full takes nothing more, and says so. It can be read, and goes on when there is
// space again.
func TestFullSQLite(t *testing.T) {
	p := sqlitePlace(t)
	s := p.open(t, &sqlstore.Options{MaxConns: 1}) // whose bound on pages is of the connection
	db := sqlstore.Pool(s)
	require.NoError(t, s.Append(t.Context(), "run", 0, []byte("one")))
	_, err := db.ExecContext(t.Context(), fmt.Sprint("PRAGMA max_page_count = ", p.count(t, "PRAGMA page_count")+2))
	require.NoError(t, err)
	err = s.Append(t.Context(), "run", 1, []byte("two"), make([]byte, 1<<20))
	require.ErrorIs(t, err, sqlstore.ErrFull)
	require.NotErrorIs(t, err, store.ErrUncertain)
	records, err := read(t, s, "run")
	require.NoError(t, err)
	assert.Equal(t, []string{"one"}, records)
	require.ErrorIs(t, s.AppendMarked(t.Context(), "run", 1, store.Mark{Seq: 1, Data: make([]byte, 1<<20)}), sqlstore.ErrFull)

	_, err = db.ExecContext(t.Context(), "PRAGMA max_page_count = 1000000")
	require.NoError(t, err)
	require.NoError(t, s.Append(t.Context(), "run", 1, []byte("two"), make([]byte, 1<<20)))
}

// A file whose pages were overwritten is damaged, and what of it is whole is read.
func TestDamagedFile(t *testing.T) {
	p := sqlitePlace(t)
	s, err := p.try(t, nil)
	require.NoError(t, err)
	for i := range int64(20) {
		require.NoError(t, s.Append(t.Context(), "run", i, bytes.Repeat([]byte("x"), 3000)))
	}
	require.NoError(t, s.Close()) // which writes all to the file
	whole, err := os.ReadFile(p.dsn)
	require.NoError(t, err)
	damaged := 0
	for at := 0; at < len(whole); at += 4096 {
		text := bytes.Clone(whole)
		for i := at; i < at+100; i++ {
			text[i] ^= 0x55
		}
		require.NoError(t, os.WriteFile(p.dsn, text, 0o600))
		s, err := p.try(t, nil)
		if err != nil {
			require.ErrorIs(t, err, store.ErrDamaged, "page %d", at/4096)
			damaged++
			continue
		}
		records, err := read(t, s, "run")
		for _, r := range records {
			require.Equal(t, string(bytes.Repeat([]byte("x"), 3000)), r)
		}
		if err != nil {
			require.ErrorIs(t, err, store.ErrDamaged, "page %d", at/4096)
			damaged++
		} else {
			require.Len(t, records, 20, "page %d", at/4096)
		}
		require.NoError(t, s.Close())
	}
	assert.Greater(t, damaged, 20)
}

func TestNoSQLite(t *testing.T) {
	dir := t.TempDir()
	_, err := sqlstore.OpenSQLite(t.Context(), "", nil)
	require.Error(t, err)
	_, err = sqlstore.OpenSQLite(t.Context(), dir, nil)
	require.Error(t, err)
	_, err = sqlstore.OpenSQLite(t.Context(), filepath.Join(dir, "no", "folder"), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.EqualError(t, err, "sqlstore: create "+filepath.Join(dir, "no", "folder")+": "+errors.Unwrap(errors.Unwrap(err)).Error(), "and not what it is made of")
	text := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(text, bytes.Repeat([]byte("not a database\n"), 1000), 0o600))
	_, err = sqlstore.OpenSQLite(t.Context(), text, nil)
	require.ErrorIs(t, err, store.ErrDamaged)
	ctx, cancel := context.WithCancelCause(t.Context())
	errStop := errors.New("stop")
	cancel(errStop)
	_, err = sqlstore.OpenSQLite(ctx, filepath.Join(dir, "new"), nil)
	require.ErrorIs(t, err, errStop)
	assert.NoFileExists(t, filepath.Join(dir, "new"))

	path := filepath.Join(dir, "runs.db")
	s, err := sqlstore.OpenSQLite(t.Context(), path, nil)
	require.NoError(t, err)
	require.NoError(t, s.Append(t.Context(), "run", 0, []byte("one")))
	files, err := filepath.Glob(path + "*")
	require.NoError(t, err)
	assert.Len(t, files, 3)
	for _, file := range files {
		info, err := os.Stat(file)
		require.NoError(t, err)
		if runtime.GOOS != "windows" { // which has no such rights
			assert.Zero(t, info.Mode().Perm()&0o077, file)
		}
	}
	require.NoError(t, s.Close())
}
