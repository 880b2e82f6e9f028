//go:build unix

package drivetest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/round"
)

// Backend is a store to test.
type Backend struct {
	Store store.Store
	// Env tells a child, which opens it again, where the storage is. Nil: no other process can open it.
	Env []string
	// Expires says that a holder that is stopped for five seconds loses its run.
	Expires bool
}

// Run tests that one session at a time drives a run: 200 times each, with -short four times.
func Run(t *testing.T, b Backend) {
	t.Helper()
	tries := 200
	if testing.Short() {
		tries = 4
	}
	l := &lab{Backend: b, dir: t.TempDir()}
	each := func(name string, try func(t *testing.T, run string)) {
		t.Run(name, func(t *testing.T) {
			for i := range tries {
				try(t, fmt.Sprintf("%s %d", name, i))
				require.False(t, t.Failed(), "try %d", i)
			}
		})
	}
	each("goroutines", l.goroutines)
	if b.Env == nil {
		each("taken over", l.takenOver)
		return
	}
	each("processes", l.processes)
	each("killed", l.killed)
	// A store may need five seconds to notice that a holder died: it does so for all of them at once.
	t.Run("gone on with", func(t *testing.T) {
		for i := range tries {
			l.goOn(t, fmt.Sprintf("killed %d", i))
		}
	})
	each("stopped", l.stopped)
}

type lab struct {
	Backend
	dir string
}

// drive drives a run in this process.
func (l *lab) drive(ctx context.Context, run string, takeOver bool, gate func(ctx context.Context, text string) error) error {
	w := newWorker(l.dir, run)
	w.gate = gate
	return w.drive(ctx, l.Store, run, takeOver)
}

// expect checks that each command was executed once, and counts the model calls: there may be some more.
func (l *lab) expect(t *testing.T, run string, more int) {
	t.Helper()
	log, err := os.ReadFile(newWorker(l.dir, run).log)
	require.NoError(t, err)
	calls := strings.Count(string(log), "call ")
	assert.GreaterOrEqual(t, calls, steps)
	assert.LessOrEqual(t, calls, steps+more)
	for n := range steps {
		assert.Equal(t, 1, strings.Count(string(log), fmt.Sprintf("act step %d\n", n+1)), "%s", log)
	}
}

// goroutines opens a run several times while it is driven, then several times at once.
func (l *lab) goroutines(t *testing.T, run string) {
	errs := make([]error, 2)
	others := func(ctx context.Context, run string) {
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = l.drive(ctx, run, false, nil) })
		}
		all.Wait()
	}
	var once sync.Once
	require.NoError(t, l.drive(t.Context(), run, false, func(ctx context.Context, _ string) error {
		once.Do(func() { others(ctx, run) })
		return nil
	}))
	for _, err := range errs {
		require.ErrorIs(t, err, store.ErrDriven)
		require.NotErrorIs(t, err, round.ErrLost)
	}
	l.expect(t, run, 0)

	run += " at once"
	others(t.Context(), run)
	finished := 0
	for _, err := range errs {
		if err == nil {
			finished++ // if the other one has finished before, this one gets its result
		} else {
			require.ErrorIs(t, err, store.ErrDriven)
		}
	}
	assert.Positive(t, finished)
	l.expect(t, run, 0)
}

// takenOver takes a run over from a goroutine that hangs in its model.
func (l *lab) takenOver(t *testing.T, run string) {
	var once sync.Once
	err := l.drive(t.Context(), run, false, func(ctx context.Context, _ string) error {
		once.Do(func() { assert.NoError(t, l.drive(ctx, run, true, nil)) })
		return nil
	})
	require.ErrorIs(t, err, store.ErrConflict)
	l.expect(t, run, 1)
}

// process is a child.
type process struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func (l *lab) start(t *testing.T) *process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(append(os.Environ(), l.Env...), env+"="+l.dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return &process{cmd, in, bufio.NewScanner(out)}
}

func (p *process) tell(t *testing.T, line string) {
	t.Helper()
	_, err := fmt.Fprintln(p.in, line)
	require.NoError(t, err)
}

// says waits for its next line.
func (p *process) says(t *testing.T, want string) {
	t.Helper()
	require.True(t, p.out.Scan(), "it said nothing more: %v", p.out.Err())
	require.Equal(t, want, p.out.Text())
}

func (p *process) close(t *testing.T) {
	t.Helper()
	require.NoError(t, p.in.Close())
	require.NoError(t, p.Wait())
}

// processes opens a run in another process while this one drives it. "stopped" does the opposite.
func (l *lab) processes(t *testing.T, run string) {
	p := l.start(t)
	defer p.close(t)
	require.NoError(t, l.drive(t.Context(), run, false, func(context.Context, string) error {
		p.tell(t, run)
		p.says(t, "end driven")
		return nil
	}))
	l.expect(t, run, 0)
}

// killed kills the driver within a call.
func (l *lab) killed(t *testing.T, run string) {
	p := l.start(t)
	p.tell(t, "gated "+run)
	for n := range rand.IntN(steps) {
		p.says(t, fmt.Sprint("calls step ", n+1))
		p.tell(t, "go")
	}
	require.True(t, p.out.Scan())
	require.NoError(t, p.Process.Kill())
	_ = p.Wait() // it was killed
}

// goOn drives a run whose driver was killed, as soon as the store has noticed that.
func (l *lab) goOn(t *testing.T, run string) {
	limit := time.Now().Add(2 * time.Minute) // of a busy machine
	err := l.drive(t.Context(), run, false, nil)
	for ; err != nil; err = l.drive(t.Context(), run, false, nil) {
		require.ErrorIs(t, err, store.ErrDriven)
		require.True(t, time.Now().Before(limit), "the store does not notice that the holder died")
		<-time.After(10 * time.Millisecond)
	}
	l.expect(t, run, 1)
}

// stopped stops the driver within a call. Only a take-over gets its run. When it goes on, it does nothing more.
func (l *lab) stopped(t *testing.T, run string) {
	p := l.start(t)
	p.tell(t, "gated "+run)
	p.says(t, "calls step 1")
	require.NoError(t, p.Process.Signal(syscall.SIGSTOP))
	var status syscall.WaitStatus
	_, err := syscall.Wait4(p.Process.Pid, &status, syscall.WUNTRACED, nil) // until the signal has arrived
	require.NoError(t, err)
	require.True(t, status.Stopped())
	if !l.Expires {
		require.ErrorIs(t, l.drive(t.Context(), run, false, nil), store.ErrDriven)
	}
	require.NoError(t, l.drive(t.Context(), run, true, nil))
	l.expect(t, run, 1)
	require.NoError(t, p.Process.Signal(syscall.SIGCONT))
	p.tell(t, "go")
	p.says(t, "end conflict")
	p.close(t)
	l.expect(t, run, 1)
}
