package scenarios_test

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
)

// The built-in state sets are lazy: a state is made when a step first stands in it, once.
// States, Validate, New and a diagram make none.
func TestScenario55_StatesAreMadeWhenTheyAreUsed(t *testing.T) {
	s := onStage(t, assign("0", "extract"), finish("r1"), finish("done"))
	hosts, apps := hostagent.States().With(), appagent.States().With()
	s.Config.States, s.Config.Config.States = hosts, apps
	require.NoError(t, hosts.Validate())
	require.NoError(t, apps.Validate())
	assert.NotEmpty(t, hosts.Mermaid())
	s.host()
	s.alone()
	assert.Empty(t, apps.StateMap())
	assert.Empty(t, hosts.StateMap())

	_, err := s.run("go")
	require.NoError(t, err)
	assert.Equal(t, []fsm.Status{"ASSIGN", "CONTINUE", "FINISH"}, slices.Sorted(maps.Keys(hosts.StateMap())))
	assert.Equal(t, []fsm.Status{"CONTINUE", "FINISH"}, slices.Sorted(maps.Keys(apps.StateMap())))
	made := hosts.State(fsm.Continue)
	assert.Same(t, made, hosts.State(fsm.Continue))
}

// The shared sets of a program that has used none of them are empty.
func TestScenario55_SharedStatesAreMadeWhenTheyAreUsed(t *testing.T) {
	const alone = "AGENTFSM_SCENARIO_55"
	if os.Getenv(alone) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), alone+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "--- PASS: "+t.Name())
		return
	}
	s := onStage(t)
	s.host()
	assert.Empty(t, hostagent.States().StateMap())
	assert.Empty(t, appagent.States().StateMap())
	hostagent.States().State(fsm.Finish)
	assert.Len(t, hostagent.States().StateMap(), 1)
}
