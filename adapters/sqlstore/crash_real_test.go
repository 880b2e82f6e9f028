package sqlstore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/postgres"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// A server that dies while runs are appended to loses nothing that was acknowledged, and Append says
// of the rest whether it may be there. The same store goes on when the server is back.
func TestRealServerDies(t *testing.T) {
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
		for w, failed := range ends {
			require.Error(t, failed)
			records, err := read(t, s, fmt.Sprint("run ", w))
			require.NoError(t, err)
			want := []int64{acked[w]}
			if errors.Is(failed, store.ErrUncertain) {
				want = append(want, acked[w]+2)
			}
			assert.Contains(t, want, int64(len(records)), "%v", failed)
		}
	}
}

// A server that was stopped has left nothing.
func TestRealServerLeavesNothing(t *testing.T) {
	s := realpartstest.SharedPostgres(t)
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
