package appagent

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
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

// Agents of one desktop have one schema, and a step makes none.
func TestSchemaIsShared(t *testing.T) {
	box := closedtest.Toolboxes(t, "..")["well-known"]
	offered := []fsm.Status{fsm.Continue, fsm.Finish}
	var one, other builtin.Kept
	schema, err := builtin.ReplySchema[decision](&one, box, offered, builtin.ReplyForm{})
	require.NoError(t, err)
	again, err := builtin.ReplySchema[decision](&other, box, offered, builtin.ReplyForm{})
	require.NoError(t, err)
	assert.Same(t, schema, again)
	assert.Zero(t, testing.AllocsPerRun(10, func() { _, _ = builtin.ReplySchema[decision](&one, box, offered, builtin.ReplyForm{}) }))
	fewer, err := builtin.ReplySchema[decision](&one, box, offered[:1], builtin.ReplyForm{})
	require.NoError(t, err)
	assert.NotEqual(t, string(schema.JSON), string(fewer.JSON))
	back, err := builtin.ReplySchema[decision](&one, box, offered, builtin.ReplyForm{})
	require.NoError(t, err)
	assert.Equal(t, string(schema.JSON), string(back.JSON), "byte for byte")
}

// Past a provider's limits the schema is the open one.
func TestTooManyToolsAreOfferedOpenly(t *testing.T) {
	for n, closed := range map[int]bool{990: true, 1000: false} {
		tools := make([]desktop.Tool, n)
		for i := range tools {
			tools[i] = desktop.Tool{Name: fmt.Sprint("tool", i), InputSchema: []byte(fmt.Sprintf(`{"type":"object","properties":{"p%d":{"type":"string"}}}`, i))}
		}
		box, err := desktop.NewToolbox(tools, nil)
		require.NoError(t, err)
		schema, err := builtin.ReplySchema[decision](&builtin.Kept{}, box, []fsm.Status{fsm.Finish}, builtin.ReplyForm{})
		require.NoError(t, err)
		assert.Equal(t, closed, schema != nil, n)
		if schema != nil {
			assert.Empty(t, closedtest.OpenAI(schema.JSON))
		}
	}
}

// What an agent does not see has no place in its reply.
func TestSchemaWithoutWhatNobodySees(t *testing.T) {
	box, err := desktop.NewToolbox([]desktop.Tool{{Name: "note"}}, nil)
	require.NoError(t, err)
	names := []string{"ControlLabel", "ControlText", "SaveScreenshot"}
	for form, gone := range map[builtin.ReplyForm][]string{{}: nil, {NoControls: true}: names[:2], {NoScreenshot: true}: names[2:]} {
		schema, err := builtin.ReplySchema[decision](&builtin.Kept{}, box, []fsm.Status{fsm.Finish}, form)
		require.NoError(t, err)
		for _, name := range names {
			assert.Equal(t, !slices.Contains(gone, name), strings.Contains(string(schema.JSON), name), "%+v: %s", form, name)
		}
	}
}

func TestPromptSaysWhatIsOffered(t *testing.T) {
	closedtest.PromptSaysStatuses(t, defaultPrompt, says, func(offered []fsm.Status) any {
		return builtin.AppFields{Controls: true, Statuses: builtin.StatusesOf(offered)}
	})
}
