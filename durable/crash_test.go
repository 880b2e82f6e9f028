package durable_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/sample"
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
	t.Logf("%d steps, %d model calls, %d appends", steps, calm.calls, calm.store.count)

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
	t.Run("crashes", func(t *testing.T) {
		for _, at := range appends(t) {
			for _, after := range []bool{false, true} {
				t.Run(fmt.Sprint(at, after), func(t *testing.T) {
					t.Parallel()
					crashes := []crash{{at, after}, {1 + at%12, !after}} // the second one soon after the first
					check(t, crashes[:1+at%2]...)
				})
			}
		}
	})
	assert.False(t, t.Failed())
}

// appends are the Appends of an undisturbed run, in the short form some of them.
func appends(t *testing.T) (list []int) {
	t.Helper()
	w := newWorld(t)
	_, err := w.life(true)
	require.NoError(t, err)
	for at := 1; at <= w.store.count; at += sample.Every(7) * sample.Raced(3) {
		list = append(list, at)
	}
	return list
}
