package scenarios_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
)

// A kind whose table starts in PLAN, under a host: ASSIGN enters it there, each time,
// and what its table calls a success is one for the host. Its other ends are not.
func TestScenario49_AssignEntersAtTheStart(t *testing.T) {
	s := onStage(t, assign("0", "release"), assign("0", "release again"), finish("released"))
	worker := &releaser{end: "DONE"}
	s.Config.NewApp = func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
		worker.name = strings.TrimPrefix(app.Name, "AppAgent/")
		return worker, nil
	}
	res, err := s.run("release")
	require.NoError(t, err)
	assert.Equal(t, 2, worker.done)
	require.Len(t, res.Subtasks, 2)
	for _, sub := range res.Subtasks {
		assert.Equal(t, "FINISH", sub.Status)
		assert.JSONEq(t, `"all deployed"`, string(sub.Result))
	}
	assert.Equal(t, []string{
		"HostAgent:CONTINUE", "HostAgent:ASSIGN",
		worker.name + ":PLAN", worker.name + ":DONE", "HostAgent:CONTINUE", "HostAgent:ASSIGN",
		worker.name + ":PLAN", worker.name + ":DONE", "HostAgent:CONTINUE", "HostAgent:FINISH",
	}, s.positions())

	worker = &releaser{end: "ROLLED_BACK"}
	s2 := onStage(t, assign("0", "release"), finish("not released"))
	s2.Config.NewApp = s.Config.NewApp
	res, err = s2.run("release")
	require.NoError(t, err)
	require.Len(t, res.Subtasks, 1)
	assert.Equal(t, "ROLLED_BACK", res.Subtasks[0].Status)
	assert.Empty(t, res.Subtasks[0].Result)
	assert.Contains(t, prompt[string](s2, 1, "last_error"), "ROLLED_BACK")
}
