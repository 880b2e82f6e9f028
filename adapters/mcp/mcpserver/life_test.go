package mcpserver_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp/mcpserver"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// start runs a task that waits, and returns what the call came to.
func start(c *client, o *office, ctx context.Context) chan *sdk.CallToolResult { //nolint:revive // the client comes first, as in its methods
	out := make(chan *sdk.CallToolResult, 1)
	go func() {
		res, _ := c.run(ctx, "wait")
		out <- res
	}()
	<-o.began
	return out
}

// The bubble ends only when every goroutine has: none is left by any of these.
func TestEndsOfACall(t *testing.T) {
	type scene struct {
		o      *office
		s      *mcpserver.Server
		c      *client
		served chan error
		cancel context.CancelFunc // of the client's call
		stop   context.CancelFunc // of Serve
	}
	for name, test := range map[string]struct {
		act    func(t *testing.T, x *scene)
		served error
	}{
		"cancelled": {func(t *testing.T, x *scene) {
			x.cancel()
			require.ErrorIs(t, <-x.o.causes, context.Canceled)
			assert.NoError(t, x.c.Ping(t.Context(), nil), "the session goes on")
			require.NoError(t, x.c.Close())
		}, nil},
		"client gone": {func(t *testing.T, x *scene) {
			go func() { _ = x.c.Close() }() // it waits for its own call
			x.cancel()
			require.Error(t, <-x.o.causes)
		}, nil},
		"server closed": {func(t *testing.T, x *scene) {
			require.NoError(t, x.s.Close(t.Context()))
			require.ErrorIs(t, <-x.o.causes, mcpserver.ErrClosed)
			require.NoError(t, x.s.Close(t.Context()))
		}, mcpserver.ErrClosed},
		"context": {func(t *testing.T, x *scene) {
			x.stop()
			require.ErrorIs(t, <-x.o.causes, errTest)
		}, errTest},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x := &scene{o: newOffice(), served: make(chan error, 1)}
				x.s = newServer(t, x.o.plays(waiting, done))
				ctx, stop := context.WithCancelCause(context.Background())
				x.stop = func() { stop(errTest) }
				ours, theirs := sdk.NewInMemoryTransports()
				go func() { x.served <- x.s.Serve(ctx, theirs) }()
				x.c = dial(t, ours, nil)
				var calling context.Context
				calling, x.cancel = context.WithCancel(t.Context())
				result := start(x.c, x.o, calling)
				test.act(t, x)
				err := <-x.served
				if test.served == nil {
					require.NoError(t, err)
				} else {
					require.ErrorIs(t, err, test.served)
				}
				if res := <-result; res != nil {
					assert.True(t, res.IsError)
				}
				x.cancel()
				x.stop()
			})
		})
	}
}

// A form that is open is no reason to go on.
func TestEndsWhileAsked(t *testing.T) {
	for name, leave := range map[string]func(c *client, s *mcpserver.Server, cancel func()){
		"cancelled": func(_ *client, _ *mcpserver.Server, cancel func()) { cancel() },
		"gone":      func(c *client, _ *mcpserver.Server, cancel func()) { cancel(); _ = c.Close() },
		"closed":    func(_ *client, s *mcpserver.Server, _ func()) { _ = s.Close(context.Background()) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked, taken := make(chan struct{}), make(chan struct{})
				o := newOffice()
				s := newServer(t, o.plays(delete1, done))
				c, served := memory(t, s, func(ctx context.Context, _ *sdk.ElicitParams) (*sdk.ElicitResult, error) {
					close(asked)
					<-ctx.Done()
					close(taken)
					return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}, nil
				})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				begun := time.Now()
				go func() { _, _ = c.run(ctx, "delete it") }()
				<-asked
				leave(c, s, cancel)
				<-taken
				if name == "cancelled" {
					synctest.Wait()
					require.NoError(t, c.Close())
				}
				<-served
				assert.Zero(t, time.Since(begun), "nobody waits for the time to answer")
				assert.Empty(t, o.gone())
			})
		})
	}
}

func TestClosed(t *testing.T) {
	s := newServer(t, newOffice().plays(done))
	require.NoError(t, s.Close(t.Context()))
	_, theirs := sdk.NewInMemoryTransports()
	require.ErrorIs(t, s.Serve(t.Context(), theirs), mcpserver.ErrClosed)
}

// A call that does not care is left alone, after a time.
func TestStubbornCall(t *testing.T) {
	for name, end := range map[string]func(*mcpserver.Server, context.CancelFunc, chan error) error{
		"close": func(s *mcpserver.Server, _ context.CancelFunc, served chan error) error {
			err := s.Close(context.Background())
			<-served
			return err
		},
		"short": func(s *mcpserver.Server, _ context.CancelFunc, served chan error) error {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			err := s.Close(ctx)
			<-served
			return err
		},
		"serve": func(_ *mcpserver.Server, stop context.CancelFunc, served chan error) error {
			stop()
			return <-served
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o, release, began := newOffice(), make(chan struct{}), make(chan struct{})
				stubborn := llm.ModelFunc(func(context.Context, *llm.Request) (*llm.Response, error) {
					close(began)
					<-release
					return &llm.Response{Text: done}, nil
				})
				s, err := mcpserver.New(mcpserver.Config{CloseTimeout: 5 * time.Second, Open: func(context.Context, *mcpserver.Call) (*round.Session, error) {
					return o.thinking(stubborn, nil, nil)
				}})
				require.NoError(t, err)
				ctx, stop := context.WithCancel(context.Background())
				defer stop()
				ours, theirs := sdk.NewInMemoryTransports()
				served := make(chan error, 1)
				go func() { served <- s.Serve(ctx, theirs) }()
				c := dial(t, ours, nil)
				go func() { _, _ = c.run(context.Background(), "x") }()
				<-began
				begun := time.Now()
				require.ErrorIs(t, end(s, stop, served), mcpserver.ErrRunning)
				assert.LessOrEqual(t, time.Since(begun), 5*time.Second)
				close(release)
			})
		})
	}
}
