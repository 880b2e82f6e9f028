package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/llm"
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
