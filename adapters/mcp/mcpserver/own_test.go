package mcpserver_test

import (
	"context"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/people"
)

// The client beside it is a client like any other: a host can use another host as a
// tool, and the person of the one is asked by the other.
func TestOwnClient(t *testing.T) {
	for word, deleted := range map[string][]string{"yes": {"a.txt"}, "no": nil, "decline": nil} {
		t.Run(word, func(t *testing.T) {
			o := newOffice()
			s := newServer(t, o.plays(delete1, done))
			ours, theirs := sdk.NewInMemoryTransports()
			served := make(chan error, 1)
			go func() { served <- s.Serve(context.Background(), theirs) }()
			asked := 0
			d, err := mcp.Open(t.Context(), mcp.Config{
				Servers: []mcp.Server{{Name: "desk", Transport: ours}},
				User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
					asked++
					assert.Contains(t, q.Text, `Allow delete_file {"file":"a.txt","token":"***"}?`)
					if strings.Contains(q.Text, "reason (If not: why?)") {
						return people.Answer{}, nil
					}
					return people.Answer{Text: word}, nil
				}),
			})
			require.NoError(t, err)
			res, err := desktop.Execute(t.Context(), d, desktop.Command{ToolName: "run_task", Parameters: map[string]any{"request": "delete it"}})
			require.NoError(t, err)
			assert.Equal(t, deleted != nil, res.Status == desktop.Success)
			assert.Equal(t, deleted, o.gone())
			assert.Positive(t, asked)
			require.NoError(t, d.Close())
			require.NoError(t, <-served)
		})
	}
}
