package appagent_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
)

func TestTable(t *testing.T) {
	fsmtest.Run(t, appagent.States(), func() fsm.Agent { return newBench(t).agent() })
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
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			tc.change(&cfg)
			agent, err := appagent.New(cfg)
			require.Error(t, err)
			assert.Nil(t, agent)
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
