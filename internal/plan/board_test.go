package plan_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/plan"
)

// keep puts a plan on a blackboard, as a host does.
func keep(t *testing.T, board *blackboard.Board, p plan.Plan) error {
	t.Helper()
	raw, err := json.Marshal(p)
	require.NoError(t, err)
	return board.PutRaw(boarddata.Plan, raw)
}

// kept reads the plan that a blackboard has.
func kept(t *testing.T, board *blackboard.Board) (p plan.Plan, err error) {
	t.Helper()
	raw, ok, err := blackboard.NewKey[json.RawMessage](boarddata.Plan).Get(board)
	require.NoError(t, err)
	require.True(t, ok)
	return p, json.Unmarshal(raw, &p)
}

// What the blackboard has is a list of texts or a graph; anything else is no plan.
func TestPlanOnABoard(t *testing.T) {
	board := blackboard.New(nil)
	require.NoError(t, board.PutRaw("plan", json.RawMessage(`["read","draw"]`)))
	p, err := kept(t, board)
	require.NoError(t, err)
	assert.Equal(t, plan.Notes("read", "draw"), p)

	for _, text := range []string{`7`, `[7]`, `[{"id":"a","task":"x","status":"hunter2"}]`} {
		require.NoError(t, board.PutRaw("plan", json.RawMessage(text)))
		_, err := kept(t, board)
		assert.Error(t, err, text)
	}

	p, err = plan.Plan(nil).Revise(plan.Draft{{ID: "a", Task: "read <&>"}, {ID: "b", Task: "draw", DependsOn: []string{"a"}}})
	require.NoError(t, err)
	require.NoError(t, keep(t, board, p))
	raw, err := board.Lookup("plan.0")
	require.NoError(t, err)
	assert.Equal(t, `{"id":"a","task":"read <&>","status":"planned"}`, string(raw))
	again, err := kept(t, board)
	require.NoError(t, err)
	assert.Equal(t, p, again)
}

// What was begun can be ended, also on a full board: the plan needs no more room
// when an item finishes or fails.
func TestPlanOnAFullBoard(t *testing.T) {
	p, err := plan.Plan(nil).Revise(plan.Draft{{ID: "a", Task: "read"}})
	require.NoError(t, err)
	p = p.Assign("a", "subtask_1")
	for _, finished := range []bool{true, false} {
		board := blackboard.New(&blackboard.Options{MaxBytes: 200})
		require.NoError(t, keep(t, board, p))
		n := 200
		for board.PutRaw("rest", json.RawMessage(`"`+strings.Repeat("x", n)+`"`)) != nil {
			n--
		}
		require.ErrorIs(t, board.PutRaw("more", json.RawMessage(`1`)), blackboard.ErrFull)
		closed, _ := p.Close("subtask_1", finished)
		assert.NoError(t, keep(t, board, closed))
	}
}
