package durable_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/trace"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Calls that were made at once come back in whatever order. Each gets its own reply
// again, though it is asked for in another order.
func TestConcurrentCallsGetTheirOwnReplies(t *testing.T) {
	y, calls := newTally(t), 0
	got := map[string]string{}
	var mu sync.Mutex
	resumed := false
	summaries := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		begun, done := make(chan struct{}), make(chan struct{})
		model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
			calls++ // one after another, as it is made here
			text := req.Messages[0].Parts[0].Text
			if text == "doc 1" {
				close(begun)
				<-done
			}
			return &llm.Response{Text: "summary of " + text}, nil
		})
		ask := func(text string) {
			resp, err := llm.Complete(ctx, model, &llm.Request{Messages: []llm.Message{llm.Text(llm.User, text)}})
			if err == nil {
				mu.Lock()
				got[text] = resp.Text
				mu.Unlock()
			}
		}
		if resumed {
			ask("doc 1")
			ask("doc 2")
		} else {
			var first sync.WaitGroup
			first.Go(func() { ask("doc 1") })
			<-begun
			ask("doc 2")
			close(done)
			first.Wait()
		}
		_, err := y.act(ctx, "file")
		return fsm.Finish, err
	}
	want := map[string]string{"doc 1": "summary of doc 1", "doc 2": "summary of doc 2"}
	y.dies(4, true, summaries) // round, two calls, and the intent
	require.Equal(t, want, got)
	resumed, got = true, map[string]string{}
	_, err := y.resume(summaries, nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.Equal(t, 2, calls)
}

// Commands of several goroutines come in another order when the step is handled again:
// none is executed twice, and none is missed.
func TestConcurrentCommandsInAnotherOrder(t *testing.T) {
	y := newTally(t)
	order := []string{"a", "b"}
	var failed []string
	both := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		for _, tool := range order {
			res, err := y.act(ctx, tool)
			if err != nil {
				return "", err
			}
			if res.Status == desktop.Failure {
				failed = append(failed, res.Error)
			}
		}
		return fsm.Finish, y.ask(ctx)
	}
	y.dies(6, true, both) // round, two intents, two results, and the call
	order = []string{"b", "a"}
	s := y.resume(both, nil)
	_, err := s.Round().Run(t.Context())
	require.NoError(t, err)
	assert.Empty(t, failed)
	assert.Empty(t, diverged(t, y.store))
	assert.Equal(t, map[string]int{"a": 1, "b": 1}, y.done)
	_, err = y.replay(both)
	require.NoError(t, err)
}

// Everything at once, mostly for the race detector. Whatever is given back and whatever
// is dropped, no command is executed twice.
func TestConcurrentEverything(t *testing.T) {
	for _, crash := range []int{3, 7, 12, 20, 33} {
		t.Run(fmt.Sprint(crash), func(t *testing.T) {
			y := newTally(t)
			user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
				return people.Answer{Approved: true}, nil
			})
			do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
				var all sync.WaitGroup
				for i := range 5 {
					all.Go(func() {
						defer func() { _ = recover() }() // of a process that dies
						_ = y.ask(ctx)
						_, _ = y.act(ctx, fmt.Sprint("tool ", c.N, i))
						_, _ = desktop.Open(ctx, y, nil)
						_, _ = people.Ask(ctx, user, people.Question{ID: fmt.Sprint(i), Text: "?"}, 0)
						_ = trace.Uncertain(ctx)
					})
				}
				all.Wait()
				if c.N++; c.N < 3 {
					return fsm.Continue, nil
				}
				return fsm.Finish, nil
			}
			y.dies(crash, true, do)
			s := y.resume(do, nil)
			res, err := s.Round().Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, 3, res.Transitions)
			for tool, times := range y.done {
				assert.Equal(t, 1, times, tool)
			}
			_, err = durable.Replay(t.Context(), newClerk(do), y.store, "run", nil)
			var panicked *round.PanicError
			require.NotErrorAs(t, err, &panicked)
		})
	}
}
