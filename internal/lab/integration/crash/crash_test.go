//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
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
	if status, played := playDriver(); played {
		os.Exit(status)
	}
	// The race detector lets each process wait a second before it ends.
	if err := os.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// The short form of what the program does: the same checks, fewer kills.
func TestKillsAtRecords(t *testing.T) {
	s := &settings{seed: 1, every: 16}
	if testing.Short() {
		s.every = 48
	}
	table, err := s.records(t.Context(), t.TempDir())
	require.NoError(t, err)
	assert.GreaterOrEqual(t, table.runs, 4)
	sum := 0
	for _, n := range table.kills {
		sum += n
	}
	assert.Positive(t, sum)
	var out strings.Builder
	require.NoError(t, table.print(&out))
	assert.Contains(t, out.String(), "acts executed twice: 0")
}

// One of two drivers is killed or stands still now and then.
func TestKillsOfAService(t *testing.T) {
	for _, kind := range []string{storeFiles, storeSQLite} {
		t.Run(kind, func(t *testing.T) {
			s := &settings{seed: 1, runs: 8, kills: 3}
			if testing.Short() {
				s.runs, s.kills = 4, 1
			}
			dir := t.TempDir()
			table, err := s.service(t.Context(), dir, kind, filepath.Join(dir, "journals"), nil)
			require.NoError(t, err)
			assert.Equal(t, s.runs, table.runs)
			assert.Equal(t, s.kills, table.struck)
			assert.Equal(t, s.kills, table.frozen)
			assert.Positive(t, table.answers)
		})
	}
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w, err := openWorld(t.Context(), 1)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, w.close()) })
	return w
}

// A library that forgot its intents would be found out.
func TestLostIntentsAreNoticed(t *testing.T) {
	s, w, dir := &settings{seed: 1}, newWorld(t), t.TempDir()
	calm, killed, err := s.one(t.Context(), w, dir, "calm-host", death{})
	require.NoError(t, err)
	assert.Zero(t, killed)
	third, results := 0, 0
	for i, kind := range calm.Kinds {
		if kind == "result" {
			if results++; results == 3 {
				third = i + 1
			}
		}
	}
	h, killed, err := s.one(t.Context(), w, dir, "forgetful-host", death{At: int64(third), Forget: true})
	if err == nil {
		assert.Equal(t, 1, killed)
		err = s.violated("files", h, checkRun(calm, h, 1))
		assert.Equal(t, 1, h.doubles())
	}
	require.ErrorContains(t, err, `executed 2 times: add_row{"n":"3"}`)
	require.ErrorContains(t, err, `seed 1, run forgetful`)
}

// A driver that fails by itself was not killed, and what it says is told.
func TestADriverThatFails(t *testing.T) {
	dir := t.TempDir()
	l, err := openLab(t.Context(), newWorld(t), dir, job{Store: storeFiles, Place: filepath.Join(dir, "journals")})
	require.NoError(t, err)
	l.job.Engine = "none"
	err = l.work(t.Context(), 1, []string{"run-host"}, nil, rand.New(rand.NewPCG(1, 1)))
	require.ErrorContains(t, err, `crash: a driver ended with exit status 1: crash: unknown engine "none"`)
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
	for _, args := range [][]string{{"-kills", "-1"}, {"-runs", "1"}, {"-every", "0"}} {
		require.ErrorContains(t, command(t.Context(), args, &bytes.Buffer{}), "-kills is at least 0")
	}
	require.ErrorContains(t, command(t.Context(), []string{"files"}, &bytes.Buffer{}), "what is files")
}
