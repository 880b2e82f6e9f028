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

// item returns one with an id, a task made from it, and what it depends on.
func item(id string, needs ...string) plan.Item {
	return plan.Item{ID: id, Task: "do " + id, DependsOn: needs}
}

// drafted returns the plan of a draft that must be right.
func drafted(t *testing.T, items ...plan.Item) plan.Plan {
	t.Helper()
	p, err := plan.Plan(nil).Revise(items)
	require.NoError(t, err)
	return p
}

// done and lost carry items out.
func done(t *testing.T, p plan.Plan, ids ...string) plan.Plan { return carriedOut(t, p, true, ids...) }
func lost(t *testing.T, p plan.Plan, ids ...string) plan.Plan { return carriedOut(t, p, false, ids...) }

func carriedOut(t *testing.T, p plan.Plan, finished bool, ids ...string) plan.Plan {
	t.Helper()
	for _, id := range ids {
		e, err := p.Pick(id)
		require.NoError(t, err)
		var closed bool
		p, closed = p.Assign(e.ID, "subtask of "+id).Close("subtask of "+id, finished)
		require.True(t, closed)
	}
	return p
}

func TestLifeOfAPlan(t *testing.T) {
	p := drafted(t, item("read"), item("count", "read"), item("draw", "count", "read"), item("mail"))
	assert.True(t, p.Enforced())
	assert.Equal(t, []string{"read", "mail"}, p.Ready())
	assert.Equal(t, []string{"count", "read"}, p.Blocked("draw"))
	assert.Empty(t, p.Blocked("read"))
	assert.Empty(t, p.Blocked("nothing of that name"))
	assert.Equal(t, 4, p.Planned())

	working := p.Assign("read", "subtask_1")
	assert.Equal(t, []string{"read", "mail"}, p.Ready(), "a plan is a value")
	assert.Equal(t, []string{"mail"}, working.Ready())
	assert.Equal(t, 3, working.Planned())
	_, closed := working.Close("subtask_2", true)
	assert.False(t, closed, "that was another sub-task")
	p, closed = working.Close("subtask_1", true)
	require.True(t, closed)
	_, closed = p.Close("subtask_1", false)
	assert.False(t, closed, "the first close counts")

	assert.Equal(t, []string{"count", "mail"}, p.Ready())
	assert.Equal(t, []string{"count"}, p.Blocked("draw"))
	assert.Equal(t, []string{"count", "draw", "mail"}, p.Unfinished())
	assert.Equal(t, []string{"subtask_1"}, p.Inputs("draw"), "count has no sub-task yet")
	assert.Empty(t, p.Inputs("nothing"))

	p = lost(t, p, "count")
	assert.Equal(t, []string{"mail"}, p.Ready(), "what failed is not begun again by itself")
	assert.Equal(t, []string{"count"}, p.Blocked("draw"))
	assert.Equal(t, []string{"count", "draw", "mail"}, p.Unfinished())

	p, err := p.Revise(plan.Draft{item("count", "read"), item("draw", "count", "read"), item("mail")})
	require.NoError(t, err)
	p = done(t, p, "count", "draw", "mail")
	assert.Empty(t, p.Unfinished())
	assert.Empty(t, p.Ready())
	assert.Equal(t, []string{"subtask of count", "subtask_1"}, p.Inputs("draw"))
}

func TestNotesBindNobody(t *testing.T) {
	p := plan.Notes("read", "draw", "")
	assert.False(t, p.Enforced())
	assert.Empty(t, p.Ready())
	assert.Empty(t, p.Unfinished())
	assert.Equal(t, 3, p.Planned())
	assert.Equal(t, []string{"read", "draw", ""}, p.Texts())
	assert.NoError(t, p.Check())
	assert.Equal(t, p, p.Assign("", "subtask_1"))
	_, closed := p.Close("", true)
	assert.False(t, closed)
	assert.False(t, plan.Plan(nil).Enforced())
}

// What was begun can be ended, also on a full board: the plan needs no more room
// when an item finishes or fails.
func TestPlanOnAFullBoard(t *testing.T) {
	keep := func(board *blackboard.Board, p plan.Plan) error {
		raw, err := json.Marshal(p)
		require.NoError(t, err)
		return board.PutRaw(boarddata.Plan, raw)
	}
	p := drafted(t, item("a")).Assign("a", "subtask_1")
	for _, finished := range []bool{true, false} {
		board := blackboard.New(200)
		require.NoError(t, keep(board, p))
		n := 200
		for board.PutRaw("rest", json.RawMessage(`"`+strings.Repeat("x", n)+`"`)) != nil {
			n--
		}
		require.ErrorIs(t, board.PutRaw("more", json.RawMessage(`1`)), blackboard.ErrFull)
		closed, _ := p.Close("subtask_1", finished)
		assert.NoError(t, keep(board, closed))
	}
}

// FuzzPlan reads and writes plans and drafts.
func TestJSON(t *testing.T) {
	p := drafted(t, plan.Item{ID: "read", Task: "read <&>", Application: "word"}, item("draw", "read"))
	for want, p := range map[string]plan.Plan{
		`null`:        nil,
		`[]`:          {},
		`["read",""]`: plan.Notes("read", ""),
		`[{"id":"read","task":"read \u003c\u0026\u003e","application":"word","status":"assigned","subtask":"subtask_1"},` +
			`{"id":"draw","task":"do draw","depends_on":["read"],"status":"planned"}]`: p.Assign("read", "subtask_1"),
	} {
		raw, err := json.Marshal(p)
		require.NoError(t, err)
		assert.Equal(t, want, string(raw))
		var again plan.Plan
		require.NoError(t, json.Unmarshal(raw, &again))
		assert.Equal(t, p, again)
	}
	raw, err := p[0].MarshalJSON()
	require.NoError(t, err)
	assert.Contains(t, string(raw), "<&>", "whoever encodes the whole decides")
}

func TestJSONRefused(t *testing.T) {
	for _, text := range []string{`[1]`, `[null]`, `[["a"]]`, `[{"id":1}]`, `[{"id":"a","task":"b","status":"half done"}]`, `{}`} {
		var p plan.Plan
		assert.Error(t, json.Unmarshal([]byte(text), &p), text)
	}
	for _, text := range []string{`[1]`, `[{"id":1}]`, `[{"depends_on":"a"}]`} {
		var d plan.Draft
		assert.Error(t, json.Unmarshal([]byte(text), &d), text)
	}
}

func TestShow(t *testing.T) {
	p := drafted(t, item("a"), item("b", "a"), item("c", "b"), item("d"))
	p = lost(t, done(t, p, "a"), "b")
	raw, err := json.Marshal(p.Show())
	require.NoError(t, err)
	assert.JSONEq(t, `[
		{"id":"a","task":"do a","status":"finished","subtask":"subtask of a"},
		{"id":"b","task":"do b","depends_on":["a"],"status":"failed","subtask":"subtask of b"},
		{"id":"c","task":"do c","depends_on":["b"],"status":"planned","blocked_by":["b"]},
		{"id":"d","task":"do d","status":"planned","ready":true}]`, string(raw))
	var again plan.Plan
	require.NoError(t, json.Unmarshal(raw, &again))
	assert.Equal(t, p, again)

	long := strings.Repeat("x", 5000)
	shown := drafted(t, plan.Item{ID: long, Task: long, Application: long}, plan.Item{ID: "b", Task: "t", DependsOn: []string{long}}).Show()
	raw, err = json.Marshal(shown)
	require.NoError(t, err)
	assert.Less(t, len(raw), 3000, "no text fills a prompt")
	assert.Equal(t, strings.Repeat("x", 2048)+"… [cut: 5000 bytes in all]", shown[0].Task)
	assert.Equal(t, strings.Repeat("x", 120)+"…", shown[0].ID)
	assert.Equal(t, []string{shown[0].ID}, shown[1].BlockedBy)

	raw, err = json.Marshal(plan.Notes("a", "<b>").Show())
	require.NoError(t, err)
	assert.JSONEq(t, `["a","<b>"]`, string(raw))
}
