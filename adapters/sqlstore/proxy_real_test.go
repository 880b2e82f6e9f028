package sqlstore_test

import (
	"fmt"
	"io"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/postgres"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

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
func TestRealAnswerIsLost(t *testing.T) {
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
	require.ErrorIs(t, s.Append(t.Context(), "run", 3, []byte("x")), store.ErrConflict)
	require.NoError(t, s.Append(t.Context(), "run", 4, []byte("5"))) // on this connection

	p.refuse.Store(true)
	p.swallow.Store(true)
	require.ErrorIs(t, s.Append(t.Context(), "run", 5, []byte("6")), store.ErrUncertain)
	err = s.Append(t.Context(), "run", 6, []byte("7"))
	require.ErrorContains(t, err, "nothing was appended")
	require.NotErrorIs(t, err, store.ErrUncertain)
	p.refuse.Store(false)
	records, err = read(t, s, "run")
	require.NoError(t, err)
	require.Equal(t, []string{"1", "2", "3", "4", "5", "6"}, records)

	mark := store.Mark{Seq: 6, At: time.Now(), Stage: "ended"}
	require.NoError(t, s.AppendMarked(t.Context(), "run", 6, mark))
	p.swallow.Store(true)
	require.NoError(t, s.AppendMarked(t.Context(), "run", 6, mark), "once more is harmless")
	p.swallow.Store(true)
	require.NoError(t, s.AppendMarked(t.Context(), "run", 6, mark, []byte("7")))
	require.False(t, p.swallow.Load())
}
