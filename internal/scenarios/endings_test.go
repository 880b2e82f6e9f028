package scenarios_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// A round inside a Handle announces its secrets to the round around it, which
// records the same commands.
func TestSecretsOfARoundInsideARound(t *testing.T) {
	s := onStage(t)
	s.Desktop.AddTools(desktoptest.Tool{Name: "login", Schema: loginSchema})
	model := llmtest.Script(t, call(fsm.Continue, "login", map[string]any{"user": "bob", "password": longSecret}), finish("in"))
	inner, err := appagent.New(appagent.Config{Name: "Inner", Desktop: s.Desktop, Model: model})
	require.NoError(t, err)
	var out bytes.Buffer
	s.Options.Observe = round.JSONL(&out)
	outer := &walker{end: 1, does: func(ctx context.Context) error {
		r, err := round.New(inner, "log in", nil)
		if err != nil {
			return err
		}
		_, err = r.Run(ctx)
		return err
	}}
	_, err = s.drive(outer, "go").Run(t.Context())
	require.NoError(t, err)
	assert.Contains(t, out.String(), "login")
	assert.NotContains(t, out.String(), longSecret)
}

// A worker whose FINISH names another agent in its place does not speak for it.
func TestTheOutcomeIsThatOfWhoComesBack(t *testing.T) {
	s := onStage(t, assign("0", "x"), finish("done"))
	var log []string
	second := &runner{name: "second", log: &log}
	second.states = runners(t, "Second", []*leg{
		{name: fsm.Continue, to: fsm.To[*runner](fsm.Fail)},
		{name: fsm.Fail, ends: true, to: fsm.To[*runner]("")},
	},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.BySystem},
	)
	first := &runner{name: "first", log: &log, give: second}
	first.states = runners(t, "First", []*leg{
		{name: fsm.Continue, to: fsm.To[*runner](fsm.Finish)},
		{name: fsm.Finish, ends: true, pass: true, to: fsm.To[*runner](fsm.Continue)},
	},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
		fsm.Edge{From: fsm.Finish, To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem},
	)
	s.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return first, nil }
	res, err := s.run("go")
	require.NoError(t, err)
	require.Len(t, res.Subtasks, 1)
	assert.Equal(t, "FAIL", res.Subtasks[0].Status)
}
