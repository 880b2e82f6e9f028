package durable_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// echoes is a model whose answers say what they answer. It counts the questions.
type echoes struct {
	mu    sync.Mutex
	asked map[string]int
	turns chan struct{} // set: each call waits for its turn
}

func (e *echoes) Complete(_ context.Context, req *llm.Request) (*llm.Response, error) {
	if e.turns != nil {
		<-e.turns
	}
	q := req.Messages[0].Parts[0].Text
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.asked == nil {
		e.asked = map[string]int{}
	}
	e.asked[q]++
	return &llm.Response{Text: "answer to " + q}, nil
}

// question asks a model and returns what it said.
func (e *echoes) question(ctx context.Context, q string) (string, error) {
	resp, err := llm.Complete(ctx, e, &llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{{Text: q}}}}})
	if err != nil {
		return "", err
	}
	return resp.Text, nil
}

// A step that was interrupted gives a call the reply to its own request or makes the call. The
// table stands for all the ways in which the calls of a step come in another order, or are others,
// than before.
func TestEachCallGetsItsOwnReply(t *testing.T) {
	for name, c := range map[string]struct {
		before, after []string // what the step asks, one after the other; the process dies before the last reply of before is recorded
		again         []string // what is asked once more, with a reply that was recorded
		diverges      bool
	}{
		"the same":                                {before: []string{"1", "2", "3"}, after: []string{"1", "2", "3"}},
		"that of the missing reply is first":      {before: []string{"1", "2", "3"}, after: []string{"3", "1", "2"}},
		"it is in the middle":                     {before: []string{"1", "2", "3"}, after: []string{"2", "3", "1"}},
		"all the other way round":                 {before: []string{"1", "2", "3"}, after: []string{"3", "2", "1"}},
		"one was recorded, and another one comes": {before: []string{"1", "2"}, after: []string{"2", "1"}},
		"another text after a release":            {before: []string{"1", "2"}, after: []string{"one", "two"}, diverges: true},
		"one of them has another text":            {before: []string{"1", "2", "3"}, after: []string{"one", "2", "3"}, diverges: true},
		"one more":                                {before: []string{"1", "2"}, after: []string{"0", "1", "2"}},
		"one less":                                {before: []string{"1", "2", "3"}, after: []string{"2"}, diverges: true},
	} {
		t.Run(name, func(t *testing.T) {
			y, model := newTally(t), &echoes{}
			step := func(questions []string) errand {
				return func(ctx context.Context, c *clerk) (fsm.Status, error) {
					for _, q := range questions {
						text, err := model.question(ctx, q)
						if err != nil {
							return "", err
						}
						c.Notes = append(c.Notes, q, text)
					}
					return fsm.Finish, nil
				}
			}
			y.dies(1+len(c.before), false, step(c.before))
			host := newClerk(step(c.after))
			s := y.resumeWith(host, nil)
			_, err := s.Round().Run(t.Context())
			require.NoError(t, err)
			require.Len(t, host.Notes, 2*len(c.after))
			for i := 0; i < len(host.Notes); i += 2 {
				assert.Equal(t, "answer to "+host.Notes[i], host.Notes[i+1])
			}
			for i, q := range c.before {
				want := 1
				if i == len(c.before)-1 {
					want = 2 // its reply was not recorded
				}
				if slices.Contains(c.after, q) || i < len(c.before)-1 {
					assert.Equal(t, want, model.asked[q], q)
				}
			}
			assert.Equal(t, c.diverges, diverged(t, y.store) != "", diverged(t, y.store))
			again := newClerk(step(c.after))
			_, err = durable.Replay(t.Context(), again, y.store, "run", nil)
			require.NoError(t, err)
			assert.Equal(t, host.Notes, again.Notes)
		})
	}
}

// The same, with calls that are made at once, in whatever order they are scheduled.
func TestCallsAtOnceGetTheirOwnReplies(t *testing.T) {
	questions := []string{"1", "2", "3"}
	for range 20 {
		y, model := newTally(t), &echoes{}
		do := func(ctx context.Context, c *clerk) (fsm.Status, error) {
			texts, errs := make([]string, len(questions)), make([]error, len(questions))
			var all sync.WaitGroup
			for i, q := range questions {
				all.Go(func() {
					defer func() {
						if v := recover(); v != nil {
							errs[i] = errKilled // a store of a dead process panics
						}
					}()
					texts[i], errs[i] = model.question(ctx, q)
				})
			}
			all.Wait()
			for i := range questions {
				if errs[i] != nil {
					return "", errs[i]
				}
				c.Notes = append(c.Notes, texts[i])
			}
			return fsm.Finish, nil
		}
		y.dies(4, false, do) // round, call, call
		host := newClerk(do)
		s := y.resumeWith(host, nil)
		_, err := s.Round().Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, []string{"answer to 1", "answer to 2", "answer to 3"}, host.Notes)
		assert.Empty(t, diverged(t, y.store))
		calls := 0
		for _, times := range model.asked {
			calls += times
		}
		assert.Equal(t, 4, calls, "the third is made again")
	}
}
