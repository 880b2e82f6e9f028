package hostagent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/proof"
)

func TestTable(t *testing.T) {
	fsmtest.Run(t, hostagent.States(), func() fsm.Agent {
		b := newBench(t)
		b.Config.User = people.Later()
		return b.host()
	})
}

func TestNewRefuses(t *testing.T) {
	good := newBench(t).Config
	for name, tc := range map[string]struct {
		change func(*hostagent.Config)
		says   string
	}{
		"no model":       {func(c *hostagent.Config) { c.Model = nil }, "Model"},
		"no desktop":     {func(c *hostagent.Config) { c.Desktop = nil }, "Desktop"},
		"prompt":         {func(c *hostagent.Config) { c.Prompt = "{{.Name" }, "Config.Prompt"},
		"prompt of apps": {func(c *hostagent.Config) { c.Config.Prompt = "{{if}}" }, "Config.Config.Prompt"},
		"states of apps": {func(c *hostagent.Config) {
			c.Config.States = appagent.States().With(fsm.Edge{From: fsm.Continue, To: "NOWHERE", By: fsm.ByModel})
		}, "Config.Config.States"},
		"unnamed program": {func(c *hostagent.Config) { c.Apps = []hostagent.Program{{Name: "a"}, {Name: " "}} }, `Config.Apps[1]: the name " "`},
		"program twice":   {func(c *hostagent.Config) { c.Apps = []hostagent.Program{{Name: "a"}, {Name: "A"}} }, `Config.Apps[1]: the name "A"`},
		"edge to nowhere": {func(c *hostagent.Config) {
			c.States = c.States.With(fsm.Edge{From: fsm.Continue, To: "NOWHERE", By: fsm.ByModel})
		}, "NOWHERE"},
		"no way to FAIL after a no": {func(c *hostagent.Config) {
			c.Verify = func(context.Context, proof.Claim) (proof.Finding, error) {
				return proof.Finding{Verdict: proof.No}, nil
			}
		}, "Config.States: Config.Verify needs an edge from CONTINUE to FAIL"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			cfg.States = hostagent.States()
			tc.change(&cfg)
			agent, err := hostagent.New(cfg)
			require.Error(t, err)
			assert.Nil(t, agent)
			assert.ErrorIs(t, err, hostagent.ErrConfig)
			assert.ErrorContains(t, err, "hostagent: Config")
			assert.ErrorContains(t, err, tc.says)
		})
	}
}

// What the caller does to its Config later changes nothing.
func TestConfigIsCopied(t *testing.T) {
	b := newBench(t, assign("1", "chart"), say(fsm.Finish), say(fsm.Finish))
	command := []string{"excel.exe"}
	b.Config.Apps = []hostagent.Program{{Name: "excel", Command: command}}
	host, s := b.session()
	b.Config.Apps[0].Name, command[0] = "calc", "calc.exe"
	_, err := s.Run(t.Context(), "do it")
	require.NoError(t, err)
	assert.Equal(t, []any{"excel.exe"}, b.Desktop.Calls(desktop.LaunchApplication)[0].Command.Parameters["command"])
	assert.NotNil(t, host.App("excel/book"))
}

func TestBegin(t *testing.T) {
	host := newBench(t).host()
	for _, text := range []string{"", " \n"} {
		assert.EqualError(t, host.Begin(t.Context(), fsm.Task{Text: text}), "hostagent: the request has no text")
	}
	require.NoError(t, host.Begin(context.Background(), fsm.Task{Text: "a chart"}))
	assert.Equal(t, "a chart", host.Request())
	raw, ok := host.Board().Raw("requests")
	require.True(t, ok)
	assert.JSONEq(t, `["a chart"]`, string(raw))
}

// A prompt that no step could execute is an error of New, of all three prompts. The
// class: whatever parses and cannot be executed with the fields that there are.
func TestPromptsAreExecutedInNew(t *testing.T) {
	for prompt, ok := range map[string]bool{
		"{{.Nope}}":                           false,
		"{{.Name.Nope}}":                      false,
		`{{if eq .Name "x"}}{{.Nope}}{{end}}`: false,
		`{{range .Name}}{{end}}{{if eq .Name "x"}}{{.A.B}}{{end}}`: false,
		"{{.Name}} is terse":                               true,
		`{{with .Name}}{{.}}{{$.Name}}{{end}}`:             true,
		`{{if .Offers "PENDING"}}{{.Name}}{{end}}`:         true,
		`{{define "x"}}{{.}}{{end}}{{template "x" .Name}}`: true,
	} {
		t.Run(prompt, func(t *testing.T) {
			made := map[string]error{}
			cfg := newBench(t).Config
			cfg.Prompt = prompt
			_, made["Config.Prompt"] = hostagent.New(cfg)
			cfg.Prompt, cfg.Config.Prompt = "", prompt
			_, made["Config.Config.Prompt"] = hostagent.New(cfg)
			_, err := appagent.New(appagent.Config{
				Model: cfg.Model, Desktop: cfg.Desktop, Prompt: prompt,
				Window: desktop.Window{ID: "1", Root: "word", Process: "report"},
			})
			made["Prompt"] = err
			for field, err := range made {
				if ok {
					require.NoError(t, err, field)
				} else {
					assert.ErrorContains(t, err, field)
				}
			}
		})
	}
}

// A host that nobody watches has an edge more, so that it can give up.
func TestUnattendedConforms(t *testing.T) {
	states := hostagent.States().With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})
	b := newBench(t)
	b.Config.States = states
	fsmtest.Run(t, states, func() fsm.Agent { return b.host() })
}

// The kind of the Examples is one that readers copy.
func TestClerkConforms(t *testing.T) {
	fsmtest.Run(t, clerkStates, func() fsm.Agent { return &clerk{app: appagent.Config{Name: "AppAgent/word/report.docx"}} })
}
