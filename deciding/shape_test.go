package deciding_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/deciding"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm"
)

// The schema of a type and its statuses is made once, and is nobody's to change.
func TestAskSchemaIsTheCallers(t *testing.T) {
	type shaped struct {
		Status fsm.Status
	}
	enum := func(req *llm.Request) []string {
		var schema struct {
			Properties map[string]struct{ Enum []string }
		}
		require.NoError(t, json.Unmarshal(req.Schema.JSON, &schema))
		return schema.Properties["Status"].Enum
	}
	ask := func(allowed ...fsm.Status) []string {
		var seen []string
		_, err := deciding.Ask(t.Context(), deciding.Inquiry[shaped]{
			Model: llm.ModelFunc(func(_ context.Context, req *llm.Request) (*llm.Response, error) {
				seen = enum(req)
				for i := range req.Schema.JSON { // a model should not, but may
					req.Schema.JSON[i] = 'x'
				}
				req.Schema.Name = "spoiled"
				return &llm.Response{Text: fmt.Sprintf(`{"Status": %q}`, allowed[0])}, nil
			}),
			Allowed: allowed,
		})
		require.NoError(t, err)
		return seen
	}
	for range 2 {
		assert.Equal(t, []string{"A", "BC"}, ask("A", "BC"))
		assert.Equal(t, []string{"AB", "C"}, ask("AB", "C"))
	}
	for i := range 1100 { // more than are remembered
		word := fmt.Sprintf("S%d", i)
		require.Equal(t, []string{word}, ask(fsm.Status(word)))
	}
	assert.Equal(t, []string{"A", "BC"}, ask("A", "BC"))
}
