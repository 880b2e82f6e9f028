//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The processes of the tests are the test binary again.
func TestMain(m *testing.M) {
	if status, played := playRole(); played {
		os.Exit(status)
	}
	// The race detector lets each process wait a second before it ends.
	if err := os.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func newLab(t *testing.T, part servicePart) *lab {
	t.Helper()
	l, err := openLab(context.WithoutCancel(t.Context()), t.TempDir(), part) // until it is closed
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, l.close()) })
	return l
}

// The short form of what the program does: the same checks, fewer kills; with -short so
// few that they need not fall into every window.
func TestKillsWithFiles(t *testing.T) {
	s, every, least := &settings{seed: 1, kills: 12}, 10, 12
	if testing.Short() {
		s.kills, every, least = 4, 30, 4
	}
	t.Run("record boundaries", func(t *testing.T) {
		t.Parallel()
		table, err := s.boundaries(t.Context(), newLab(t, servicePart{}), every)
		require.NoError(t, err)
		assert.GreaterOrEqual(t, table.runs, least)
	})
	t.Run("random moments", func(t *testing.T) {
		t.Parallel()
		table, err := s.moments(t.Context(), newLab(t, servicePart{Before: 15 * time.Millisecond, After: 8 * time.Millisecond}))
		require.NoError(t, err)
		var out strings.Builder
		require.NoError(t, table.print(&out))
		assert.Contains(t, out.String(), "acts executed twice: 0")
		all := 0
		for w, n := range table.kills {
			all += n
			if !testing.Short() {
				assert.Positive(t, n, "%v", window(w))
			}
		}
		assert.GreaterOrEqual(t, all, s.kills)
	})
}

// Two processes of a service, one of which is killed or stands still now and then.
func TestKillsOfAService(t *testing.T) {
	for kind, place := range map[string]string{storeFiles: "service", storeSQLite: "journals.db"} {
		t.Run(kind, func(t *testing.T) {
			s := &settings{seed: 1, runs: 8, strikes: 3}
			if testing.Short() {
				s.runs, s.strikes = 4, 1
			}
			l := newLab(t, brief)
			table, err := s.serve(t.Context(), l, kind, l.path(place), nil)
			require.NoError(t, err)
			assert.Equal(t, s.runs, table.runs)
			assert.Equal(t, s.strikes, table.struck)
			assert.Equal(t, s.strikes, table.frozen)
			assert.Positive(t, table.answers)
		})
	}
}

// A library that forgot its intents would be found out.
func TestLostIntentsAreNoticed(t *testing.T) {
	l := newLab(t, servicePart{})
	s := &settings{seed: 1}
	calm, err := s.calm(t.Context(), l, "files")
	require.NoError(t, err)
	l.forget = true
	h, err := l.drive(t.Context(), "forgetful", func(h *history) order {
		if len(h.Kills) > 0 {
			return order{}
		}
		return order{DieAt: 3, Kind: "result"}
	})
	if err == nil {
		err = s.violated("files", h, checkHistory(calm, h))
	}
	require.ErrorContains(t, err, `executed 2 times: add_row{"n":"3"}`)
	require.ErrorContains(t, err, `seed 1, run forgetful`)
	assert.Equal(t, 1, h.doubles())
}

// A worker that fails by itself was not killed, and what it says is told.
func TestAWorkerThatFails(t *testing.T) {
	l := newLab(t, servicePart{})
	require.NoError(t, l.store.Append(t.Context(), "broken", 0, []byte("no record")))
	_, err := l.drive(t.Context(), "broken", func(*history) order { return order{} })
	require.ErrorContains(t, err, "crash: a process ended with exit status 1: durable: open \"broken\"")
}

// Nothing is left when it is interrupted, and that is no success.
func TestInterrupted(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancelCause(t.Context())
	out := &waiting{wanted: "seed 5", then: func() { cancel(errors.New("enough")) }}
	err := command(ctx, []string{"-seed", "5", "-store", "files"}, out)
	require.EqualError(t, err, "crash: interrupted")
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// waiting calls a func soon after something was printed.
type waiting struct {
	bytes.Buffer
	wanted string
	then   func()
}

func (w *waiting) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(w.wanted)) {
		time.AfterFunc(time.Second, w.then)
	}
	return w.Buffer.Write(p)
}

func TestFlags(t *testing.T) {
	require.ErrorContains(t, command(t.Context(), []string{"-store", "tape"}, &bytes.Buffer{}), `unknown store "tape"`)
	for _, args := range [][]string{{"-kills", "0"}, {"-runs", "1"}, {"-every", "0"}} {
		require.ErrorContains(t, command(t.Context(), args, &bytes.Buffer{}), "are at least 1")
	}
	require.ErrorContains(t, command(t.Context(), []string{"files"}, &bytes.Buffer{}), "what is files")
}
