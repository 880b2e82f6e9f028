package durable_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// away is a model whose provider is away for some calls.
type away struct {
	world *world
	fails int
	err   error
}

func (a *away) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if a.fails--; a.fails >= 0 {
		return nil, a.err
	}
	return &llm.Response{Text: map[bool]string{
		true:  `{"Status":"CONTINUE","Function":"add_row","Args":{"n":"1"}}`,
		false: `{"Status":"FINISH","Result":"added"}`,
	}[len(a.world.rows) == 0]}, nil
}

func (a *away) agent(t *testing.T) *appagent.Agent {
	t.Helper()
	agent, err := appagent.New(appagent.Config{
		Model: a, Desktop: a.world.desk, NoImages: true, Window: desktop.Window{ID: "1", Root: "excel", Process: "book"},
	})
	require.NoError(t, err)
	return agent
}

// An outage of the provider costs time, not the run, in this process and in others.
func TestAnOutageSuspends(t *testing.T) {
	a := &away{world: newWorld(t), fails: 2, err: &llm.CallError{Kind: llm.ErrUnavailable, Status: 503}}
	opts := &round.Options{SuspendOn: llm.Retryable}
	for try := 1; ; try++ {
		s, err := durable.Open(t.Context(), a.agent(t), a.world.store, "run", &durable.Options{Round: opts})
		require.NoError(t, err)
		res, err := s.Continue(t.Context(), "add a row")
		if err == nil {
			assert.Equal(t, "added", res.Answer)
			assert.Equal(t, 3, try)
			break
		}
		require.ErrorIs(t, err, round.ErrSuspended)
		require.ErrorIs(t, err, llm.ErrUnavailable)
		assert.Equal(t, round.Suspended, res.Outcome)
		assert.Empty(t, res.Waits)
		state, err := durable.Look(t.Context(), a.world.store, "run")
		require.NoError(t, err)
		assert.Equal(t, round.Suspended, state.Outcome)
		require.Less(t, try, 9)
	}
	assert.Equal(t, []string{"1"}, a.world.rows)
	_, err := durable.Replay(t.Context(), a.agent(t), a.world.store, "run", nil)
	require.NoError(t, err)

	// What has ended is done, however often a worker comes back to it.
	s, err := durable.Open(t.Context(), a.agent(t), a.world.store, "run", &durable.Options{Round: opts})
	require.NoError(t, err)
	res, err := s.Continue(t.Context(), "add a row")
	require.NoError(t, err)
	assert.Equal(t, "added", res.Answer)
	assert.Equal(t, []string{"1"}, a.world.rows)
}

func TestWhatIsNoOutage(t *testing.T) {
	refused := &llm.CallError{Kind: llm.ErrRejected, Status: 400}
	always := func(error) bool { return true }
	for name, c := range map[string]struct {
		on   func(error) bool
		err  error
		tool bool
	}{
		"nobody says so":            {nil, &llm.CallError{Kind: llm.ErrUnavailable}, false},
		"a refused request":         {llm.Retryable, refused, false},
		"a command that was sent":   {always, nil, true},
		"a func that panics":        {func(error) bool { panic("?") }, refused, false},
		"an error that is no error": {llm.Retryable, errBang, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := &away{world: newWorld(t), fails: 1, err: c.err}
			if c.tool {
				a.fails = 0
				a.world.desk.Break("add_row", errBang)
			}
			r, err := round.New(a.agent(t), "add a row", &round.Options{SuspendOn: c.on})
			require.NoError(t, err)
			res, err := r.Run(t.Context())
			require.ErrorIs(t, err, round.ErrFault)
			assert.Equal(t, round.Faulted, res.Outcome)
		})
	}
}

// hanging is a store that does not answer from some Append on.
type hanging struct {
	store.Store
	left int
}

func (h *hanging) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if h.left--; h.left >= 0 {
		return h.Store.Append(ctx, run, after, records...)
	}
	<-ctx.Done()
	return ctx.Err()
}

// A store that hangs holds a run up for a minute, and for ten seconds once it is
// cancelled.
func TestAStoreThatHangs(t *testing.T) {
	for name, c := range map[string]struct {
		cancelled time.Duration
		took      time.Duration
	}{
		"not cancelled":        {0, time.Minute},
		"cancelled before":     {-1, 10 * time.Second},
		"cancelled meanwhile":  {5 * time.Second, 15 * time.Second},
		"cancelled at the end": {55 * time.Second, 65 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				a := &away{world: newWorld(t)}
				st := &hanging{Store: store.Memory(), left: 2} // the round, the call, not the intent
				if c.cancelled > 0 {
					time.AfterFunc(c.cancelled, func() { cancel(errBang) })
				}
				a.world.desk.On("add_row", nil)
				begun := time.Now()
				s, err := durable.Open(t.Context(), a.agent(t), st, "run", &durable.Options{Round: &round.Options{Observe: func(round.Step) {}}})
				require.NoError(t, err)
				if c.cancelled < 0 {
					st.left = 0
					cancel(errBang)
				}
				res, err := s.Run(ctx, "add a row")
				require.ErrorIs(t, err, round.ErrLost)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				if c.cancelled != 0 {
					require.ErrorIs(t, err, errBang)
				}
				assert.Equal(t, round.Lost, res.Outcome)
				assert.Equal(t, c.took, time.Since(begun))
				assert.Empty(t, a.world.rows)
			})
		})
	}
}
