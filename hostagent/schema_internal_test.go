package hostagent

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
)

// Whatever is offered, providers take the schema.
func TestSchemasFitTheRules(t *testing.T) {
	model := States().Bind(fsm.Continue).Targets(fsm.ByModel)
	for name, box := range closedtest.Toolboxes(t, "..") {
		for i := 1; i < 1<<len(model); i++ {
			var offered []fsm.Status
			for j, s := range model {
				if i&(1<<j) != 0 {
					offered = append(offered, s)
				}
			}
			var kept builtin.Kept
			schema, err := builtin.ReplySchema[decision](&kept, box, offered, builtin.ReplyForm{})
			require.NoError(t, err)
			require.NotNil(t, schema)
			assert.True(t, schema.Strict)
			assert.NotContains(t, string(schema.JSON), `"description"`)
			assert.Empty(t, closedtest.OpenAI(schema.JSON), "%s, %v", name, offered)
			if name != "playwright" { // its servers' own tools have more choices than Anthropic takes
				assert.Empty(t, closedtest.Anthropic(schema.JSON), "%s, %v", name, offered)
			}
		}
	}
}

func TestPromptSaysWhatIsOffered(t *testing.T) {
	closedtest.PromptSaysStatuses(t, defaultPrompt, says, func(offered []fsm.Status) any {
		return builtin.HostFields{GraphPlans: true, Shell: true, Statuses: builtin.StatusesOf(offered)}
	})
}
