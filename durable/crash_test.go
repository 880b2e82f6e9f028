package durable_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

var errAway = fmt.Errorf("the person is away: %w", fsm.ErrSuspend)

// outcome is what must not depend on how often the process died.
type outcome struct {
	outcome  round.Outcome
	answer   string
	subtasks []blackboard.Subtask
	rows     []string
	lines    []string
	value    string
}

func (w *world) outcome(res round.Result) outcome {
	return outcome{res.Outcome, res.Answer, res.Subtasks, w.rows, w.lines, w.word.Value("published")}
}

// life is one process: it begins the run, or resumes it.
func (w *world) life(first bool) (round.Result, error) {
	w.t.Helper()
	s, err := durable.Open(w.t.Context(), w.host(), w.store, "run", &durable.Options{Round: unbounded(), Existing: !first})
	require.NoError(w.t, err)
	return s.Continue(w.t.Context(), "make the report")
}

// survive runs with crashes, each at an Append of its process.
func (w *world) survive(crashes ...crash) (round.Result, int) {
	w.t.Helper()
	died, begun := 0, false
	for _, c := range crashes {
		w.store.start(c.at, c.after)
		_, err := w.life(!begun)
		if !w.store.dead() {
			require.NoError(w.t, err)
			break
		}
		require.ErrorIs(w.t, err, round.ErrLost)
		died++
		begun = begun || c.at > 1 || c.after // else there is nothing to resume
	}
	w.store.start(0, false)
	res, err := w.life(!begun)
	require.NoError(w.t, err)
	return res, died
}

type crash struct {
	at    int
	after bool
}

func (w *world) requireOnce() {
	w.t.Helper()
	for what, times := range w.done {
		require.Equal(w.t, 1, times, what)
	}
}

func TestARunSurvivesACrashAtEachRecord(t *testing.T) {
	calm := newWorld(t)
	want, died := calm.survive()
	steps := want.Transitions
	require.Zero(t, died)
	require.GreaterOrEqual(t, steps, 30)
	require.Equal(t, round.Finished, want.Outcome)
	calm.requireOnce()
	last := calm.store.count
	t.Logf("%d steps, %d model calls, %d appends", steps, calm.calls, last)

	check := func(t *testing.T, crashes ...crash) {
		w := newWorld(t)
		res, died := w.survive(crashes...)
		require.Equal(t, calm.outcome(want), w.outcome(res))
		require.LessOrEqual(t, w.calls, calm.calls+died)
		w.requireOnce()
		again, err := w.replay(nil)
		require.NoError(t, err)
		require.Equal(t, res, again)
	}
	t.Run("one", func(t *testing.T) {
		for _, at := range appends() {
			for _, after := range []bool{false, true} {
				t.Run(fmt.Sprint(at, after), func(t *testing.T) {
					t.Parallel()
					check(t, crash{at, after})
				})
			}
		}
	})
	assert.False(t, t.Failed())
}

// undisturbed are the kinds of records of an undisturbed run.
var undisturbed = sync.OnceValue(func() []string {
	w, opts := newWorld(&testing.T{}), unbounded()
	s, err := durable.Open(context.Background(), w.host(), w.store, "run", &durable.Options{Round: opts})
	if err == nil {
		_, err = s.Run(context.Background(), "make the report")
	}
	if err != nil {
		panic(err)
	}
	kinds, _ := w.records()
	return kinds
})

// buffered reports whether records of a kind wait for the Append of another one.
func buffered(kind string) bool {
	return slices.Contains([]string{"look", "tools", "blob", "secret"}, kind)
}

// appends are the Appends of an undisturbed run: all of them, in the short form one of
// each kind, from the middle of the run.
func appends() (list []int) {
	durable := slices.DeleteFunc(slices.Clone(undisturbed()), buffered)
	of := map[string][]int{}
	for i, kind := range durable {
		of[kind] = append(of[kind], i+1)
		list = append(list, i+1)
	}
	if !testing.Short() {
		return list
	}
	list = nil
	for _, at := range of {
		list = append(list, at[len(at)/2])
	}
	slices.Sort(list)
	return list
}
