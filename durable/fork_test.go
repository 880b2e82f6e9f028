package durable_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// finish drives a run to its end, and says yes to everything.
func (o *office) finish(run, name string) (round.Result, error) {
	o.t.Helper()
	for {
		res, err := o.goOn(run)
		if !errors.Is(err, round.ErrSuspended) {
			return res, err
		}
		for _, q := range res.Waits {
			_, err := o.answer(run, q.ID, people.Answer{Text: name, Approved: true})
			require.NoError(o.t, err)
		}
	}
}

// finished is an office whose run has sent the letter to Ann.
func finished(t *testing.T) *office {
	t.Helper()
	o := newOffice(t)
	_, err := o.begin()
	require.ErrorIs(t, err, round.ErrSuspended)
	res, err := o.finish("run", "Ann")
	require.NoError(t, err)
	require.Equal(t, "it is sent", res.Answer)
	require.Equal(t, []string{"Ann"}, o.sent)
	return o
}

func TestForkWithAnotherAnswer(t *testing.T) {
	o := finished(t)
	o.word.ChangeControl("sent", func(now *desktop.Control) { now.Value = "no" })
	for nth, want := range []string{"Bob", "Bob", "Bob"} { // the first is the default, then the first and the second
		as := string(rune('a' + nth))
		require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, as, durable.Change{Step: 2, Answer: &people.Answer{Text: "Bob"}, Nth: nth}))
		calls := o.calls
		o.sent = nil
		res, err := o.finish(as, "Ann")
		require.NoError(t, err)
		assert.Equal(t, "it is sent", res.Answer)
		assert.Equal(t, []string{want}, o.sent)
		assert.Equal(t, 2, o.calls-calls, "the first call was recorded")
		_, err = durable.Replay(t.Context(), o.agent(), o.store, as, nil)
		require.NoError(t, err)
		o.word.ChangeControl("sent", func(now *desktop.Control) { now.Value = "no" })
	}
	assert.Equal(t, round.Finished, o.look("run").Outcome, "it is as it was")
}

func TestForkWithAnotherReply(t *testing.T) {
	o := finished(t)
	other := store.Memory()
	reply := `{"Status":"FAIL","Comment":"there is no paper"}`
	require.NoError(t, durable.Fork(t.Context(), o.store, "run", other, "what if", durable.Change{Step: 3, Reply: reply}))
	calls := o.calls
	o.store = other
	res, err := o.goOn("what if")
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Equal(t, "there is no paper", res.Reason)
	assert.Equal(t, calls, o.calls)
	assert.Equal(t, 3, res.Transitions)
}

// Without a change the step is handled anew.
func TestForkWithoutAChange(t *testing.T) {
	o := finished(t)
	steps := o.look("run").Transitions
	for step := 1; step <= steps+1; step++ {
		as := string(rune('a' + step))
		o.sent = nil
		o.word.ChangeControl("sent", func(now *desktop.Control) { now.Value = "no" })
		require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, as, durable.Change{Round: 1, Step: step}))
		state := o.look(as)
		assert.Equal(t, step-1, state.Transitions)
		res, err := o.finish(as, "Ann")
		require.NoError(t, err, step)
		assert.Equal(t, "it is sent", res.Answer)
	}
	require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, "last", durable.Change{}))
	assert.Equal(t, steps-1, o.look("last").Transitions, "the last step of a round that ended")
	assert.Equal(t, "run", o.look("last").ForkedFrom)
	assert.Empty(t, o.look("run").ForkedFrom)
}

// A question that nobody answered can be answered in the fork alone.
func TestForkAnswersAnOpenQuestion(t *testing.T) {
	o := newOffice(t)
	_, err := o.begin()
	require.ErrorIs(t, err, round.ErrSuspended)
	require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, "as", durable.Change{Answer: &people.Answer{Text: "Bob"}, Nth: 2}))
	state := o.look("as")
	require.Len(t, state.Waits, 1)
	assert.Equal(t, "To whom?", state.Waits[0].Text)
	assert.Len(t, o.look("run").Waits, 2)
}

// By its id a question is found wherever it was asked.
func TestForkByQuestion(t *testing.T) {
	o := finished(t)
	var ids []string
	for r, err := range durable.Records(t.Context(), o.store, "run") {
		require.NoError(t, err)
		if r.Kind == "ask" {
			ids = append(ids, r.ID)
		}
	}
	require.Len(t, ids, 3)
	o.word.ChangeControl("sent", func(now *desktop.Control) { now.Value = "no" })
	for i, step := range []int{2, 2, 4} {
		as := string(rune('a' + i))
		change := durable.Change{Question: ids[i], Answer: &people.Answer{Text: "Bob"}, Step: 99, Nth: 7}
		require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, as, change))
		state := o.look(as)
		assert.Equal(t, step-1, state.Transitions)
		var last durable.Record
		for r, err := range durable.Records(t.Context(), o.store, as) {
			require.NoError(t, err)
			if r.Kind != "fork" {
				last = r
			}
		}
		assert.Equal(t, ids[i], last.ID)
		assert.Contains(t, last.String(), `"Bob", approved: false`)
	}
	_, err := o.goOn("c")
	require.ErrorIs(t, err, round.ErrFailed, "the approval is a no now")
}

func TestForkErrors(t *testing.T) {
	o := finished(t)
	yes := &people.Answer{Approved: true}
	for name, change := range map[string]durable.Change{
		"no such round":    {Round: 2},
		"no such step":     {Step: 99},
		"below the first":  {Step: -1},
		"no answer in it":  {Step: 1, Answer: yes},
		"no third answer":  {Step: 2, Answer: yes, Nth: 3},
		"no call in it":    {Step: 2, Reply: "x"},
		"behind the last":  {Step: 6, Reply: "x"},
		"reply and answer": {Step: 1, Reply: "x", Answer: yes},
		"no such question": {Question: "x", Answer: yes},
		"no answer to it":  {Question: "x"},
		"no second call":   {Step: 1, Reply: "x", Nth: 2},
	} {
		t.Run(name, func(t *testing.T) {
			err := durable.Fork(t.Context(), o.store, "run", o.store, "as", change)
			require.ErrorIs(t, err, durable.ErrNoPlace)
			_, err = durable.Look(t.Context(), o.store, "as")
			require.ErrorIs(t, err, durable.ErrNoRun)
		})
	}
	require.ErrorIs(t, durable.Fork(t.Context(), o.store, "none", o.store, "as", durable.Change{}), durable.ErrNoRun)
	err := durable.Fork(t.Context(), o.store, "run", o.store, "run", durable.Change{})
	require.ErrorIs(t, err, store.ErrConflict)
	require.ErrorContains(t, err, `there is a run "run" already`)
}

// An approval is used once, also by a fork that begins behind it: the person is asked again. So it is
// for an AppAgent at each step behind the answer.
func TestForkBehindAnApproval(t *testing.T) {
	o := finished(t)
	approved := 0 // the step with the last answer, which is the approval
	for r, err := range durable.Records(t.Context(), o.store, "run") {
		require.NoError(t, err)
		if r.Kind == "answer" {
			approved = r.Step
		}
	}
	require.Positive(t, approved)
	for step := approved; step <= approved+1; step++ {
		for _, answer := range []bool{true, false} {
			as := fmt.Sprint("behind ", step, answer)
			o.word.ChangeControl("sent", func(now *desktop.Control) { now.Value = "no" })
			o.sent = nil
			require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, as, durable.Change{Step: step}))
			res, err := o.goOn(as)
			require.ErrorIs(t, err, round.ErrSuspended, "step %d", step)
			require.Len(t, res.Waits, 1)
			assert.Empty(t, o.sent, "step %d", step)
			_, err = o.answer(as, res.Waits[0].ID, people.Answer{Approved: answer})
			require.NoError(t, err)
			_, err = o.goOn(as)
			if answer {
				require.NoError(t, err)
				assert.Equal(t, []string{"Ann"}, o.sent)
			} else {
				require.ErrorIs(t, err, round.ErrFailed)
				assert.Empty(t, o.sent)
			}
			_, err = durable.Replay(t.Context(), o.agent(), o.store, as, nil)
			require.NoError(t, err)
		}
	}
}
