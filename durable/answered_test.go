package durable_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
)

// decided are the answers that an agent got.
type decided []people.Answer

// decides is an errand with a question for a text, and as many for a yes as there are ids.
func decides(got *decided, user people.User, ids ...string) errand {
	return func(ctx context.Context, _ *clerk) (fsm.Status, error) {
		*got = nil
		for i, id := range append([]string{"name"}, ids...) {
			answer, err := people.Ask(ctx, user, people.Question{ID: id, Agent: "clerk", Text: id + "?", Approval: i > 0}, 0)
			if err != nil {
				return fsm.Finish, err
			}
			*got = append(*got, answer)
		}
		return fsm.Finish, nil
	}
}

// shown are the answers of a run as everybody may read them.
func (y *tally) shown(run string) (shown []string) {
	for r, err := range durable.Records(y.t.Context(), y.store, run) {
		require.NoError(y.t, err)
		if r.Kind == "answer" {
			shown = append(shown, r.Shown())
		}
	}
	return shown
}

// A text is neither a yes nor a no.
func TestTextAnswerIsNoRefusal(t *testing.T) {
	y := newTally(t)
	var got decided
	_, err := y.begin(decides(&got, people.Later(), "pay")).Run(t.Context(), "go")
	require.Error(t, err)
	_, err = durable.Answer(t.Context(), y.store, "run", "name", people.Answer{Text: "no, it was not"})
	require.NoError(t, err)
	require.NoError(t, durable.Fork(t.Context(), y.store, "run", y.store, "fork", durable.Change{Question: "name", Answer: people.Answer{Text: "Bob"}}))
	live := newTally(t)
	_, err = live.begin(decides(&got, people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Text: "why not"}, nil
	}), "pay")).Run(t.Context(), "go")
	require.NoError(t, err)
	assert.Equal(t, []string{"answer"}, y.shown("run"))
	assert.Equal(t, []string{"answer"}, y.shown("fork"))
	assert.Equal(t, []string{"answer", "answer, approved: false"}, live.shown("run"))
}

// The name of who answered is kept with the answer, wherever it was given, and the agent gets it.
func TestWhoAnswered(t *testing.T) {
	y := newTally(t)
	var got decided
	_, err := y.begin(decides(&got, people.Later(), "pay")).Run(t.Context(), "go")
	require.Error(t, err)
	_, err = durable.Answer(t.Context(), y.store, "run", "name", people.Answer{Text: "Ann", By: "bob"})
	require.NoError(t, err)
	state, err := durable.Look(t.Context(), y.store, "run")
	require.NoError(t, err)
	require.Len(t, state.Answers, 1)
	assert.False(t, state.Answers[0].At.IsZero())
	state.Answers[0].At = state.Began
	assert.Equal(t, durable.Answered{Question: "name", By: "bob", At: state.Began}, state.Answers[0])

	// One who is asked in the process that drives the run is named by the User.
	user := people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Approved: true, By: "boss\u202e"}, nil
	})
	_, err = y.resumeWith(newClerk(decides(&got, user, "pay"))).Round().Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, decided{{Text: "Ann", By: "bob"}, {Approved: true, By: "boss\u202e"}}, got)
	assert.Equal(t, []string{`answer by "bob"`, `answer by "boss\u202e", approved: true`}, y.shown("run"))
	var by []string
	for r, err := range durable.Records(t.Context(), y.store, "run") {
		require.NoError(t, err)
		if r.Kind == "answer" {
			by = append(by, r.By)
		}
	}
	assert.Equal(t, []string{"bob", "boss\u202e"}, by)

	// The fork names who answered there.
	require.NoError(t, durable.Fork(t.Context(), y.store, "run", y.store, "fork", durable.Change{Question: "pay", Answer: people.Answer{By: "carl"}}))
	assert.Equal(t, []string{`answer by "bob"`, `answer by "carl", approved: false`}, y.shown("fork"))
	for state, err := range durable.List(t.Context(), y.store, durable.Query{Prefix: "fork"}) {
		require.NoError(t, err)
		require.Len(t, state.Answers, 2)
		assert.Equal(t, []string{"bob", "carl"}, []string{state.Answers[0].By, state.Answers[1].By})
	}
}

// A run of many answers has a State that stays small.
func TestManyAnswers(t *testing.T) {
	y := newTally(t)
	var ids []string
	for i := range 150 {
		ids = append(ids, fmt.Sprint("pay ", i))
	}
	var got decided
	_, err := y.begin(decides(&got, people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		return people.Answer{Text: "Ann", Approved: q.Approval, By: "boss"}, nil
	}), ids...)).Run(t.Context(), "go")
	require.NoError(t, err)
	state, err := durable.Look(t.Context(), y.store, "run")
	require.NoError(t, err)
	require.Len(t, state.Answers, 100)
	assert.Equal(t, "pay 149", state.Answers[99].Question)
	assert.Equal(t, "pay 50", state.Answers[0].Question)
}
