package sqlstore_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
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
				var damage *store.DamageError
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
		require.ErrorIs(t, err, store.ErrDamaged)
		assert.Equal(t, 2, p.count(t, `SELECT COUNT(*) FROM agentfsm_records`))
	})
}

// Tables of a newer version are left as they are.
func TestNewerVersion(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		require.NoError(t, p.open(t, nil).Append(t.Context(), "run", 0, []byte("one")))
		p.exec(t, `UPDATE agentfsm_schema SET version = 9`)
		_, err := p.try(t, nil)
		require.ErrorIs(t, err, store.ErrVersion)
		require.ErrorContains(t, err, "has version 9, and 1 is the newest that can be read: use a newer version")
		assert.Equal(t, 9, p.count(t, `SELECT version FROM agentfsm_schema`))
		assert.Equal(t, 1, p.count(t, `SELECT COUNT(*) FROM agentfsm_records`))

		p.exec(t, `DELETE FROM agentfsm_schema`)
		_, err = p.try(t, nil)
		require.ErrorIs(t, err, store.ErrDamaged)
	})
}

// A call that waits for another one ends with its context.
func TestContextEndsWaiting(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.Append(t.Context(), "run", 0, []byte("one")))
		tx, err := p.pool(t).BeginTx(t.Context(), nil) // has what the others wait for
		require.NoError(t, err)
		defer tx.Rollback()
		_, err = tx.ExecContext(t.Context(), `UPDATE agentfsm_runs SET last = last`)
		require.NoError(t, err)
		errStop := errors.New("stop")
		waits := func(call func(context.Context) error) {
			t.Helper()
			ctx, cancel := context.WithCancelCause(t.Context())
			ends := make(chan error)
			go func() { ends <- call(ctx) }()
			if p.driver == "pgx" { // until the server says that it does
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
		waits(func(ctx context.Context) error { return s.AppendMarked(ctx, "run", 1, store.Mark{Seq: 1}) })
		records, err := read(t, s, "run")
		require.NoError(t, err, "who reads does not wait")
		assert.Equal(t, []string{"one"}, records)
	})
}

// A pool of the caller's with one connection is enough, and is not closed.
func TestOwnPool(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		if p.driver == "sqlite" {
			return // a store of SQLite has its own
		}
		db := p.pool(t)
		db.SetMaxOpenConns(1)
		s, err := sqlstore.NewPostgres(t.Context(), db)
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), `SET synchronous_commit = off`)
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
			_, err = s.Marked(t.Context(), run)
			require.NoError(t, err)
		}
		require.NoError(t, s.Close())
		require.NoError(t, db.PingContext(t.Context()))
		records, err := read(t, s, "run")
		require.NoError(t, err)
		assert.Equal(t, []string{"one", "two", "three"}, records)
		_, err = sqlstore.NewPostgres(t.Context(), nil)
		require.Error(t, err)
	})
}

func TestTooLarge(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		err := s.Append(t.Context(), "run", 0, make([]byte, 10), make([]byte, sqlstore.MaxRecord+1))
		var size *store.SizeError
		require.ErrorAs(t, err, &size)
		assert.Equal(t, store.SizeError{Index: 1, Size: sqlstore.MaxRecord + 1, Max: sqlstore.MaxRecord}, *size)
		err = s.Append(t.Context(), "run", 0, slices.Repeat([][]byte{make([]byte, sqlstore.MaxRecord)}, 9)...)
		require.ErrorAs(t, err, &size)
		assert.Equal(t, store.SizeError{Index: 8, Size: 9 * sqlstore.MaxRecord, Max: 8 * sqlstore.MaxRecord}, *size)
		records, err := read(t, s, "run")
		require.NoError(t, err)
		assert.Empty(t, records)
	})
}

// A closed store says so.
func TestClosed(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s, err := p.try(t, nil)
		require.NoError(t, err)
		require.NoError(t, s.Close())
		err = s.Append(t.Context(), "run", 0, []byte("one"))
		require.ErrorContains(t, err, "nothing was appended")
		require.NotErrorIs(t, err, store.ErrUncertain)
		_, err = read(t, s, "run")
		require.Error(t, err)
		_, err = s.Marked(t.Context(), "run")
		require.Error(t, err)
	})
}
