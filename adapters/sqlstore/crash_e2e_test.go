//go:build e2e

package sqlstore_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/internal/realparts/postgres"
	"github.com/agentfsm/agentfsm/internal/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/round/journal"
)

// A server that dies while runs are appended to loses nothing that was acknowledged, and Append says
// of the rest whether it may be there. The same store goes on when the server is back.
func TestServerDies(t *testing.T) {
	server := realpartstest.Postgres(t)
	s, err := sqlstore.OpenPostgres(t.Context(), server.DSN(""), nil)
	require.NoError(t, err)
	defer s.Close()
	for crash := range 5 {
		var appended atomic.Int64
		busy := make(chan struct{}) // closed when much has been appended
		ends := make([]error, 4)
		acked := make([]int64, len(ends))
		var group sync.WaitGroup
		for w := range ends {
			run := fmt.Sprint("run ", w)
			records, err := read(t, s, run)
			require.NoError(t, err)
			last := int64(len(records))
			group.Go(func() {
				for ends[w] == nil {
					if ends[w] = s.Append(t.Context(), run, last, []byte("a"), []byte("b")); ends[w] == nil {
						last += 2
						if appended.Add(1) == int64(20*(crash+1)) {
							close(busy)
						}
					}
				}
				acked[w] = last
			})
		}
		<-busy
		require.NoError(t, server.Crash())
		group.Wait()
		require.NoError(t, server.Restart(t.Context()))
		for w, err := range ends {
			var write *journal.WriteError
			require.ErrorAs(t, err, &write)
			records, err := read(t, s, fmt.Sprint("run ", w))
			require.NoError(t, err)
			want := []int64{acked[w]}
			if write.Uncertain {
				want = append(want, acked[w]+2)
			}
			assert.Contains(t, want, int64(len(records)), "%v", write)
		}
	}
}

// proxy stands between a store and its server, and breaks connections.
type proxy struct {
	net.Listener
	swallow atomic.Bool // the next answer, and the connection with it
	refuse  atomic.Bool // new connections
}

func newProxy(t *testing.T, server *postgres.Server) (*proxy, string) {
	t.Helper()
	config, err := pgx.ParseConfig(server.DSN(""))
	require.NoError(t, err)
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{Listener: l}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			if p.refuse.Load() {
				client.Close()
				continue
			}
			back, err := new(net.Dialer).DialContext(t.Context(), "unix", filepath.Join(config.Host, ".s.PGSQL.5432"))
			if err != nil {
				client.Close()
				continue
			}
			all.Go(func() { _, _ = io.Copy(back, client); back.Close() })
			all.Go(func() { p.answer(client, back) })
		}
	})
	t.Cleanup(func() { l.Close(); all.Wait() })
	return p, fmt.Sprintf("host=127.0.0.1 port=%d user=postgres dbname=postgres sslmode=disable", l.Addr().(*net.TCPAddr).Port)
}

// answer passes on what the server says.
func (p *proxy) answer(client, back net.Conn) {
	defer client.Close()
	defer back.Close()
	text := make([]byte, 1<<16)
	for {
		n, err := back.Read(text)
		if err != nil || p.swallow.CompareAndSwap(true, false) {
			return
		}
		if _, err := client.Write(text[:n]); err != nil {
			return
		}
	}
}

// Where the answer to an Append is lost, the store finds out what came of it, and appends nothing
// twice. Where it cannot find out, it says so.
func TestAnswerIsLost(t *testing.T) {
	server := realpartstest.Postgres(t)
	p, dsn := newProxy(t, server)
	s, err := sqlstore.OpenPostgres(t.Context(), dsn, &sqlstore.Options{MaxConns: 1})
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.Append(t.Context(), "run", 0, []byte("1")))
	require.NoError(t, s.Append(t.Context(), "run", 1, []byte("2"))) // both statements are known to the server

	p.swallow.Store(true)
	require.NoError(t, s.Append(t.Context(), "run", 2, []byte("3"), []byte("4")))
	require.False(t, p.swallow.Load())
	p.swallow.Store(true)
	require.NoError(t, s.Append(t.Context(), "other", 0, []byte("1")))
	require.False(t, p.swallow.Load())
	records, err := read(t, s, "run")
	require.NoError(t, err)
	require.Equal(t, []string{"1", "2", "3", "4"}, records)
	p.swallow.Store(true)
	require.ErrorIs(t, s.Append(t.Context(), "run", 3, []byte("x")), journal.ErrConflict)
	require.NoError(t, s.Append(t.Context(), "run", 4, []byte("5"))) // on this connection

	p.refuse.Store(true)
	p.swallow.Store(true)
	var write *journal.WriteError
	require.ErrorAs(t, s.Append(t.Context(), "run", 5, []byte("6")), &write)
	require.True(t, write.Uncertain, "%v", write)
	require.ErrorAs(t, s.Append(t.Context(), "run", 6, []byte("7")), &write)
	require.False(t, write.Uncertain, "%v", write)
	p.refuse.Store(false)
	records, err = read(t, s, "run")
	require.NoError(t, err)
	require.Equal(t, []string{"1", "2", "3", "4", "5", "6"}, records)

	require.NoError(t, s.Enqueue(t.Context(), "a", nil))
	p.swallow.Store(true)
	err = s.Enqueue(t.Context(), "b", nil)
	var queued *sqlstore.QueueError
	require.ErrorAs(t, err, &queued)
	require.True(t, queued.Uncertain, "%v", err)
	require.ErrorIs(t, s.Enqueue(t.Context(), "b", nil), sqlstore.ErrExists)
	l := claim(t, s, "w")
	require.NoError(t, l.Extend(t.Context(), time.Hour))
	p.swallow.Store(true)
	require.NoError(t, l.Done(t.Context()), "once more is harmless")
	require.Equal(t, []string{"a ended  1", "b ready  0"}, queue(t, s))
}

// Transactions that have to be repeated are, whatever the isolation of the database is.
func TestSerializable(t *testing.T) {
	p := postgresPlace(t)
	p.dsn += " default_transaction_isolation=serializable"
	s, other := p.open(t, nil), p.open(t, nil)
	var group sync.WaitGroup
	for i, own := range []*sqlstore.Store{s, other, s, other} {
		group.Go(func() { assert.NoError(t, race(t.Context(), own, fmt.Sprint("w", i))) })
	}
	group.Wait()
	records, err := read(t, s, shared)
	require.NoError(t, err)
	require.Len(t, records, 4*2*rounds)
	for i := range 20 {
		require.NoError(t, s.Enqueue(t.Context(), fmt.Sprint("run ", i), nil))
	}
	var claimed atomic.Int64
	for _, own := range []*sqlstore.Store{s, other, s, other} {
		group.Go(func() {
			for {
				_, err := own.Claim(t.Context(), "w", time.Hour)
				if errors.Is(err, sqlstore.ErrNothing) {
					return
				}
				if !assert.NoError(t, err) {
					return
				}
				claimed.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 20, claimed.Load())
}

// What is committed is durable, also where the server is configured to answer earlier.
func TestSynchronousCommit(t *testing.T) {
	p := postgresPlace(t)
	p.dsn += " synchronous_commit=off"
	s := p.open(t, nil)
	p.exec(t, `CREATE TABLE seen (setting text)`)
	p.exec(t, `CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$`)
	for _, table := range []string{"agentfsm_records", "agentfsm_queue"} {
		p.exec(t, `CREATE TRIGGER look AFTER INSERT OR UPDATE ON `+table+` FOR EACH ROW EXECUTE FUNCTION look()`)
	}
	require.NoError(t, s.Append(t.Context(), "run", 0, []byte("1")))
	require.NoError(t, s.Append(t.Context(), "run", 1, []byte("2")))
	require.NoError(t, s.Enqueue(t.Context(), "run", nil))
	require.NoError(t, claim(t, s, "w").Done(t.Context()))
	require.Equal(t, 5, p.count(t, `SELECT COUNT(*) FROM seen`))
	require.Equal(t, 0, p.count(t, `SELECT COUNT(*) FROM seen WHERE setting <> 'on'`))
}

// A database whose encoding cannot hold every id is refused.
func TestEncoding(t *testing.T) {
	p := postgresPlace(t)
	p.exec(t, `CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`)
	_, err := sqlstore.OpenPostgres(t.Context(), server(t).DSN("latin"), nil)
	require.ErrorIs(t, err, errors.ErrUnsupported)
	_, err = sqlstore.OpenPostgres(t.Context(), server(t).DSN("missing"), nil)
	require.ErrorContains(t, err, "missing")
	_, err = sqlstore.OpenPostgres(t.Context(), "port=no password=secret", nil)
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "secret")
}

// A server that was stopped has left nothing.
func TestServerLeavesNothing(t *testing.T) {
	s, err := postgres.Start(t.Context(), "")
	require.NoError(t, err)
	config, err := pgx.ParseConfig(s.DSN(""))
	require.NoError(t, err)
	require.DirExists(t, config.Host)
	require.Error(t, s.Restart(t.Context()), "it runs")
	require.NoError(t, s.Stop())
	require.NoError(t, s.Stop())
	require.NoDirExists(t, config.Host)
	lock, err := filepath.Glob("/proc/[0-9]*/cwd")
	require.NoError(t, err)
	for _, link := range lock {
		if where, err := os.Readlink(link); err == nil {
			require.NotContains(t, where, config.Host)
		}
	}

	t.Setenv("AGENTFSM_POSTGRES", t.TempDir())
	_, err = postgres.Start(t.Context(), "")
	require.ErrorIs(t, err, postgres.ErrMissing)
}
