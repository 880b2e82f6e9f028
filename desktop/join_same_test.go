package desktop_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// listing is a desktop whose tools change.
type listing struct{ tools []desktop.Tool }

func (l *listing) Tools(context.Context) ([]desktop.Tool, error) { return slices.Clone(l.tools), nil }

func (l *listing) Execute(context.Context, desktop.Command) (desktop.Result, error) {
	return desktop.TextResult("done"), nil
}

// A Join whose desktops list what they did returns the same tools, in a slice that the caller owns,
// and others when a desktop lists others.
func TestJoinWhileListsStay(t *testing.T) {
	own, err := desktop.New(desktop.Func("own", "", func(context.Context, struct{}) (string, error) { return "", nil }, nil))
	require.NoError(t, err)
	other := &listing{}
	joined := desktop.Join(own, other)
	for _, tools := range [][]desktop.Tool{
		nil, nil, {{Name: "a"}}, {{Name: "a"}}, {{Name: "a", Description: "new"}}, {{Name: "b"}}, {{Name: "own"}}, nil,
	} {
		other.tools = tools
		got, err := joined.Tools(t.Context())
		require.NoError(t, err)
		want, err := desktop.Join(own, other).Tools(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, got)
		clear(got)
		res, err := joined.Execute(t.Context(), desktop.Command{ToolName: "a", CallID: "1"})
		require.NoError(t, err)
		assert.Equal(t, len(tools) > 0 && tools[0].Name == "a", res.Status == desktop.Success)
	}
}
