package dbos_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
	_ "github.com/dbos-inc/dbos-transact-golang/dbos/driver/sqlite" // the driver of "sqlite:" URLs
	_ "github.com/jackc/pgx/v5/stdlib"                              // the driver "pgx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/dbos"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/postgres"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/runs"
)

// count numbers executors and databases.
var count atomic.Int64

// one is the server of all tests.
var one struct {
	sync.Mutex
	*postgres.Server
}

func TestMain(m *testing.M) {
	if os.Getenv(envURL) != "" {
		if err := older(context.Background(), os.Getenv(envURL)); err != nil {
			panic(err)
		}
		return
	}
	m.Run() // which sets the status of the program
	if one.Server != nil {
		if err := one.Stop(); err != nil {
			panic(err)
		}
	}
}

// sqlite is a database that nobody has used yet.
func sqlite(t testing.TB) string {
	return "sqlite:" + (&url.URL{Path: filepath.ToSlash(filepath.Join(t.TempDir(), "dbos.db"))}).EscapedPath()
}

// postgreSQL is one, too. DBOS creates it.
func postgreSQL(t testing.TB) string {
	realpartstest.Need(t)
	one.Lock()
	defer one.Unlock()
	if one.Server == nil {
		one.Server = realpartstest.SharedPostgres(t)
	}
	return one.DSN(fmt.Sprint("test_", count.Add(1)))
}

// config is that of a process: a new one without an executor.
func config(url, executor string) sdk.Config {
	if executor == "" {
		executor = fmt.Sprint("executor ", count.Add(1))
	}
	return sdk.Config{DatabaseURL: url, ExecutorID: executor}
}

// options look often, so that tests take no longer than they must.
var options = &dbos.Options{Poll: 20 * time.Millisecond}

func open(t testing.TB, url, executor string) *dbos.Engine {
	t.Helper()
	return opened(t, config(url, executor))
}

func opened(t testing.TB, conf sdk.Config) *dbos.Engine {
	t.Helper()
	e, err := dbos.New(t.Context(), conf, options)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, e.Close()) })
	return e
}

// process is an engine at work.
type process struct {
	t      testing.TB
	engine *dbos.Engine
	cancel context.CancelFunc
	over   chan error

	mu     sync.Mutex
	drives map[string]int
}

type driver func(ctx context.Context, run string) (runs.Next, error)

func waits(context.Context, string) (runs.Next, error) { return runs.Next{}, nil }

// works begins the Work of an engine.
func works(t testing.TB, e *dbos.Engine, does driver) *process {
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	p := &process{t: t, engine: e, cancel: cancel, over: make(chan error, 1), drives: map[string]int{}}
	go func() {
		p.over <- e.Work(ctx, func(ctx context.Context, run string) (runs.Next, error) {
			p.mu.Lock()
			p.drives[run]++
			p.mu.Unlock()
			return does(ctx, run)
		})
	}()
	t.Cleanup(func() { p.stop() })
	return p
}

// stop ends the Work. A second call does nothing.
func (p *process) stop() {
	if p.cancel == nil {
		return
	}
	p.cancel()
	p.cancel = nil
	assert.ErrorIs(p.t, <-p.over, context.Canceled)
}

func (p *process) driven(run string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.drives[run]
}

// awaits waits until a run was driven n times, here.
func (p *process) awaits(run string, n int) {
	p.t.Helper()
	eventually(p.t, func() bool { return p.driven(run) >= n }, "run %q is not driven %d times", run, n)
}

func eventually(t testing.TB, holds func() bool, format string, args ...any) {
	t.Helper()
	require.Eventually(t, holds, 2*time.Minute, 5*time.Millisecond, append([]any{format}, args...)...)
}

func wake(t testing.TB, e runs.Engine, names ...string) {
	t.Helper()
	for _, run := range names {
		require.NoError(t, e.Wake(t.Context(), run))
	}
}

// tools are those of DBOS, as an operator has them.
func tools(t testing.TB, url string) sdk.Client {
	t.Helper()
	c, err := sdk.NewClient(t.Context(), sdk.ClientConfig{DatabaseURL: url, Logger: discard})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, sdk.Shutdown(c, 10*time.Second)) })
	return c
}

// rows are how many workflows DBOS has, or those of some statuses.
func rows(t testing.TB, c sdk.Client, status ...sdk.WorkflowStatusType) (ids []string) {
	t.Helper()
	list, err := sdk.ListWorkflows(c, sdk.WithFilterStatus(status...))
	require.NoError(t, err)
	for i := range list {
		ids = append(ids, list[i].ID)
	}
	return ids
}

// bytesOf is the size of a database.
func bytesOf(t testing.TB, url string) (size int64) {
	t.Helper()
	query := "SELECT pg_database_size(current_database())"
	if strings.HasPrefix(url, "sqlite:") {
		query = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
	}
	db := database(t, url)
	defer db.Close()
	require.NoError(t, db.QueryRowContext(t.Context(), query).Scan(&size))
	return size
}

// database is what DBOS has its tables in.
func database(t testing.TB, url string) *sql.DB {
	t.Helper()
	kind, name := "pgx", url
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		kind, name = "sqlite", file+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(kind, name)
	assert.NoError(t, err)
	return db
}
