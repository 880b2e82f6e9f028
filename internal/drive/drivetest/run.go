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
	// Env tells another process where the storage is, in which Child opens it. Nil: no other process
	// can have it.
	Env []string
	// Expires says that who is stopped for five seconds loses the run without a take-over.
	Expires bool
}

// Run tests that a run is driven by one at a time: a few times in a short test, else 200 times
// each.
func Run(t *testing.T, b Backend) {
	t.Helper()
	tries := 200
	if testing.Short() {
		tries = 4
	}
	l := &lab{Backend: b, dir: t.TempDir()}
	l.each(t, "goroutines", tries, l.goroutines)
	if b.Env == nil {
		l.each(t, "taken over", tries, l.takenOver)
		return
	}
	l.each(t, "processes", tries, l.processes)
	l.each(t, "killed", tries, l.killed)
	l.each(t, "gone on with", tries, l.goneOnWith) // when all are dead: that may take seconds to be noticed
	l.each(t, "stopped", tries, l.stopped)
}

type lab struct {
	Backend
	dir  string
	dead []string // runs whose drivers were killed
}

func (l *lab) each(t *testing.T, name string, tries int, try func(*testing.T, string)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		for i := range tries {
			try(t, fmt.Sprintf("%s %d", name, i))
			if t.Failed() {
				t.Fatalf("at try %d", i)
			}
		}
	})
}

// expect compares what was done in a run with what an undisturbed one does. Of calls there may be more.
func (l *lab) expect(t *testing.T, run string, more int) {
	t.Helper()
	calls, acts, err := newWorld(l.dir, run).done()
	require.NoError(t, err)
	assert.GreaterOrEqual(t, calls, steps)
	assert.LessOrEqual(t, calls, steps+more)
	for n := range steps {
		assert.Equal(t, 1, acts[fmt.Sprint("act step ", n+1)], "%v", acts)
	}
}

// goroutines opens a run several times while it is driven.
func (l *lab) goroutines(t *testing.T, run string) {
	var others sync.WaitGroup
	var once sync.Once
	errs := make([]error, 2)
	w := newWorld(l.dir, run)
	w.gate = func(ctx context.Context, _ string) error { // they are through before the first call is
		once.Do(func() {
			for i := range errs {
				others.Go(func() { errs[i] = drive(ctx, opens, l.Store, newWorld(l.dir, run), run) })
			}
			others.Wait()
		})
		return nil
	}
	require.NoError(t, drive(t.Context(), opens, l.Store, w, run))
	for _, err := range errs {
		require.ErrorIs(t, err, store.ErrDriven)
		require.NotErrorIs(t, err, round.ErrLost)
	}
	l.expect(t, run, 0)

	// The same, with nobody who waits for anybody.
	run += " at once"
	free := newWorld(l.dir, run)
	for i := range errs {
		others.Go(func() { errs[i] = drive(t.Context(), opens, l.Store, free, run) })
	}
	others.Wait()
	finished := 0
	for _, err := range errs {
		if err == nil {
			finished++ // the second one came when the first was through, and got its result
		} else {
			require.ErrorIs(t, err, store.ErrDriven)
		}
	}
	assert.Positive(t, finished)
	l.expect(t, run, 0)
}

// takenOver takes a run over from a goroutine that hangs in its model.
func (l *lab) takenOver(t *testing.T, run string) {
	w := newWorld(l.dir, run)
	var once sync.Once
	w.gate = func(ctx context.Context, _ string) error {
		once.Do(func() { assert.NoError(t, drive(ctx, takesOver, l.Store, newWorld(l.dir, run), run)) })
		return nil
	}
	err := drive(t.Context(), opens, l.Store, w, run)
	require.ErrorIs(t, err, store.ErrConflict)
	l.expect(t, run, 1)
}

// process is another process.
type process struct {
	cmd *exec.Cmd
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
	return &process{cmd: cmd, in: in, out: bufio.NewScanner(out)}
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

func (p *process) signal(t *testing.T, sig syscall.Signal) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(sig))
}

// stop waits until the process is stopped: the signal is only on its way before.
func (p *process) stop(t *testing.T) {
	t.Helper()
	p.signal(t, syscall.SIGSTOP)
	var status syscall.WaitStatus
	_, err := syscall.Wait4(p.cmd.Process.Pid, &status, syscall.WUNTRACED, nil)
	require.NoError(t, err)
	require.True(t, status.Stopped())
}

func (p *process) close(t *testing.T) {
	t.Helper()
	require.NoError(t, p.in.Close())
	require.NoError(t, p.cmd.Wait())
}

// processes has one process open what the other one drives, both ways.
func (l *lab) processes(t *testing.T, run string) {
	p := l.start(t)
	defer p.close(t)
	w := newWorld(l.dir, run)
	w.gate = func(context.Context, string) error {
		p.tell(t, run)
		p.says(t, "end driven")
		return nil
	}
	require.NoError(t, drive(t.Context(), opens, l.Store, w, run))
	l.expect(t, run, 0)

	run += " the other way"
	p.tell(t, "gated "+run)
	for n := range steps {
		p.says(t, fmt.Sprint("calls step ", n+1))
		err := drive(t.Context(), opens, l.Store, newWorld(l.dir, run), run)
		require.ErrorIs(t, err, store.ErrDriven)
		p.tell(t, "go")
	}
	p.says(t, "end finished")
	l.expect(t, run, 0)
}

func wait(t *testing.T, d time.Duration) {
	t.Helper()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.Context().Done():
	}
}

// soon drives a run as soon as nobody else does, which is found out within five seconds.
func (l *lab) soon(t *testing.T, run string) {
	t.Helper()
	limit := time.Now().Add(2 * time.Minute) // of a busy machine
	for {
		err := drive(t.Context(), opens, l.Store, newWorld(l.dir, run), run)
		if err == nil {
			return
		}
		require.ErrorIs(t, err, store.ErrDriven)
		require.True(t, time.Now().Before(limit), "nobody found out that it died")
		wait(t, 10*time.Millisecond)
	}
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
	p.signal(t, syscall.SIGKILL)
	_ = p.cmd.Wait() // it was killed
	l.dead = append(l.dead, run)
}

// goneOnWith drives a run whose driver was killed.
func (l *lab) goneOnWith(t *testing.T, _ string) {
	run := l.dead[0]
	l.dead = l.dead[1:]
	l.soon(t, run)
	l.expect(t, run, 1)
}

// stopped stops the driver within a call. Nobody gets the run but by a take-over, and the one that
// comes to itself again does nothing.
func (l *lab) stopped(t *testing.T, run string) {
	p := l.start(t)
	p.tell(t, "gated "+run)
	p.says(t, "calls step 1")
	p.stop(t)
	if !l.Expires {
		require.ErrorIs(t, drive(t.Context(), opens, l.Store, newWorld(l.dir, run), run), store.ErrDriven)
	}
	require.NoError(t, drive(t.Context(), takesOver, l.Store, newWorld(l.dir, run), run))
	l.expect(t, run, 1)
	p.signal(t, syscall.SIGCONT)
	p.tell(t, "go")
	p.says(t, "end conflict")
	p.close(t)
	l.expect(t, run, 1)
}
