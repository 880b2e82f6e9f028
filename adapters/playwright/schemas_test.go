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

// Providers take the schemas that are made of the browser's tools, those of the server among
// them.
func TestProvidersTakeTheSchemas(t *testing.T) {
	for name, opts := range map[string]*playwright.Options{
		"own":          {Name: "shop", Home: shop + "/form.html"},
		"and server's": {Name: "shop", Home: shop + "/form.html", ServerTools: []string{"browser_hover", "browser_evaluate", "browser_fill_form"}},
	} {
		t.Run(name, func(t *testing.T) {
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
		})
	}
}
