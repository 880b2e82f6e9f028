package scenarios_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

// The tables of the built-in agents are those of testdata/tables.golden: who may lead from a status to another, where an
// agent starts, and where its round ends. The way back from another agent is the return of control, which is in no table.
func TestScenario11_TablesEqualTheMatrix(t *testing.T) {
	text := ""
	for _, set := range []fsm.Set{hostagent.States(), appagent.States()} {
		require.NoError(t, set.Validate())
		text += set.Kind() + "\n"
		for _, e := range set.Edges() {
			text += fmt.Sprintf("    %s -> %s%s: %s\n", e.From, e.Kind, e.To, e.By)
		}
		for _, status := range set.Statuses() {
			if set.Bind(status).Terminal() {
				text += fmt.Sprintf("    %s ends the round\n", status)
			}
		}
	}
	path := filepath.Join("testdata", "tables.golden")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), text)
}

// What is refused leaves the registry of the host as it is; AddState replaces. Package fsm tests each refusal.
func TestScenario09_RegistrationErrors(t *testing.T) {
	m := hostagent.States().With()
	statuses, finish := m.Statuses(), m.State(fsm.Finish)
	require.ErrorContains(t, m.Register(fsm.Finish, nil), "the state is nil")
	require.ErrorContains(t, m.Register(fsm.Finish, func() fsm.State[*hostagent.Agent] { return finish }), "it is registered already")
	require.ErrorContains(t, m.AddState("", finish), "the status is empty")
	assert.Equal(t, statuses, m.Statuses())
	require.NoError(t, m.AddState(fsm.Fail, finish))
	assert.Same(t, finish, m.State(fsm.Fail))
	assert.NotSame(t, finish, hostagent.States().State(fsm.Fail))
}

func TestScenario10_SharedRegistriesStayAsTheyAre(t *testing.T) {
	registry, before := hostagent.States(), hostagent.States().Edges()
	unattended := registry.With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})
	assert.Same(t, registry, hostagent.States())
	assert.Equal(t, before, hostagent.States().Edges())

	own := onStage(t, status(fsm.Fail))
	own.Config.States = unattended
	_, err := own.run("give up")
	require.ErrorIs(t, err, round.ErrFailed)
	shared := onStage(t, status(fsm.Fail), finish("done"))
	shared.Config.User = nobodyAnswers
	_, err = shared.run("give up")
	require.NoError(t, err, "a host that was given no table of its own may not write FAIL")
}
