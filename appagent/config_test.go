package appagent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/proof"
)

func TestTable(t *testing.T) {
	fsmtest.Run(t, appagent.States(), func() fsm.Agent { return newBench(t).agent() })
}

// endless is a table without a FAIL.
func endless(edges ...fsm.Edge) *fsm.Manager[*appagent.Agent] {
	all := []fsm.Edge{{To: fsm.Continue, By: fsm.BySystem}, {From: fsm.Continue, To: fsm.Finish, By: fsm.ByModel}}
	m := fsm.NewManager[*appagent.Agent]("Endless", append(all, edges...)...)
	for _, status := range []fsm.Status{fsm.Continue, fsm.Finish} {
		if err := m.Register(status, func() fsm.State[*appagent.Agent] { return appagent.States().State(status) }); err != nil {
			panic(err)
		}
	}
	return m
}

func unproved(context.Context, proof.Claim) (proof.Finding, error) {
	return proof.Finding{Verdict: proof.No}, nil
}

// Where Verify never leads to FAIL, or nobody verifies, a table needs no way there.
func TestNewTakesTablesWithoutFail(t *testing.T) {
	for name, change := range map[string]func(*appagent.Config){
		"nobody verifies":  func(c *appagent.Config) { c.States = endless() },
		"any number of no": func(c *appagent.Config) { c.Verify, c.MaxReplans = unproved, -1 },
	} {
		cfg := newBench(t).Config
		cfg.States = endless(fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel | fsm.BySystem})
		change(&cfg)
		_, err := appagent.New(cfg)
		require.NoError(t, err, name)
	}
}

func TestNewRefuses(t *testing.T) {
	good := newBench(t).Config
	for name, tc := range map[string]struct {
		change func(*appagent.Config)
		says   string
	}{
		"no model":   {func(c *appagent.Config) { c.Model = nil }, "Model"},
		"no desktop": {func(c *appagent.Config) { c.Desktop = nil }, "Desktop"},
		"prompt":     {func(c *appagent.Config) { c.Prompt = "{{.Docs" }, "Config.Prompt"},
		"table": {func(c *appagent.Config) {
			c.States = appagent.States().With(fsm.Edge{From: fsm.Continue, To: "NOWHERE", By: fsm.ByModel})
		}, "Config.States"},
		"no way to FAIL after a no": {func(c *appagent.Config) {
			c.States, c.Verify = endless(fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel | fsm.BySystem}), unproved
		}, "Config.States: Config.Verify needs an edge from CONTINUE to FAIL"},
		"no way on after a no": {func(c *appagent.Config) {
			c.States, c.Verify, c.MaxReplans = endless(), unproved, -1
		}, "Config.States: Config.Verify needs an edge from CONTINUE to CONTINUE"},
		"no way on after a no but the model's": {func(c *appagent.Config) {
			c.States, c.Verify, c.MaxReplans = endless(fsm.Edge{From: fsm.Continue, To: fsm.Continue, By: fsm.ByModel}), unproved, -1
		}, "Config.States: Config.Verify needs an edge from CONTINUE to CONTINUE"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			tc.change(&cfg)
			agent, err := appagent.New(cfg)
			require.Error(t, err)
			assert.Nil(t, agent)
			assert.ErrorIs(t, err, appagent.ErrConfig)
			assert.ErrorContains(t, err, "appagent: Config")
			assert.ErrorContains(t, err, tc.says)
		})
	}
}

func TestNames(t *testing.T) {
	for want, tc := range map[string]struct {
		name   string
		window desktop.Window
	}{
		"AppAgent":             {"", desktop.Window{}},
		"AppAgent/word/report": {"", desktop.Window{ID: "7", Root: "word", Process: "report"}},
		"Anna":                 {"Anna", desktop.Window{ID: "7", Root: "word"}},
	} {
		b := newBench(t)
		b.Config.Name, b.Config.Window = tc.name, tc.window
		agent := b.agent()
		assert.Equal(t, want, agent.Name())
		assert.EqualError(t, agent.Begin(t.Context(), fsm.Task{Text: " \n"}), "appagent: the task has no text")
	}
}
