package durable_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

func (o *office) look(run string) durable.State {
	o.t.Helper()
	state, err := durable.Look(o.t.Context(), o.store, run)
	require.NoError(o.t, err)
	return state
}

func (o *office) answer(run, id string, a people.Answer) (bool, error) {
	return durable.Answer(o.t.Context(), o.store, run, id, a)
}

// Questions and an approval wait without a process, and are answered by their ids.
func TestAnswer(t *testing.T) {
	o := newOffice(t)
	res, err := o.begin()
	require.ErrorIs(t, err, round.ErrSuspended)
	require.Len(t, res.Waits, 2)
	state := o.look("run")
	assert.Equal(t, round.Suspended, state.Outcome)
	assert.Equal(t, "PENDING", string(state.Status))
	assert.Equal(t, "send the letter", state.Request)
	assert.Equal(t, res.Waits, state.Waits)
	whom, when := state.Waits[0], state.Waits[1]
	assert.Equal(t, "To whom?", whom.Text)

	assert.False(t, state.Ready())
	assert.Equal(t, "waiting for 2 answers, first to: To whom?", state.Reason)
	given, err := o.answer("run", when.ID, people.Answer{Text: "now"}) // in whatever order
	require.NoError(t, err)
	assert.True(t, given)
	assert.Equal(t, "questions without an answer: 1", o.look("run").Reason)
	for range 3 { // too early
		res, err = o.goOn("run")
		require.ErrorIs(t, err, round.ErrSuspended)
		require.Equal(t, []people.Question{whom}, res.Waits)
		assert.Equal(t, []people.Question{whom}, o.look("run").Waits)
		given, err = o.answer("run", when.ID, people.Answer{Text: "later"})
		require.NoError(t, err)
		assert.False(t, given)
	}
	assert.Equal(t, 1, o.calls)

	given, err = o.answer("run", whom.ID, people.Answer{Text: "Ann"})
	require.NoError(t, err)
	assert.True(t, given)
	assert.Empty(t, o.look("run").Waits)
	assert.True(t, o.look("run").Ready())
	assert.Equal(t, "answered: somebody can go on with it", o.look("run").Reason)
	res, err = o.goOn("run")
	require.ErrorIs(t, err, round.ErrSuspended, "now it wants to send")
	require.Len(t, res.Waits, 1)
	assert.Equal(t, "***", res.Waits[0].Command.Parameters["pin"])
	state = o.look("run")
	require.Len(t, state.Waits, 1)
	approval := state.Waits[0]
	assert.Equal(t, res.Waits[0].ID, approval.ID)
	assert.Equal(t, "send", approval.Command.ToolName)
	assert.Equal(t, "31415926", approval.Command.Parameters["pin"])
	assert.Equal(t, "***", approval.Shown.Parameters["pin"])
	assert.NotEmpty(t, approval.Reason)
	assert.Empty(t, o.sent)

	given, err = o.answer("run", approval.ID, people.Answer{Approved: true})
	require.NoError(t, err)
	assert.True(t, given)
	res, err = o.goOn("run")
	require.NoError(t, err)
	assert.Equal(t, "it is sent", res.Answer)
	assert.Equal(t, []string{"Ann"}, o.sent)
	state = o.look("run")
	assert.Equal(t, round.Finished, state.Outcome)
	assert.False(t, state.Ready())
	assert.Equal(t, "it is sent", state.Answer)
	assert.Equal(t, res.Steps, state.Steps)
	assert.Equal(t, res.Usage, state.Usage)
	assert.Equal(t, res.Calls, state.Calls)

	for _, q := range []people.Question{whom, when, approval} { // harmless, at any later time
		given, err = o.answer("run", q.ID, people.Answer{Text: "Bob"})
		require.NoError(t, err)
		assert.False(t, given)
	}
	_, err = durable.Replay(t.Context(), o.agent(), o.store, "run", nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"Ann"}, o.sent)
}

func TestAnswerErrors(t *testing.T) {
	o := newOffice(t)
	_, err := o.answer("run", "x", people.Answer{})
	require.ErrorIs(t, err, durable.ErrNoRun)
	_, err = o.answer("", "x", people.Answer{})
	require.ErrorIs(t, err, store.ErrRun)

	_, err = o.begin()
	require.ErrorIs(t, err, round.ErrSuspended)
	_, err = o.answer("run", "x", people.Answer{})
	require.ErrorIs(t, err, durable.ErrUnknownQuestion)
	assert.Equal(t, `durable: the run has no such question: run "run", question "x"`, err.Error())

	ctx, cancel := context.WithCancelCause(t.Context())
	errGone := errors.New("gone")
	cancel(errGone)
	_, err = durable.Answer(ctx, o.store, "run", o.look("run").Waits[0].ID, people.Answer{})
	require.ErrorIs(t, err, errGone)
}

// Of many who answer at once one counts, and all learn who.
func TestTheFirstAnswerCounts(t *testing.T) {
	o := newOffice(t)
	_, err := o.begin()
	require.ErrorIs(t, err, round.ErrSuspended)
	state := o.look("run")
	var group sync.WaitGroup
	var mu sync.Mutex
	counted := map[string][]string{}
	for i := range 20 {
		q := state.Waits[i%2]
		group.Go(func() {
			text := fmt.Sprint("person ", i)
			given, err := durable.Answer(context.Background(), o.store, "run", q.ID, people.Answer{Text: text})
			assert.NoError(t, err)
			if given {
				mu.Lock()
				defer mu.Unlock()
				counted[q.ID] = append(counted[q.ID], text)
			}
		})
	}
	group.Wait()
	require.Len(t, counted, 2)
	var answers []string
	for r, err := range durable.Records(t.Context(), o.store, "run") {
		require.NoError(t, err)
		if r.Kind == "answer" {
			assert.Equal(t, []string{answerIn(t, r)}, counted[r.ID])
			answers = append(answers, r.ID)
		}
	}
	assert.Len(t, answers, 2)
}
