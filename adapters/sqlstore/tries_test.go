package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/sqlstore"
)

// A run that fails is put off for longer each time, and is not marked done, whatever the failure is.
func TestFailures(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *place, s *sqlstore.Store) {
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var r reports
		var after []time.Duration
		last := time.Now()
		errBad := errors.New("bad")
		opts := sqlstore.WorkOptions{Worker: "w", Poll: 50 * time.Millisecond, MaxPause: 6 * time.Second, Report: r.add}
		err := s.Work(ctx, opts, func(_ context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
			after = append(after, time.Since(last).Round(200*time.Millisecond))
			last = time.Now()
			switch len(after) {
			case 1:
				return sqlstore.Done, errBad
			case 2:
				panic("boo")
			case 3:
				runtime.Goexit()
			case 4:
				return 0, nil
			case 5:
				return 7, nil
			case 6:
				return sqlstore.Release, nil
			case 7:
				assert.Equal(t, 1, l.Tries, "it has come on")
				return sqlstore.Done, errBad
			}
			stop()
			return sqlstore.Done, errBad // not its fault any more
		})
		require.ErrorIs(t, err, context.Canceled)
		sec := time.Second
		assert.Equal(t, []time.Duration{0, sec, 2 * sec, 4 * sec, 6 * sec, 6 * sec, 0, sec}, after)
		assert.Equal(t, []string{
			"run: bad",
			"run: sqlstore: panic: boo",
			"run: sqlstore: the func ended its goroutine",
			"run: sqlstore: neither Done nor Wait nor Release: 0",
			"run: sqlstore: neither Done nor Wait nor Release: 7",
			"run: bad",
		}, r.list)
		var panicked *sqlstore.PanicError
		require.ErrorAs(t, r.errs[1], &panicked)
		assert.Contains(t, string(panicked.Stack), "tries_test.go")
		require.ErrorIs(t, r.errs[3], sqlstore.ErrAfter)
		assert.Equal(t, []string{"run ready  0"}, queue(t, s), "released, since Work ended")
	})
}

// A run that fails each time is tried for some time, and then put aside with why.
func TestMaxTries(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *place, s *sqlstore.Store) {
		require.NoError(t, s.Enqueue(t.Context(), "bad", nil))
		require.NoError(t, s.Enqueue(t.Context(), "good", nil))
		for _, c := range []struct{ max, tries int }{{3, 3}, {0, sqlstore.DefaultMaxTries}, {-1, 30}} {
			ctx, stop := context.WithCancel(t.Context())
			var r reports
			report := func(run string, err error) {
				r.add(run, err)
				if errors.Is(err, sqlstore.ErrPutAside) {
					time.AfterFunc(time.Hour, stop) // for it to be claimed again, if it could be
				}
			}
			tries := 0
			begun := time.Now()
			var last time.Duration
			err := s.Work(ctx, sqlstore.WorkOptions{MaxTries: c.max, Poll: 10 * time.Second, Report: report}, func(_ context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
				if l.Run == "good" {
					return sqlstore.Done, nil
				}
				last = time.Since(begun)
				if tries++; tries == 30 {
					stop()
				}
				panic(fmt.Sprint("boo ", tries))
			})
			stop()
			require.Error(t, err)
			assert.Equal(t, c.tries, tries, c.max)
			if c.max < 0 {
				assert.Equal(t, "bad ready  0", queue(t, s)[0], "released, since Work ended")
				continue
			}
			require.Len(t, r.errs, c.tries)
			require.NotErrorIs(t, r.errs[c.tries-2], sqlstore.ErrPutAside)
			require.ErrorIs(t, r.errs[c.tries-1], sqlstore.ErrPutAside)
			var panicked *sqlstore.PanicError
			require.ErrorAs(t, r.errs[c.tries-1], &panicked)
			assert.Equal(t, fmt.Sprintf("bad: sqlstore: the run was put aside after %[1]d tries: sqlstore: panic: boo %[1]d", c.tries), r.list[c.tries-1])
			assert.Equal(t, []string{fmt.Sprintf("bad aside  %[1]d sqlstore: panic: boo %[1]d", c.tries), "good ended  1"}, queue(t, s))
			if c.max == 0 {
				assert.InDelta(t, 1, last.Hours(), 0.25, "as the constant says")
			}
			require.NoError(t, s.Wake(t.Context(), "bad"), "it is mended")
			assert.Contains(t, queue(t, s)[0], "bad ready  0 sqlstore: panic", "it can be seen that it failed before")
		}
	})
}

// A run that kills its workers is put aside by one that lives, which does not try it.
func TestTriesOfDeadWorkers(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.Enqueue(t.Context(), "bad", nil))
		for i := range 3 {
			assert.Equal(t, i+1, claim(t, s, "dead").Tries)
			runOut(t, p)
		}
		require.NoError(t, s.Enqueue(t.Context(), "good", nil))
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var r reports
		opts := sqlstore.WorkOptions{Worker: "w", MaxTries: 3, Poll: time.Millisecond, Report: r.add}
		err := s.Work(ctx, opts, func(_ context.Context, l *sqlstore.Lease) (sqlstore.After, error) {
			assert.Equal(t, "good", l.Run)
			stop()
			return sqlstore.Done, nil
		})
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, []string{"bad: sqlstore: the run was put aside after 3 tries: sqlstore: its last worker was not heard of again"}, r.list)
		assert.Equal(t, []string{"bad aside  4 sqlstore: its last worker was not heard of again", "good ended  1"}, queue(t, s))
	})
}

// Nobody claims a run that was put aside, until it is woken.
func TestPutAside(t *testing.T) {
	onEach(t, func(t *testing.T, p *place) {
		s := p.open(t, nil)
		require.NoError(t, s.Enqueue(t.Context(), "run", nil))
		l := claim(t, s, "w")
		require.NoError(t, l.PutAside(t.Context(), errors.New("no \x00desktop")))
		require.NoError(t, l.PutAside(t.Context(), errors.New("no desktop")), "once more, since the first answer was lost")
		runOut(t, p)
		nothing(t, s)
		assert.Equal(t, []string{"run aside  1 no desktop"}, queue(t, s))
		require.ErrorIs(t, l.Done(t.Context()), sqlstore.ErrLeaseLost)
		require.ErrorIs(t, s.Enqueue(t.Context(), "run", nil), sqlstore.ErrExists)

		require.NoError(t, s.Wake(t.Context(), "run"))
		require.ErrorIs(t, l.PutAside(t.Context(), nil), sqlstore.ErrLeaseLost)
		l = claim(t, s, "w")
		assert.Equal(t, 1, l.Tries)
		require.NoError(t, l.PutAside(t.Context(), nil))
		assert.Equal(t, []string{"run aside  1 it failed"}, queue(t, s))
		require.NoError(t, s.Delete(t.Context(), "run"))
		assert.Empty(t, queue(t, s))
	})
}
