package mcpserver_test

import (
	"context"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// A client that is gone is not waited for longer than CloseTimeout, whatever its call
// does.
func TestGoneFromAStubbornCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release, began := make(chan struct{}), make(chan struct{})
		stubborn := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
			close(began)
			<-release
			return &llm.Response{Text: done}, nil
		})
		s, err := mcpserver.New(mcpserver.Config{CloseTimeout: 5 * time.Second, Open: func(context.Context, *mcpserver.Call) (*round.Session, error) {
			return newOffice().thinking(stubborn, nil, nil)
		}})
		require.NoError(t, err)
		w := wired(t, s, `{}`)
		w.asks("1", `{"request":"x"}`, `{}`)
		<-began
		begun := time.Now()
		require.NoError(t, w.in.Close())
		require.ErrorIs(t, <-w.served, mcpserver.ErrRunning)
		assert.Equal(t, 5*time.Second, time.Since(begun))
		close(release)
	})
}

// However a client goes, its call is told that it is gone.
func TestGoneIsTheCause(t *testing.T) {
	for name, test := range map[string]struct {
		leave func(w *wire)
		want  string // of Serve
	}{
		"leaves": {func(w *wire) { _ = w.in.Close() }, ""},
		"half": { // it still speaks, and does not hear
			func(w *wire) {
				_ = w.out.Close()
				w.say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
			}, "",
		},
		"breaks":  {func(w *wire) { w.say(`{"jsonrpc":`); _ = w.in.Close() }, "mcpserver: the connection broke: "},
		"garbage": {func(w *wire) { w.say("hello?") }, "mcpserver: the connection broke: "},
		"giant": {func(w *wire) {
			go func() { _, _ = io.WriteString(w.in, `{"jsonrpc":"2.0","method":"`+strings.Repeat("x", 17<<20)) }()
		}, "mcpserver: the connection broke: "},
		"no call": {func(w *wire) { w.say(`{"id":7}`) }, "mcpserver: the connection broke: "},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice()
			w := wired(t, newServer(t, o.plays(waiting, done)), `{}`)
			w.asks("1", `{"request":"x"}`, `{}`)
			<-o.began
			test.leave(w)
			require.ErrorIs(t, <-o.causes, mcpserver.ErrGone)
			if err := <-w.served; test.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.want)
			}
		})
	}
}

// Close ends calls in each phase: while the session is opened, and while they wait.
func TestCloseInEachPhase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opening, causes := make(chan struct{}), make(chan error, 1)
		s := newServer(t, mcpserver.Config{Open: func(ctx context.Context, _ *mcpserver.Call) (*round.Session, error) {
			close(opening)
			<-ctx.Done()
			causes <- context.Cause(ctx)
			return nil, context.Cause(ctx)
		}})
		w := wired(t, s, `{}`)
		w.asks("1", `{"request":"x"}`, `{}`)
		<-opening
		w.asks("2", `{"request":"x"}`, `{"progressToken":2}`)
		w.until("method", "notifications/progress") // it waits
		require.NoError(t, s.Close(t.Context()))
		require.ErrorIs(t, <-causes, mcpserver.ErrClosed)
		require.ErrorIs(t, <-w.served, mcpserver.ErrClosed)
	})
}

// Turns are given back, whoever cancels when.
func TestTurnsAreNotLost(t *testing.T) {
	o := newOffice()
	config := o.plays(looking, delete1, done)
	config.MaxConcurrent, config.MaxWaiting = 2, 8
	s := newServer(t, config)
	url := listen(t, s.Handler())
	var wait sync.WaitGroup
	for range 4 {
		c := dial(t, over(url), fills("accept", map[string]any{"approve": true}))
		for range 4 {
			wait.Go(func() {
				for range 10 {
					ctx, cancel := context.WithTimeout(context.Background(), rand.N(8*time.Millisecond))
					_, _ = c.run(ctx, "x")
					cancel()
				}
			})
		}
	}
	wait.Wait()
	c := dial(t, over(url), fills("accept", map[string]any{"approve": true}))
	for range 4 {
		res := c.did(t, "x")
		assert.False(t, res.IsError, text(t, res))
	}
}

// Nothing is left of calls that are over.
func TestManyCalls(t *testing.T) {
	s := newServer(t, newOffice().plays(looking, done))
	c := dial(t, over(listen(t, s.Handler())), nil)
	c.did(t, "x")
	before := runtime.NumGoroutine()
	for range 300 {
		require.False(t, c.did(t, "x").IsError)
	}
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() < before+20 }, 2*time.Minute, 10*time.Millisecond)
}

// A call that runs is no silence.
func TestHTTPSessionOfALongCall(t *testing.T) {
	o := newOffice()
	config := o.plays(waiting, done)
	config.SessionTimeout = 20 * time.Millisecond
	c := dial(t, over(listen(t, newServer(t, config).Handler())), nil)
	ctx, cancel := context.WithCancel(t.Context())
	result := start(c, o, ctx)
	select {
	case err := <-o.causes:
		assert.NoError(t, err, "the call was ended")
	case <-time.After(10 * config.SessionTimeout):
	}
	cancel()
	<-result
}
