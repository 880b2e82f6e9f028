package durable_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// till is an agent that pays what it is asked to, and says so.
func till(paid *[]string) *clerk {
	c := newClerk(nil)
	var task string
	c.begun = func(t fsm.Task) { task = t.Text }
	c.do = func(context.Context, *clerk) (fsm.Status, error) {
		*paid = append(*paid, task)
		return fsm.Finish, nil
	}
	c.answer = func() string { return "done: " + task }
	return c
}

// An answer is given to the request that it belongs to, and to no other one. Each stands for a way in
// which a request arrives that is not the one that was begun.
func TestContinueIsOfOneRequest(t *testing.T) {
	for name, c := range map[string]struct {
		calls []string // n:request; "": Continue in place of ContinueRound
		paid  []string
		last  string // the error of the last call
	}{
		"delivered twice":          {calls: []string{":pay Ann", ":pay Ann"}, paid: []string{"pay Ann"}},
		"another text":             {calls: []string{":pay Ann", ":pay Bob"}, paid: []string{"pay Ann"}, last: `round: the round is that of another request: round 1 was begun with another text`},
		"by its number":            {calls: []string{"1:pay Ann", "1:pay Ann", "2:pay Bob", "2:pay Bob"}, paid: []string{"pay Ann", "pay Bob"}},
		"the same text once more":  {calls: []string{"1:pay Ann", "2:pay Ann", "2:pay Ann"}, paid: []string{"pay Ann", "pay Ann"}},
		"one that has gone by":     {calls: []string{"1:pay Ann", "2:pay Bob", "1:pay Ann"}, paid: []string{"pay Ann", "pay Bob"}, last: `round: the round is that of another request: round 1, and round 2 has begun`},
		"one too far":              {calls: []string{"2:pay Bob"}, last: `round: the round is that of another request: round 2, and none has begun`},
		"round 0":                  {calls: []string{"0:pay Bob"}, last: `round: the round is that of another request: round 0, and none has begun`},
		"its text, another number": {calls: []string{"1:pay Ann", "2:pay Bob", "2:pay Ann"}, paid: []string{"pay Ann", "pay Bob"}, last: `round: the round is that of another request: round 2 was begun with another text`},
	} {
		t.Run(name, func(t *testing.T) {
			st := store.Memory()
			var paid []string
			for i, call := range c.calls {
				s, err := durable.Open(t.Context(), till(&paid), st, "run", nil) // another process each time
				require.NoError(t, err)
				number, request, _ := strings.Cut(call, ":")
				var res round.Result
				if number == "" {
					res, err = s.Continue(t.Context(), request)
				} else {
					n, convErr := strconv.Atoi(number)
					require.NoError(t, convErr)
					res, err = s.ContinueRound(t.Context(), n, request)
				}
				if i == len(c.calls)-1 && c.last != "" {
					require.ErrorIs(t, err, round.ErrOtherRequest)
					require.EqualError(t, err, c.last)
					assert.Zero(t, res)
					require.NoError(t, s.Close(t.Context()))
					break
				}
				require.NoError(t, err)
				state, err := durable.Look(t.Context(), st, "run")
				require.NoError(t, err)
				assert.Equal(t, request, state.Request)
			}
			assert.Equal(t, c.paid, paid)
		})
	}
}

// The next request does not give up a round that waits.
func TestARoundThatWaitsIsNotGivenUp(t *testing.T) {
	y := newTally(t)
	do := func(context.Context, *clerk) (fsm.Status, error) { return "", errAway }
	_, err := y.begin(do, nil).Run(t.Context(), "first")
	require.ErrorIs(t, err, round.ErrSuspended)
	s := y.resume(do, nil)
	assert.Equal(t, 1, s.Rounds())
	_, err = s.ContinueRound(t.Context(), 2, "second")
	require.EqualError(t, err, `round: the round is that of another request: round 2, and round 1 has not ended`)
	_, err = s.Continue(t.Context(), "second")
	require.ErrorIs(t, err, round.ErrOtherRequest)
	assert.Equal(t, round.Suspended, s.Round().Result().Outcome)
	_, err = s.Continue(t.Context(), "first")
	require.ErrorIs(t, err, round.ErrSuspended)
}
