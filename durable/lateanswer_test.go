package durable_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// overtaken is a store in which somebody else answers just before the first Append.
type overtaken struct {
	store.Store
	first func()
}

func (o *overtaken) Append(ctx context.Context, run string, after int64, records ...[]byte) error {
	if first := o.first; first != nil {
		o.first = nil
		first()
	}
	return o.Store.Append(ctx, run, after, records...)
}

// Who was overtaken is told so: it is the other one's answer that counts. Where it was
// another question, the answer is tried again, and counts.
func TestWhoIsOvertaken(t *testing.T) {
	for name, same := range map[string]bool{"the same question": true, "another one": false} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			res, err := o.begin()
			require.ErrorIs(t, err, round.ErrSuspended)
			id, other := res.Waits[0].ID, res.Waits[1].ID
			if same {
				other = id
			}
			st := &overtaken{Store: o.store, first: func() {
				given, err := o.answer("run", other, people.Answer{Text: "Ann"})
				require.NoError(t, err)
				require.True(t, given)
			}}
			given, err := durable.Answer(t.Context(), st, "run", id, people.Answer{Text: "Bob"})
			require.NoError(t, err)
			assert.Equal(t, !same, given)
			answers := map[string]string{}
			for r, err := range durable.Records(t.Context(), o.store, "run") {
				require.NoError(t, err)
				if r.Kind == "answer" {
					require.NotContains(t, answers, r.ID)
					answers[r.ID] = answerIn(t, r)
				}
			}
			want := map[string]string{id: "Ann"}
			if !same {
				want = map[string]string{id: "Bob", other: "Ann"}
			}
			assert.Equal(t, want, answers)
		})
	}
}

// A question of a round that was given up is withdrawn from the moment at which the next
// round begins, and cannot be answered any more.
func TestAQuestionOfAnotherRound(t *testing.T) {
	o := newOffice(t)
	res, err := o.begin()
	require.ErrorIs(t, err, round.ErrSuspended)
	calls := 0
	agent, err := appagent.New(appagent.Config{
		Model: llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
			calls++ // before the new round has taken a step
			state, err := durable.Look(ctx, o.store, "run")
			require.NoError(t, err)
			assert.Equal(t, 2, state.Rounds)
			assert.Empty(t, state.Waits)
			for _, q := range res.Waits {
				_, err = durable.Answer(ctx, o.store, "run", q.ID, answered)
				require.ErrorIs(t, err, durable.ErrWithdrawn)
			}
			return &llm.Response{Text: `{"Status":"FINISH","Result":"done"}`}, nil
		}),
		Desktop: o.desk, NoImages: true, Window: desktop.Window{ID: "1", Root: "word", Process: "letter"}, User: people.Later(),
	})
	require.NoError(t, err)
	s, err := durable.Open(t.Context(), agent, o.store, "run", &durable.Options{Existing: true})
	require.NoError(t, err)
	assert.Equal(t, res.Waits, o.look("run").Waits, "no other round has begun yet")
	_, err = s.Run(t.Context(), "something else")
	require.NoError(t, err)
	assert.Equal(t, 1, calls)
}

// A run that somebody has resumed is on its way, whatever it had stopped for.
func TestAResumedRunIsUnfinished(t *testing.T) {
	o := newOffice(t)
	_, err := o.begin()
	require.ErrorIs(t, err, round.ErrSuspended)
	require.NotEmpty(t, o.look("run").Reason)
	for _, q := range o.look("run").Waits[:1] {
		_, err = o.answer("run", q.ID, people.Answer{Text: "Ann"})
		require.NoError(t, err)
	}
	assert.Equal(t, round.Suspended, o.look("run").Outcome, "one is answered, and nobody goes on")
	asked := 0
	agent, err := appagent.New(appagent.Config{
		Model: llm.ModelFunc(func(ctx context.Context, _ *llm.Request) (*llm.Response, error) {
			state, err := durable.Look(ctx, o.store, "run")
			require.NoError(t, err)
			assert.Equal(t, round.Unfinished, state.Outcome)
			assert.Empty(t, state.Reason)
			assert.Empty(t, state.Waits)
			return &llm.Response{Text: `{"Status":"FINISH","Result":"done"}`}, nil
		}),
		Desktop: o.desk, NoImages: true, Window: desktop.Window{ID: "1", Root: "word", Process: "letter"},
		User: people.UserFunc(func(ctx context.Context, _ people.Question) (people.Answer, error) {
			asked++
			state, err := durable.Look(ctx, o.store, "run")
			require.NoError(t, err)
			assert.Len(t, state.Waits, 1)
			return people.Answer{Text: "now"}, nil
		}),
	})
	require.NoError(t, err)
	_, err = durable.Open(t.Context(), o.agent(), o.store, "run", &durable.Options{Existing: true}) // by a process that hangs
	require.NoError(t, err)
	s, err := durable.Open(t.Context(), agent, o.store, "run", &durable.Options{TakeOver: true})
	require.NoError(t, err)
	assert.Equal(t, round.Unfinished, o.look("run").Outcome)
	assert.Empty(t, o.look("run").Reason)
	_, err = s.Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, asked)
}

// An answer that comes when the run is cancelled is no answer, also for a Handle that asks under a
// context of its own: the question is asked again.
func TestAnAnswerToACancelledRun(t *testing.T) {
	y := newTally(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked, before := 0, cancel
	user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		asked++
		before()
		return people.Answer{Approved: true}, nil
	})
	var answers []people.Answer
	do := func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		answer, err := people.Ask(context.WithoutCancel(ctx), user, people.Question{Text: "pay?", Approval: true}, 0)
		if err == nil {
			answers = append(answers, answer)
		}
		return fsm.Finish, err
	}
	_, err := y.begin(do, nil).Run(ctx, "go")
	require.ErrorIs(t, err, round.ErrCancelled)
	assert.Empty(t, answers, "neither a yes nor a no")

	before = func() {}
	_, err = y.resume(do, nil).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, []people.Answer{{Approved: true}}, answers)
	assert.Equal(t, 2, asked)
}
