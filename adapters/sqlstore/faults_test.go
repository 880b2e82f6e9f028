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
	"github.com/agentfsm/agentfsm/round/journal"
)

// What somebody changed in the tables is found out by whoever reads it, behind what is whole.
func TestDamagedTables(t *testing.T) {
	for name, c := range map[string]struct {
		change string
		whole  int
		reason string
	}{
		"a flipped bit":      {`UPDATE agentfsm_records SET data = CAST('two' AS {bytes}) WHERE seq = 3`, 2, "does not have its checksum"},
		"another's place":    {`UPDATE agentfsm_records SET seq = CASE seq WHEN 2 THEN -3 ELSE -2 END WHERE seq IN (2, 3)`, 1, "does not have it"},
		"one is missing":     {`DELETE FROM agentfsm_records WHERE seq = 2`, 1, "does not have it"},
		"the end is missing": {`DELETE FROM agentfsm_records WHERE seq > 2`, 2, "should have 4"},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(t *testing.T, p *place) {
				s := p.open(t, nil)
				require.NoError(t, s.Append(t.Context(), "run", 0, bytesOf("one", "two", "three", "four")...))
				p.exec(t, p.words(c.change))
				records, err := read(t, s, "run")
				var damage *journal.DamageError
				require.ErrorAs(t, err, &damage)
				assert.Equal(t, "run", damage.Run)
				assert.EqualValues(t, c.whole+1, damage.Seq)
				assert.Contains(t, damage.Reason, c.reason)
				assert.Len(t, records, c.whole)
			})
		})
	}
}

// Records behind the last one are nobody's, and nothing is appended over them.
func TestRecordsBehindTheLast(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.Append(t.Context(), "run", 0, bytesOf("one", "two")...))
		p.exec(t, `UPDATE agentfsm_runs SET last = 1`)
		err := s.Append(t.Context(), "run", 1, []byte("new"))
		require.ErrorIs(t, err, journal.ErrDamaged)
		assert.Equal(t, 2, p.count(t, `SELECT COUNT(*) FROM agentfsm_records`))
	})
}

// Tables of a newer version are left as they are.
func TestNewerVersion(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		require.NoError(t, p.open(t, nil).Append(t.Context(), "run", 0, []byte("one")))
		p.exec(t, `UPDATE agentfsm_schema SET version = 9`)
		_, err := p.try(t, nil)
		require.ErrorIs(t, err, journal.ErrVersion)
		var version *journal.VersionError
		require.ErrorAs(t, err, &version)
		assert.Equal(t, 9, version.Version)
		assert.Equal(t, 1, version.Newest)
		assert.NotEmpty(t, version.File)
		assert.Equal(t, 9, p.count(t, `SELECT version FROM agentfsm_schema`))
		assert.Equal(t, 1, p.count(t, `SELECT COUNT(*) FROM agentfsm_records`))

		p.exec(t, `DELETE FROM agentfsm_schema`)
		_, err = p.try(t, nil)
		require.ErrorIs(t, err, journal.ErrDamaged)
	})
}

// A call that waits for another one ends with its context.
func TestContextEndsWaiting(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.Append(t.Context(), "run", 0, []byte("one")))
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		tx, err := p.pool(t).BeginTx(t.Context(), nil) // has what the others wait for
		require.NoError(t, err)
		defer tx.Rollback()
		for _, query := range []string{`UPDATE agentfsm_runs SET last = last`, `UPDATE agentfsm_queue SET free = free`} {
			_, err = tx.ExecContext(t.Context(), query)
			require.NoError(t, err)
		}
		errStop := errors.New("stop")
		waits := func(call func(context.Context) error) {
			t.Helper()
			ctx, cancel := context.WithCancelCause(t.Context())
			ends := make(chan error)
			go func() { ends <- call(ctx) }()
			if p.dialect == sqlstore.PostgreSQL { // until the server says that it does
				for p.count(t, `SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`) == 0 {
					select {
					case err := <-ends:
						require.Fail(t, "it did not wait", "%v", err)
					default:
					}
				}
			}
			cancel(errStop)
			err := <-ends
			require.ErrorIs(t, err, errStop)
		}
		waits(func(ctx context.Context) error { return s.Append(ctx, "run", 1, []byte("two")) })
		waits(func(ctx context.Context) error { return s.Wake(ctx, "run") })
		records, err := read(t, s, "run")
		require.NoError(t, err, "who reads does not wait")
		assert.Equal(t, []string{"one"}, records)
	})
}

// A pool of the caller's with one connection is enough, and is not closed.
func TestOwnPool(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		db := p.pool(t)
		db.SetMaxOpenConns(1)
		s, err := sqlstore.New(t.Context(), db, p.dialect, nil)
		require.NoError(t, err)
		off := `PRAGMA synchronous = OFF`
		if p.dialect == sqlstore.PostgreSQL {
			off = `SET synchronous_commit = off`
		}
		_, err = db.ExecContext(t.Context(), off)
		require.NoError(t, err)
		require.NoError(t, s.Append(t.Context(), "run", 0, bytesOf("one", "two")...))
		for e, err := range s.Read(t.Context(), "run", 1) {
			require.NoError(t, err)
			if e.Seq == 1 {
				require.NoError(t, s.Append(t.Context(), "run", 2, []byte("three")))
			}
		}
		for run, err := range s.Runs(t.Context()) {
			require.NoError(t, err)
			require.NoError(t, s.Enqueue(t.Context(), run, nil))
		}
		require.NoError(t, s.Close())
		require.NoError(t, db.PingContext(t.Context()))
		records, err := read(t, s, "run")
		require.NoError(t, err)
		assert.Equal(t, []string{"one", "two", "three"}, records)

		_, err = sqlstore.New(t.Context(), db, 0, nil)
		require.EqualError(t, err, "sqlstore: there is no Dialect(0)")
		_, err = sqlstore.New(t.Context(), nil, p.dialect, nil)
		require.Error(t, err)
	})
}

func TestTooLarge(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, &sqlstore.Options{MaxRecord: 10, MaxConns: 1})
		err := s.Append(t.Context(), "run", 0, make([]byte, 10), make([]byte, 11))
		var size *journal.SizeError
		require.ErrorAs(t, err, &size)
		assert.Equal(t, journal.SizeError{Run: "run", Index: 1, Size: 11, Max: 10}, *size)
		records, err := read(t, s, "run")
		require.NoError(t, err)
		assert.Empty(t, records)

		s = p.open(t, &sqlstore.Options{MaxRecord: -1})
		half := make([]byte, sqlstore.MaxAppend/2+1)
		err = s.Append(t.Context(), "run", 0, half, half)
		require.ErrorAs(t, err, &size)
		assert.Equal(t, journal.SizeError{Run: "run", Index: 1, Size: sqlstore.MaxAppend + 2, Max: sqlstore.MaxAppend}, *size)
	})
}

// A closed store says so.
func TestClosed(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s, err := p.try(t, nil)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		var write *journal.WriteError
		require.ErrorAs(t, s.Append(t.Context(), "run", 0, []byte("one")), &write)
		assert.False(t, write.Uncertain)
		_, err = read(t, s, "run")
		require.Error(t, err)
		require.Error(t, s.Enqueue(t.Context(), "run", nil))
	})
}

// A database that is full takes nothing more, and says so. It can be read, and goes on when there is
// space again.
func TestFullSQLite(t *testing.T) {
	p := sqlitePlace(t)
	db := p.pool(t)
	db.SetMaxOpenConns(1) // whose bound on pages is of the connection
	s, err := sqlstore.New(t.Context(), db, sqlstore.SQLite, nil)
	require.NoError(t, err)
	require.NoError(t, s.Append(t.Context(), "run", 0, []byte("one")))
	_, err = db.ExecContext(t.Context(), fmt.Sprint("PRAGMA max_page_count = ", p.count(t, "PRAGMA page_count")+2))
	require.NoError(t, err)
	err = s.Append(t.Context(), "run", 1, []byte("two"), make([]byte, 1<<20))
	require.ErrorIs(t, err, sqlstore.ErrFull)
	var write *journal.WriteError
	require.ErrorAs(t, err, &write)
	assert.False(t, write.Uncertain)
	records, err := read(t, s, "run")
	require.NoError(t, err)
	assert.Equal(t, []string{"one"}, records)
	require.ErrorIs(t, s.Enqueue(t.Context(), "run", make([]byte, 1<<20)), sqlstore.ErrFull)
	assert.Empty(t, queue(t, s))

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
			require.ErrorIs(t, err, journal.ErrDamaged, "page %d", at/4096)
			damaged++
			continue
		}
		records, err := read(t, s, "run")
		for _, r := range records {
			require.Equal(t, string(bytes.Repeat([]byte("x"), 3000)), r)
		}
		if err != nil {
			require.ErrorIs(t, err, journal.ErrDamaged, "page %d", at/4096)
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
	text := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(text, bytes.Repeat([]byte("not a database\n"), 1000), 0o600))
	_, err = sqlstore.OpenSQLite(t.Context(), text, nil)
	require.ErrorIs(t, err, journal.ErrDamaged)
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
