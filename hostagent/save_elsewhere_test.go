package hostagent_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/savetest"
)

// A plan that binds comes over with how far it has come, and binds there.
func TestSaveAPlan(t *testing.T) {
	ordered := []m{{"id": "a", "task": "first"}, {"id": "b", "task": "second", "depends_on": []string{"a"}}}
	b := newBench(t, assignPlanned("0", "a", ordered), m{"Status": "FINISH", "Result": "r"}, assign("0", "b"), m{"Status": "FAIL"},
		say(fsm.Finish), assignPlanned("0", "b", ordered))
	host := b.begun()
	f := follow(t, b.Config, host)
	var agent fsm.Agent = host
	for range 6 {
		agent = step(t.Context(), t, agent)
		if agent != fsm.Agent(host) && agent.States().Bind(agent.Status()).Terminal() {
			agent = host
			host.SetStatus(fsm.Continue)
		}
		f.step()
		assert.Equal(t, planOf(host), planOf(f.other))
	}
	require.True(t, planOf(f.other).Enforced())
	require.NoError(t, host.CloseSubtasks(fsm.Fail, "it is over"))
	f.step()
	assert.Equal(t, planOf(host), planOf(f.other))
	assert.Equal(t, host.Subtasks(), f.other.Subtasks())
	f.other.SetStatus(fsm.Continue)
	step(t.Context(), t, f.other)
	assert.Equal(t, hostagent.Assign, f.other.Status(), "it may not finish with an item that failed, but plan it again")
}

// Who came back counts, also where the host is another process's and the agent that it
// handed over to was never made there. No host closes it twice.
func TestReturnedElsewhere(t *testing.T) {
	b := newBench(t, assign("0", "x"))
	host := b.begun()
	f := follow(t, b.Config, host)
	walkTo(t, host, 2)
	f.step()
	other := &foreign{name: "Another"}
	other.SetStatus(fsm.Fail)
	other.Decide(fsm.Fail, fsm.BySystem, "no paper")
	f.other.Returned(other)
	require.NoError(t, f.other.CloseSubtasks(fsm.Error, "it is over"))
	require.Len(t, f.other.Subtasks(), 1)
	assert.Equal(t, "FAIL", f.other.Subtasks()[0].Status)
	assert.Equal(t, "no paper", f.other.Subtasks()[0].Reason)
	assert.NotContains(t, savetest.JSON(t, f.other), `"open"`)
}
