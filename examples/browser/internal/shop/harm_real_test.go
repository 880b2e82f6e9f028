//go:build linux

package shop_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/shop"
	"github.com/agentfsm/agentfsm/examples/browser/internal/sites"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// reaction is how long a run may take to show that a part of it is gone: by a command
// that failed, a page that is opened anew, or its end. That is what is required of
// it, so here, and only here, time is what is tested: as the deadline of the run.
const reaction = 10 * time.Second

var errLate = errors.New("the run has shown no reaction in time")

// harm is a run to which something is done.
type harm struct {
	t     *testing.T
	cfg   shop.Config
	more  time.Duration // that the reaction may take, where a deadline has to pass first
	any   bool          // step is a reaction: the next one has to do without what is gone
	world *shop.World
	stop  context.CancelCauseFunc

	mu    sync.Mutex
	once  sync.Once
	done  time.Time // when it was
	after time.Duration
	timer *time.Timer
	known []shop.Process // all that there were
	step  int
}

// when are the moments at which something can be done. Nil: never.
type when struct {
	step    func(n int, s round.Step) bool // behind a step: no command runs
	arrived func(e sites.Event) bool       // a request of a page has come: a command is under way
	asked   func(q people.Question) bool
	started <-chan struct{} // is closed
	closed  bool            // the request that arrived comes to nothing
}

// run starts a world, does what is to be done at that moment, once, and ends the world.
// It checks what must hold however the run ends.
func (h *harm) run(t *testing.T, at when, do func(h *harm)) (shop.Report, error) {
	h.t = t
	h.cfg.Out = short(t)
	act := func() { h.once.Do(func() { h.act(do) }) }
	if at.arrived != nil {
		h.cfg.Sites.Arrived = func(e sites.Event) {
			if !at.arrived(e) {
				return
			}
			act()
			if at.closed {
				panic(http.ErrAbortHandler)
			}
		}
	}
	h.cfg.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		if at.asked != nil && at.asked(q) {
			act()
		}
		return people.Answer{Approved: q.Command != nil}, nil
	})
	h.cfg.Observe = func(s round.Step) {
		h.observe(s)
		if h.step++; at.step != nil && at.step(h.step, s) {
			act()
		}
	}
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	h.stop = stop
	w, err := shop.Start(ctx, h.cfg)
	require.NoError(t, err)
	h.mu.Lock()
	h.world = w
	h.mu.Unlock()
	defer func() { assert.NoError(t, h.world.Close()) }() // where a check below ends the test
	if at.started != nil {
		var waits sync.WaitGroup
		defer waits.Wait()
		ended, end := context.WithCancel(ctx)
		defer end()
		waits.Go(func() {
			select {
			case <-at.started:
				act()
			case <-ended.Done():
			}
		})
	}
	report, err := h.world.Run(ctx)
	h.end()
	h.note(w)
	require.NotErrorIs(t, err, errLate)
	require.NoError(t, h.world.Close())
	h.check(report, err)
	return report, err
}

// act does what is to be done, and gives the run its time to react.
func (h *harm) act(do func(*harm)) {
	h.mu.Lock() // the world was made by another goroutine
	w := h.world
	h.mu.Unlock()
	h.note(w)
	do(h)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done = time.Now()
	h.timer = time.AfterFunc(reaction+h.more, func() { h.stop(errLate) })
}

// note remembers the processes that there are now.
func (h *harm) note(w *shop.World) {
	all := w.Processes()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.known = append(h.known, all...)
}

// observe looks for the reaction in a step.
func (h *harm) observe(s round.Step) {
	h.t.Logf("%v %s %s", s, names(s), s.Reason)
	shown := h.any || s.Err != nil || s.To == fsm.Fail || s.To == fsm.Error
	for _, c := range s.Commands {
		shown = shown || c.Err != "" || c.Result.Status == desktop.Failure || c.Command.ToolName == "navigate"
	}
	if shown {
		h.end()
	}
}

func names(s round.Step) (list []string) {
	for _, c := range s.Commands {
		if !c.Command.Looks {
			list = append(list, fmt.Sprintf("%s(%v)=%s%s", c.Command.ToolName, c.Command.Parameters["name"], c.Result.Error, c.Err))
		}
	}
	return list
}

// end notes that there was a reaction, or that the run ended, which is one.
func (h *harm) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.after != 0 || h.timer == nil || !h.timer.Stop() {
		return
	}
	h.after = time.Since(h.done)
}

// check is what must hold when everything has ended.
func (h *harm) check(report shop.Report, err error) {
	t := h.t
	h.mu.Lock()
	defer h.mu.Unlock()
	require.False(t, h.done.IsZero(), "nothing was done to the run: %v", err)
	t.Logf("%s after %d steps; the reaction came %.2f s after the deed: %v", report.Outcome, report.Steps, h.after.Seconds(), err)
	for _, p := range h.known {
		assert.False(t, shop.Alive(p), "%+v", p)
	}
	assert.Empty(t, running(h.world.Folder()))
	assert.NotErrorIs(t, err, shop.ErrUnapproved)
	assert.NotErrorIs(t, err, shop.ErrOtherOrder)
	// An order that came while everything ended is one, too.
	orders := h.world.Sites().Orders()
	require.LessOrEqual(t, len(orders), 1)
	if report.Outcome == round.Finished || len(orders) > 0 {
		require.NoError(t, h.world.Sites().Check(report.Approved))
	}
	if report.Outcome == round.Finished {
		require.NoError(t, err)
		assert.Len(t, report.Orders, 1)
		assert.FileExists(t, report.Summary)
		return
	}
	require.Error(t, err)
	assert.Empty(t, report.Answer)
}

// Deeds.

func signal(t *testing.T, p shop.Process, with syscall.Signal) {
	t.Helper()
	assert.NoError(t, syscall.Kill(p.PID, with))
}

// killBrowser kills all processes of the browser behind a server, and not the server.
func killBrowser(name string) func(*harm) {
	return func(h *harm) {
		all := h.world.Browser(name)
		assert.Greater(h.t, len(all), 2)
		for _, p := range all {
			_ = syscall.Kill(p.PID, syscall.SIGKILL) // the one before may have taken it along
		}
	}
}

// toServer sends a signal to the process of a server.
func toServer(name string, with syscall.Signal) func(*harm) {
	return func(h *harm) {
		p, ok := h.world.Server(name)
		if assert.True(h.t, ok) {
			signal(h.t, p, with)
		}
	}
}

// Moments.

// first is behind the first step.
func first(n int, _ round.Step) bool { return n == 1 }

// pressed is behind a step that clicked on something of that name, for the nth time.
func pressed(name string, times int) func(int, round.Step) bool {
	return func(_ int, s round.Step) bool {
		for _, c := range s.Commands {
			if c.Command.ToolName == desktop.ClickInput && c.Command.Parameters["name"] == name && c.Result.Status == desktop.Success {
				times--
			}
		}
		return times == 0
	}
}

// posted is the nth form of that kind.
func posted(site, path string, times int) func(sites.Event) bool {
	var mu sync.Mutex
	return func(e sites.Event) bool {
		mu.Lock()
		defer mu.Unlock()
		if e.Site == site && e.Method == http.MethodPost && e.Path == path {
			times--
			return times == 0
		}
		return false
	}
}

// used is behind a step that has used a tool.
func used(tool string) func(int, round.Step) bool {
	return func(_ int, s round.Step) bool {
		return slices.ContainsFunc(s.Commands, func(c round.Command) bool {
			return c.Command.ToolName == tool && c.Result.Status == desktop.Success
		})
	}
}
