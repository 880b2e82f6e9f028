package hostagent_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
)

// A prompt that no step could execute is an error of New, of all three prompts. The
// class: whatever parses and cannot be executed with the fields that there are.
func TestPromptsAreExecutedInNew(t *testing.T) {
	for prompt, ok := range map[string]bool{
		"{{.Nope}}":                                   false,
		`{{template "x"}}`:                            false,
		"{{.Name.Nope}}":                              false,
		"{{len 3}}":                                   false,
		`{{if eq .Name "x"}}{{.Nope}}{{end}}`:         false,
		`{{if .Name}}{{else}}{{.Nope}}{{end}}`:        false,
		`{{with .Name}}{{$.Nope}}{{end}}`:             false,
		`{{if .Window.Title}}{{.Window.Nope}}{{end}}`: false,
		`{{range .Name}}{{end}}{{if eq .Name "x"}}{{.A.B}}{{end}}`: false,
		"{{.Name}} is terse":                               true,
		"without any field":                                true,
		"{{if .Name}}x{{end}}":                             true,
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
