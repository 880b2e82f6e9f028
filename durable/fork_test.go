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

// recordsOf returns the records of that kind in a step of the run, or in all steps for 0.
func recordsOf(t *testing.T, in store.Store, kind string, step int) (list []durable.Record) {
	t.Helper()
	for r, err := range durable.Records(t.Context(), in, "run") {
		require.NoError(t, err)
		if r.Kind == kind && (step == 0 || r.Step == step) {
			list = append(list, r)
		}
	}
	return list
}

func TestForkWithAnotherAnswer(t *testing.T) {
	o := finished(t)
	asked := recordsOf(t, o.store, "ask", 2)
	require.Len(t, asked, 2)
	o.word.ChangeControl("sent", func(now *desktop.Control) { now.Value = "no" })
	for nth, q := range asked {
		as := string(rune('a' + nth))
		require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, as, durable.Change{Question: q.ID, Answer: people.Answer{Text: "Bob"}}))
		calls := o.calls
		o.sent = nil
		res, err := o.finish(as, "Ann")
		require.NoError(t, err)
		assert.Equal(t, "it is sent", res.Answer)
		assert.Equal(t, []string{"Bob"}, o.sent)
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
	require.NoError(t, durable.Fork(t.Context(), o.store, "run", other, "what if", durable.Change{Seq: recordsOf(t, o.store, "call", 3)[0].Seq, Reply: reply}))
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
	var begins []int64 // a record of each step, and the end
	for r, err := range durable.Records(t.Context(), o.store, "run") {
		require.NoError(t, err)
		if r.Step > len(begins) {
			begins = append(begins, r.Seq)
		}
	}
	require.Len(t, begins, steps+1)
	for i, seq := range begins {
		step := i + 1
		as := string(rune('a' + step))
		o.sent = nil
		o.word.ChangeControl("sent", func(now *desktop.Control) { now.Value = "no" })
		require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, as, durable.Change{Seq: seq}))
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
	waits := o.look("run").Waits
	require.Len(t, waits, 2)
	for i, other := range []int{1, 0} {
		as := string(rune('a' + i))
		require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, as, durable.Change{Question: waits[i].ID, Answer: people.Answer{Text: "Bob"}}))
		assert.Equal(t, []people.Question{waits[other]}, o.look(as).Waits)
	}
	assert.Equal(t, waits, o.look("run").Waits)
}

// By its id a question is found wherever it was asked.
func TestForkByQuestion(t *testing.T) {
	o := finished(t)
	asked := recordsOf(t, o.store, "ask", 0)
	require.Len(t, asked, 3)
	o.word.ChangeControl("sent", func(now *desktop.Control) { now.Value = "no" })
	for i, step := range []int{2, 2, 4} {
		as := string(rune('a' + i))
		change := durable.Change{Question: asked[i].ID, Answer: people.Answer{Text: "Bob"}, Seq: 99}
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
		assert.Equal(t, asked[i].ID, last.ID)
		assert.Contains(t, last.String(), `"Bob", approved: false`)
	}
	_, err := o.goOn("c")
	require.ErrorIs(t, err, round.ErrFailed, "the approval is a no now")
}

func TestForkErrors(t *testing.T) {
	o := finished(t)
	yes := people.Answer{Approved: true}
	call, ask := recordsOf(t, o.store, "call", 1)[0], recordsOf(t, o.store, "ask", 2)[0]
	for name, change := range map[string]durable.Change{
		"no such record":     {Seq: 999},
		"below the first":    {Seq: -1},
		"no call":            {Seq: ask.Seq, Reply: "x"},
		"a reply to no call": {Reply: "x"},
		"reply and answer":   {Seq: call.Seq, Reply: "x", Question: ask.ID, Answer: yes},
		"no such question":   {Question: "x", Answer: yes},
		"no question":        {Seq: ask.Seq, Answer: yes},
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
	answers := recordsOf(t, o.store, "answer", 0)
	approved := answers[len(answers)-1].Step // the last answer is the approval
	for step := approved; step <= approved+1; step++ {
		for _, answer := range []bool{true, false} {
			as := fmt.Sprint("behind ", step, answer)
			o.word.ChangeControl("sent", func(now *desktop.Control) { now.Value = "no" })
			o.sent = nil
			require.NoError(t, durable.Fork(t.Context(), o.store, "run", o.store, as, durable.Change{Seq: recordsOf(t, o.store, "step", step)[0].Seq}))
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
