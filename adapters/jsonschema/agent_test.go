package jsonschema_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/jsonschema"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/round"
)

// An agent offers a tool with such a keyword, and refuses what does not fit before anything is
// sent. Without the Validator the tool is not there.
func TestAgent(t *testing.T) {
	for _, name := range []string{"unevaluatedProperties", "$dynamicRef", "dependentSchemas", "if"} {
		for misfit, want := range schemas[name].misfits {
			run := func(validator desktop.Validator, replies ...any) (*desktoptest.Desktop, *llmtest.Model, string) {
				d := desktoptest.New(t)
				d.AddTools(desktoptest.Tool{Name: "odd", Schema: schemas[name].schema}, desktoptest.Tool{Name: "plain"})
				model := llmtest.Script(t, replies...)
				var log bytes.Buffer
				agent, err := appagent.New(appagent.Config{Model: model, Desktop: d, Validator: validator, Logger: slog.New(slog.NewTextHandler(&log, nil))})
				require.NoError(t, err)
				r, err := round.New(agent, "do it", nil)
				require.NoError(t, err)
				_, err = r.Run(t.Context())
				require.NoError(t, err)
				return d, model, log.String()
			}
			offered := func(model *llmtest.Model) (names []string) {
				for _, tool := range llmtest.Section[[]desktop.Tool](t, model.Requests()[0], "tools") {
					names = append(names, tool.Name)
				}
				return names
			}
			const done = `{"Status": "FINISH", "Comment": "done"}`
			odd := func(args string) string { return `{"Status": "CONTINUE", "Function": "odd", "Args": ` + args + `}` }

			d, model, log := run(nil, done)
			assert.NotContains(t, offered(model), "odd")
			assert.Contains(t, offered(model), "plain")
			assert.Contains(t, log, `tool \"odd\" cannot be used: nothing checks the keyword `+name)
			assert.Empty(t, d.Calls("odd"))

			d, model, log = run(jsonschema.Validator, odd(misfit), odd(schemas[name].fits), done)
			assert.Contains(t, offered(model), "odd")
			assert.Empty(t, log)
			require.Len(t, d.Calls("odd"), 1, "only what fits is sent")
			assert.Contains(t, llmtest.Section[string](t, model.Requests()[1], "last_error"), want)
		}
	}
}
