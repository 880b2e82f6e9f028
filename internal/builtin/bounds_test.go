package builtin_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/builtin"
	"github.com/agentfsm/agentfsm/llm"
)

// linear requires that work on a list of n entries allocates at most so many times for each entry. A
// nested loop allocates some hundred times more.
func linear(t *testing.T, n, each int, work func()) {
	t.Helper()
	assert.Less(t, testing.AllocsPerRun(1, work), float64(n*each))
}

func TestManyNotesAreLinear(t *testing.T) {
	const n = 1000
	first, second := make([]string, n), make([]string, n)
	for i := range n {
		first[i], second[i] = fmt.Sprintf("do  Note %d", i), fmt.Sprintf("Do note %d", i/2)
	}
	linear(t, n, 50, func() {
		var p builtin.Proving
		p.Write(false, first...)
		p.Write(false, second...)
		assert.Len(t, p.Notes, n/2)
		assert.Equal(t, "plan_1", p.Notes[0].ID)
	})
}

func TestADeepTreeIsLinear(t *testing.T) {
	const n = 2000
	c := desktop.Control{ID: "last", Bounds: [4]int{0, 0, 9, 9}}
	for i := range n {
		c = desktop.Control{ID: fmt.Sprint(i), Children: []desktop.Control{c}}
	}
	tree := []desktop.Control{c}
	linear(t, n, 1, func() {
		assert.Len(t, builtin.PathTo(tree, "last"), n+1)
		path, _ := builtin.AtPoint(tree, builtin.Points(desktop.Command{ToolName: desktop.ClickOnCoordinates, Parameters: map[string]any{"x": 1, "y": 1}})[0])
		assert.Len(t, path, n+1)
	})
}

func TestManyArgumentsOfAStatusAreLinear(t *testing.T) {
	const n = 1000
	args := map[string]string{}
	for i := range n {
		args[fmt.Sprintf("Word%dOf", i)] = "x"
	}
	raw, err := json.Marshal(args)
	require.NoError(t, err)
	f, box := toolCalls(t)
	linear(t, n, 50, func() {
		text, err := f.Called(box, "", []llm.Call{{Name: "FINISH", Args: raw}})
		require.NoError(t, err)
		assert.Contains(t, text, "Word999Of")
	})
}

// An act may name as many controls as its arguments have room for.
func TestManyNamedControlsAreLinear(t *testing.T) {
	const n = 1000
	var fields []any
	var tree []desktop.Control
	for i := range n {
		fields = append(fields, map[string]any{"ref": fmt.Sprint(i)})
		tree = append(tree, desktop.Control{ID: fmt.Sprint(i), Type: "Edit"})
	}
	linear(t, n, 50, func() {
		assert.Len(t, builtin.Named(desktop.Command{ToolName: "fill", Parameters: map[string]any{"fields": fields}}, "", tree), n)
	})
}
