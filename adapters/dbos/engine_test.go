package dbos_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	sdk "github.com/dbos-inc/dbos-transact-golang/dbos"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/dbos"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/runs"
)

var discard = slog.New(slog.DiscardHandler)

// onEach runs a test on SQLite, or on PostgreSQL where it is one of TestRealPostgreSQL.
func onEach(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	if _, there := testsOfAll()[t.Name()]; there {
		test(t, sqlite(t))
		return
	}
	test(t, postgreSQL(t))
}

// testsOfAll are the tests that call onEach.
func testsOfAll() map[string]func(*testing.T) {
	return map[string]func(*testing.T){
		"TestKilled":             TestKilled,
		"TestLeftWhileWorkEnds":  TestLeftWhileWorkEnds,
		"TestCancelledByTools":   TestCancelledByTools,
		"TestNoRowsLeft":         TestNoRowsLeft,
		"TestWaitingCosts":       TestWaitingCosts,
		"TestService":            TestService,
		"TestWaitingIsNotPolled": TestWaitingIsNotPolled,
		"TestTwoApplications":    TestTwoApplications,
		"TestTakenAndNotBegun":   TestTakenAndNotBegun,
		"TestSameRowAgain":       TestSameRowAgain,
		"TestGivenToAnother":     TestGivenToAnother,
		"TestWokenWhileItBegins": TestWokenWhileItBegins,
	}
}

// TestRealPostgreSQL runs with PostgreSQL what runs with SQLite under its own name.
func TestRealPostgreSQL(t *testing.T) {
	realpartstest.Need(t)
	for name, test := range testsOfAll() {
		t.Run(name, test)
	}
}

func TestNewRefuses(t *testing.T) {
	over, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	cancel(enough)
	for _, test := range []struct {
		name   string
		ctx    context.Context //nolint:containedctx // of a case
		config sdk.Config
		want   string
	}{
		{"no executor", t.Context(), sdk.Config{DatabaseURL: "sqlite:x.db"}, "ExecutorID is empty"},
		{"no database", t.Context(), sdk.Config{ExecutorID: "a"}, "databaseURL"},
		{"no such database", t.Context(), config("mysql://x", "a"), "dbos: "},
		{"the context is over", over, config(sqlite(t), "a"), "enough"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := dbos.New(test.ctx, test.config, nil)
			assert.ErrorContains(t, err, test.want)
		})
	}
}

// The processes of a service start at the same time, on a database that nobody has used yet.
func TestRealCreatedTogether(t *testing.T) {
	url := postgreSQL(t)
	var all sync.WaitGroup
	var errs [4]error
	for i := range errs {
		all.Go(func() {
			e, err := dbos.New(t.Context(), config(url, ""), nil)
			if err == nil {
				err = e.Close()
			}
			errs[i] = err
		})
	}
	all.Wait()
	assert.NoError(t, errors.Join(errs[:]...))
}

func TestWorkTwice(t *testing.T) {
	url := sqlite(t)
	e := open(t, url, "a")
	first := works(t, e, waits)
	wake(t, e, "run")
	first.awaits("run", 1)
	require.ErrorContains(t, e.Work(t.Context(), waits), "already")
	first.stop()

	second := works(t, e, waits)
	wake(t, e, "run")
	second.awaits("run", 1)
}

// What DBOS has taken for a process whose Work ends, and nobody drove, others get.
func TestLeftWhileWorkEnds(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		began, let := make(chan struct{}), make(chan struct{})
		e := open(t, url, "")
		p := works(t, e, func(ctx context.Context, _ string) (runs.Next, error) {
			close(began)
			<-let
			return runs.Next{}, context.Cause(ctx)
		})
		wake(t, e, "slow")
		<-began
		p.cancel()
		other := open(t, url, "")
		c := tools(t, url)
		wake(t, other, "left")
		eventually(t, func() bool { return len(rows(t, c, sdk.WorkflowStatusPending)) == 2 }, "the process takes nothing any more")
		close(let)
		p.stop()
		assert.Zero(t, p.driven("left"))
		assert.Empty(t, rows(t, c, sdk.WorkflowStatusPending), "nobody but that process would get them")

		next := works(t, other, waits)
		next.awaits("left", 1)
		next.awaits("slow", 1)
	})
}

// A row that somebody cancels with tools of DBOS is not in the way of the next Wake.
func TestCancelledByTools(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		e, c := open(t, url, ""), tools(t, url)
		wake(t, e, "run")
		require.NoError(t, sdk.CancelWorkflows(c, rows(t, c)))
		assert.Len(t, rows(t, c, sdk.WorkflowStatusCancelled), 1)
		wake(t, e, "run")
		wake(t, e, "run")
		works(t, e, waits).awaits("run", 1)
	})
}

// Wakes while a drive begins and ends are not lost, whatever it does with the rows of the run.
func TestWokenWhileItBegins(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		e, other := open(t, url, ""), open(t, url, "")
		var mu sync.Mutex
		recorded, seen := 0, 0
		does := func(context.Context, string) (runs.Next, error) {
			mu.Lock()
			defer mu.Unlock()
			seen = recorded
			return runs.Next{At: time.Now().Add(time.Hour)}, nil
		}
		works(t, e, does)
		works(t, other, does)
		for i := range 100 {
			mu.Lock()
			recorded++
			want := recorded
			mu.Unlock()
			wake(t, []runs.Engine{e, other}[i%2], "run")
			if i%3 != 0 {
				continue // at once again
			}
			eventually(t, func() bool {
				mu.Lock()
				defer mu.Unlock()
				return seen >= want
			}, "the %dth Wake is lost", i)
		}
	})
}

// Two applications in one database have runs with the same id.
func TestTwoApplications(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		var engines []*dbos.Engine
		for _, name := range []string{"", "another"} {
			conf := config(url, "")
			conf.AppName = name
			e := opened(t, conf)
			wake(t, e, "run")
			engines = append(engines, e)
		}
		for _, e := range engines {
			p := works(t, e, waits)
			p.awaits("run", 1)
			p.stop()
			assert.Equal(t, 1, p.driven("run"))
		}
	})
}

// A drive that is over leaves no row, and no word in a log.
func TestNoRowsLeft(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		var log bytes.Buffer
		var mu sync.Mutex
		conf := config(url, "")
		conf.Logger = slog.New(slog.NewTextHandler(locked{&mu, &log}, &slog.HandlerOptions{Level: slog.LevelWarn}))
		e := opened(t, conf)
		const many, often = 20, 5
		again := map[string]int{}
		p := works(t, e, func(_ context.Context, run string) (runs.Next, error) {
			mu.Lock()
			defer mu.Unlock()
			if again[run]++; again[run] < often {
				return runs.Next{At: time.Now()}, nil
			}
			return runs.Next{Ended: true}, nil
		})
		began := time.Now()
		for i := range many {
			wake(t, e, strconv.Itoa(i))
		}
		for i := range many {
			p.awaits(strconv.Itoa(i), often)
		}
		took := time.Since(began)
		p.stop()
		left := rows(t, tools(t, url))
		assert.Empty(t, left)
		t.Logf("%d drives of %d runs took %v, and left %d rows", often*many, many, took.Round(time.Millisecond), len(left))
		mu.Lock()
		defer mu.Unlock()
		assert.NotContains(t, log.String(), "outcome")
	})
}

type locked struct {
	mu *sync.Mutex
	to *bytes.Buffer
}

func (l locked) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(text)
}

// A run that waits for an answer costs nothing, and one that waits for a time a row.
func TestWaitingCosts(t *testing.T) {
	onEach(t, func(t *testing.T, url string) {
		for _, test := range []struct {
			name string
			next runs.Next
			rows int
		}{
			{"for a week", runs.Next{At: time.Now().Add(7 * 24 * time.Hour)}, 1},
			{"for an answer", runs.Next{}, 0},
		} {
			many := 1000
			if testing.Short() {
				many = 100
			}
			e, c := open(t, url, ""), tools(t, url)
			p := works(t, e, func(context.Context, string) (runs.Next, error) { return test.next, nil })
			wake(t, e, "first")
			p.awaits("first", 1)
			eventually(t, func() bool { return len(rows(t, c, sdk.WorkflowStatusPending)) == 0 }, "the first drive does not end")
			goroutines, before, size := runtime.NumGoroutine(), len(rows(t, c)), bytesOf(t, url)
			began := time.Now()
			for i := range many {
				wake(t, e, test.name+strconv.Itoa(i))
			}
			woken := time.Since(began)
			for i := range many {
				p.awaits(test.name+strconv.Itoa(i), 1)
			}
			eventually(t, func() bool {
				return len(rows(t, c, sdk.WorkflowStatusPending)) == 0 && runtime.NumGoroutine() < goroutines+many/20
			}, "runs that wait %s have goroutines", test.name)
			left := len(rows(t, c)) - before
			assert.Equal(t, test.rows*many, left)
			t.Logf("%d runs that wait %s: %d rows, %d bytes and %d goroutines; a Wake takes %v, all drives %v", many, test.name, left,
				(bytesOf(t, url)-size)/int64(many), runtime.NumGoroutine()-goroutines, woken/time.Duration(many), time.Since(began).Round(time.Millisecond))
			p.stop()
		}
	})
}
