package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/drive/drivetest"
)

// A test binary that is started with these does not test, but uses a store.
const (
	envDriver = "SQLSTORE_TEST_DIALECT"
	envDSN    = "SQLSTORE_TEST_DSN"
	envTask   = "SQLSTORE_TEST_TASK" // race or create
	envName   = "SQLSTORE_TEST_NAME"
	shared    = "shared" // the run that all append to
	rounds    = 20       // how often each does, two records at a time
)

var escaped = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23", " ", "%20")

func TestMain(m *testing.M) {
	if drivetest.Child(openAgain) {
		return
	}
	if os.Getenv(envTask) == "" {
		m.Run() // which sets the status of the program
		if err := stopServers(); err != nil {
			panic(err)
		}
		return
	}
	if err := task(context.Background(), os.Getenv(envTask), os.Getenv(envName)); err != nil {
		panic(err)
	}
}

// openStore opens the store of the process that started this one.
func openStore(ctx context.Context) (*sqlstore.Store, error) {
	if os.Getenv(envDriver) == "sqlite" {
		return sqlstore.OpenSQLite(ctx, os.Getenv(envDSN), nil)
	}
	return sqlstore.OpenPostgres(ctx, os.Getenv(envDSN), nil)
}

func openAgain(ctx context.Context) (store.Store, error) { return openStore(ctx) }

func task(ctx context.Context, task, name string) error {
	s, err := openStore(ctx)
	if err != nil || task == "create" {
		return err
	}
	return race(ctx, s, name)
}

// race appends to the shared run whenever nobody else has been faster.
func race(ctx context.Context, s store.Store, name string) error {
	last := int64(0)
	for i := 0; i < rounds; {
		err := s.Append(ctx, shared, last, fmt.Appendf(nil, "%s %d a", name, i), fmt.Appendf(nil, "%s %d b", name, i))
		var conflict *store.ConflictError
		switch {
		case err == nil:
			last += 2
			i++
		case !errors.As(err, &conflict):
			return err
		case conflict.Last <= last:
			return fmt.Errorf("a conflict with a journal that has not grown: %w", err)
		default:
			last = conflict.Last
		}
	}
	return nil
}

// started starts a process. The func waits for it.
func (p *place) started(t *testing.T, task, name string) (wait func() error, kill func()) {
	t.Helper()
	ctx, kill := context.WithCancel(t.Context())
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = p.environment(task, name)
	var said strings.Builder
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	return func() error {
		if err := cmd.Wait(); err != nil {
			return fmt.Errorf("%w: %s", err, said.String())
		}
		return nil
	}, kill
}

// Processes that create the tables at once all succeed.
func TestCreatedAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		var group sync.WaitGroup
		for i := range 6 {
			group.Go(func() {
				if i < 2 {
					wait, _ := p.started(t, "create", "")
					assert.NoError(t, wait())
					return
				}
				s, err := p.try(t, nil)
				if assert.NoError(t, err) {
					assert.NoError(t, s.Close())
				}
			})
		}
		group.Wait()
		assert.Equal(t, 1, p.count(t, `SELECT COUNT(*) FROM agentfsm_schema`))
	})
}

// Of several processes that append with the same seq one wins, each time.
func TestSeveralProcesses(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		var names []string
		var group sync.WaitGroup
		for i := range 2 {
			name := fmt.Sprint("process", i)
			names = append(names, name)
			wait, _ := p.started(t, "race", name)
			group.Go(func() { assert.NoError(t, wait()) })
		}
		for i := range 2 {
			name := fmt.Sprint("pool", i)
			names = append(names, name)
			own := p.open(t, nil)
			group.Go(func() { assert.NoError(t, race(t.Context(), own, name)) })
		}
		group.Wait()
		seen, err := read(t, s, shared)
		require.NoError(t, err)
		require.Len(t, seen, 2*rounds*len(names))
		for _, name := range names {
			var mine, want []string
			for i := range rounds {
				want = append(want, fmt.Sprintf("%s %d a", name, i), fmt.Sprintf("%s %d b", name, i))
			}
			for _, record := range seen {
				if strings.HasPrefix(record, name+" ") {
					mine = append(mine, record)
				}
			}
			assert.Equal(t, want, mine)
		}
	})
}

// What a process that is killed in the middle of Append leaves is a whole number of Appends, and
// the next one goes on.
func TestKilledWhileAppending(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		for i := range 6 {
			before, err := read(t, s, shared)
			require.NoError(t, err)
			wait, kill := p.started(t, "race", fmt.Sprint("killed", i))
			for now := before; len(now) < len(before)+2*i+2; { // it is at work
				now, err = read(t, s, shared)
				require.NoError(t, err)
			}
			kill()
			_ = wait() // it was killed, or had just finished
			records, err := read(t, s, shared)
			require.NoError(t, err)
			require.Zero(t, len(records)%2, "half an Append is there")
			last := int64(len(records))
			err = s.Append(t.Context(), shared, last, []byte("a"), []byte("b"))
			if conflict, ok := errors.AsType[*store.ConflictError](err); ok {
				// A server may still have been at its last statement.
				require.Equal(t, "pgx", p.driver)
				require.Equal(t, last+2, conflict.Last)
				err = s.Append(t.Context(), shared, conflict.Last, []byte("a"), []byte("b"))
			}
			require.NoError(t, err)
		}
	})
}
