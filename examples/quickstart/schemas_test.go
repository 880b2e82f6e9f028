package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// Providers can hold a model to the schema of each request.
func TestProvidersTakeTheSchemas(t *testing.T) {
	asked := 0
	ctx := llm.WithInterceptor(t.Context(), func(next llm.Model) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, request *llm.Request) (*llm.Response, error) {
			asked++
			assert.True(t, request.Schema.Strict)
			for provider, problems := range closedtest.Providers {
				assert.Empty(t, problems(request.Schema.JSON), provider)
			}
			return next.Complete(ctx, request)
		})
	})
	var out, errs bytes.Buffer
	c := console{in: strings.NewReader(""), out: &out, err: &errs}
	require.Equal(t, 0, run(ctx, []string{"-out", filepath.Join(t.TempDir(), "sales.xlsx")}, c), errs.String())
	assert.Positive(t, asked)
}

// So they can to the tools of each request, where replies are calls.
func TestProvidersTakeTheTools(t *testing.T) {
	asked := 0
	model := llm.ModelFunc(func(_ context.Context, request *llm.Request) (*llm.Response, error) {
		asked++
		for _, tool := range request.Tools {
			if tool.Strict == nil { // their cells are anything
				assert.Contains(t, []string{"write_rows", "write_cell"}, tool.Name)
				continue
			}
			for provider, problems := range closedtest.Providers {
				assert.Empty(t, problems(tool.Strict), "%s, %s", provider, tool.Name)
			}
		}
		args := `{"CurrentSubTask": "read", "Message": "", "Context": "", "ControlLabel": "1", "ControlText": "", "Plan": null, "Comment": ""}`
		name := "ASSIGN"
		if asked > 1 {
			name, args = "FINISH", `{"Result": "[1]", "Open": [], "Plan": null, "Comment": ""}`
		}
		return &llm.Response{Calls: []llm.Call{{ID: "1", Name: name, Args: []byte(args)}}}, nil
	})
	screen := office.New(office.File(""))
	t.Cleanup(func() { assert.NoError(t, screen.Close()) })
	host, err := hostagent.New(hostagent.Config{
		Config: appagent.Config{Model: model, Desktop: screen, User: people.Later(), ToolCalls: true, MaxReasks: 1},
		Apps:   []hostagent.Program{office.Excel(filepath.Join(t.TempDir(), "sales.xlsx"))},
	})
	require.NoError(t, err)
	r, err := round.New(host, "read it", nil)
	require.NoError(t, err)
	result, err := r.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 3, asked, result.Answer)
}
