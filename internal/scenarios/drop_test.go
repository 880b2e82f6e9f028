package scenarios_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

const wordKey = "word/report"

// opened is a process that opens the run.
func opened(t *testing.T, in store.Store, replies ...any) (*stage, *round.Session) {
	t.Helper()
	s := onStage(t, replies...)
	s.Config.User, s.Config.NoImages = people.Later(), true
	session := must(durable.Open(t.Context(), s.host(), in, "run", &durable.Options{Round: s.observed()}))
	t.Cleanup(func() { runtime.KeepAlive(session) }) // a session that nobody has records nothing
	return s, session
}

var asksYear = map[string]any{"Status": "PENDING", "Questions": []string{"Which year?"}}

// A program drops an AppAgent while no Run drives its session. Then its process dies, and the next
// one finds no agent either: the next sub-task is for a new one, without that memory.
func TestScenario69_ADropOutlivesItsProcess(t *testing.T) {
	for name, c := range map[string]struct {
		first  any // what the host does after the sub-task
		answer bool
	}{
		"between rounds":    {first: finish("done")},
		"while it is asked": {first: asksYear, answer: true},
	} {
		t.Run(name, func(t *testing.T) {
			in := store.Memory()
			s, session := opened(t, in, assign("0", "first"), finish("I remember this"), c.first)
			res, _ := session.Run(t.Context(), "one")
			assert.Equal(t, map[string]string{wordKey: "AppAgent/" + wordKey}, s.Host.Apps())
			require.NoError(t, s.Host.Drop(t.Context(), wordKey))
			assert.Empty(t, s.Host.Apps())

			if c.answer {
				given, err := durable.Answer(t.Context(), in, "run", res.Waits[0].ID, people.Answer{Text: "2024"})
				require.NoError(t, err)
				require.True(t, given)
			}
			s, session = opened(t, in, assign("0", "second"), finish("two"), finish("done"))
			if c.answer {
				_, err := session.Continue(t.Context(), "one")
				require.NoError(t, err)
			} else {
				_, err := session.ContinueRound(t.Context(), 2, "two")
				require.NoError(t, err)
			}
			assert.Equal(t, []string{"agent created"}, assignments(s))
			_, remembers := llm.FindSection(s.Model.Requests()[1], "history")
			assert.False(t, remembers)

			again := onStage(t)
			again.Config.User, again.Config.NoImages = people.Later(), true
			_, err := durable.Replay(t.Context(), again.host(), in, "run", again.observed())
			require.NoError(t, err)
			assert.Equal(t, []string{"agent created", "agent created"}, assignments(again))
		})
	}
}

// assignments says of each ASSIGN whether its agent was made.
func assignments(s *stage) (how []string) {
	for _, step := range s.Steps {
		if step.From == hostagent.Assign {
			how = append(how, step.Reason)
		}
	}
	return how
}

// A Drop that cannot be recorded does not happen.
func TestScenario69_ADropThatCannotBeRecorded(t *testing.T) {
	in := store.Memory()
	s, session := opened(t, in, assign("0", "first"), finish("one"), asksYear)
	_, err := session.Run(t.Context(), "one")
	require.ErrorIs(t, err, round.ErrSuspended)
	app := must(s.Host.Worker(t.Context(), s.Host.Apps()[wordKey]))

	_, other := opened(t, in)
	err = s.Host.Drop(t.Context(), wordKey)
	require.ErrorIs(t, err, round.ErrBusy)
	require.ErrorIs(t, err, store.ErrDriven)
	assert.Same(t, app, must(s.Host.Worker(t.Context(), app.Name())), "somebody else drives the run")
	require.NoError(t, other.Close(t.Context()))

	state, err := durable.Look(t.Context(), in, "run")
	require.NoError(t, err)
	_, err = durable.Answer(t.Context(), in, "run", state.Waits[0].ID, people.Answer{Text: "2024"})
	require.NoError(t, err)
	require.ErrorIs(t, s.Host.Drop(t.Context(), wordKey), round.ErrLost, "the run is not as this process knows it")
}

// A Drop out of a step is in the record of that step, and in none of its own.
func TestScenario69_ADropWithinAStep(t *testing.T) {
	in := store.Memory()
	s, session := opened(t, in, assign("0", "first"), finish("one"), call("CONTINUE", "wait", map[string]any{"seconds": 0}), finish("done"))
	s.Options.Observe = func(step round.Step) {
		if step.Agent == "HostAgent" && step.To == fsm.Continue && step.From == fsm.Continue {
			require.NoError(t, s.Host.Drop(t.Context(), wordKey))
		}
	}
	_, err := session.Run(t.Context(), "one")
	require.NoError(t, err)
	for record, err := range durable.Records(t.Context(), in, "run") {
		require.NoError(t, err)
		assert.NotEqual(t, "change", record.Kind)
	}
	s, _ = opened(t, in)
	_, err = s.Host.Worker(t.Context(), "AppAgent/"+wordKey)
	require.Error(t, err)
}
