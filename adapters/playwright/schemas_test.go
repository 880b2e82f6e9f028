package playwright_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/playwright"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Providers take the schemas that are made of the browser's tools.
func TestProvidersTakeTheSchemas(t *testing.T) {
	opts := &playwright.Options{Name: "shop", Home: shop + "/form.html"}
	t.Run("in calls", func(t *testing.T) { testTools(t, opts) })
	var schemas []*llm.Schema
	model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		schemas = append(schemas, req.Schema)
		if len(schemas) == 1 {
			return &llm.Response{Text: `{"Status": "ASSIGN", "ControlText": "shop", "CurrentSubTask": "fill in the form"}`}, nil
		}
		return &llm.Response{Text: `{"Status": "FINISH", "Result": "done"}`}, nil
	})
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Desktop: browse(t, newFake(), opts).Desktop, Model: model, User: people.Later()}})
	require.NoError(t, err)
	r, err := round.New(host, "order", nil)
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.NoError(t, err)
	require.Len(t, schemas, 3)
	for _, s := range schemas {
		assert.True(t, s.Strict)
		for provider, problems := range closedtest.Providers {
			assert.Empty(t, problems(s.JSON), "%s: %s", provider, s.JSON)
		}
	}
}

// testTools looks at the tools of replies that are calls.
func testTools(t *testing.T, opts *playwright.Options) {
	t.Helper()
	asked := 0
	model := llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
		asked++
		for _, tool := range req.Tools {
			require.NotNil(t, tool.Strict, tool.Name)
			for provider, problems := range closedtest.Providers {
				assert.Empty(t, problems(tool.Strict), "%s, %s", provider, tool.Name)
			}
		}
		call := llm.Call{ID: "1", Name: "FINISH", Args: []byte(`{"Result": "done", "Open": [], "Plan": null, "Comment": ""}`)}
		if asked == 1 {
			call = llm.Call{ID: "1", Name: "ASSIGN", Args: []byte(`{"ControlText": "shop", "CurrentSubTask": "fill in the form"}`)}
		}
		return &llm.Response{Calls: []llm.Call{call}}, nil
	})
	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Desktop: browse(t, newFake(), opts).Desktop, Model: model, User: people.Later(), ToolCalls: true}})
	require.NoError(t, err)
	r, err := round.New(host, "order", nil)
	require.NoError(t, err)
	_, err = r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 3, asked)
}
