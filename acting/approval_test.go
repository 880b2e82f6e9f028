package acting_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/people"
)

// A command is shown whole, the policy's words are not the agent's, and the parts of the
// text are there for programs with a form of their own.
func TestApprovalQuestion(t *testing.T) {
	long := strings.Repeat("a", 2*acting.MaxOutput)
	act := write(map[string]any{"a": long, "key": "hunter2"})
	act.Target = "book\u202e"
	approval := acting.NewApproval("a1", act, "it\u009b writes")
	approval.Shown.Parameters["key"] = "***"
	user := answers(true, true)
	confirm(t, approval, user, "done\x1b soon")
	q := user.asked[0]
	assert.Equal(t, `Allow write {"a":"`+long+`","key":"***"} on "book\u202e"? It needs approval because it\u009b writes. The agent says: "done\x1b soon"`, q.Text)
	assert.Equal(t, []string{"a1", "clerk", `book\u202e`, `it\u009b writes`, `done\u001b soon`}, []string{q.ID, q.Agent, q.Target, q.Reason, q.Comment})
	assert.True(t, q.Approval)
	assert.Equal(t, act.Command.Parameters, q.Command.Parameters)
	assert.Equal(t, map[string]any{"a": long, "key": "***"}, q.Shown.Parameters)
	q.Command.Parameters["a"], q.Shown.Parameters["a"] = "changed", "changed"
	assert.True(t, approval.Covers(act), "they are copies")

	confirm(t, acting.NewApproval("a1", write(nil), "it writes"), user, "it writes")
	assert.Equal(t, `Allow write on "book"? It needs approval because it writes.`, user.asked[1].Text)
}

func TestApprovalCovers(t *testing.T) {
	act := write(map[string]any{"id": 7.0, "rows": []any{"a", map[string]any{"b": nil}}})
	a := granted(t, act)
	assert.True(t, a.Covers(act))
	assert.True(t, a.Covers(write(map[string]any{"rows": []any{"a", map[string]any{"b": nil}}, "id": json.Number("7")})), "the same arguments in another Go type")

	for name, change := range map[string]func(*acting.Act){
		"tool":          func(a *acting.Act) { a.Command.ToolName = "erase" },
		"target":        func(a *acting.Act) { a.Target = "other" },
		"argument":      func(a *acting.Act) { a.Command.Parameters["id"] = 8.0 },
		"argument gone": func(a *acting.Act) { delete(a.Command.Parameters, "rows") },
		"deep":          func(a *acting.Act) { a.Command.Parameters["rows"].([]any)[1].(map[string]any)["b"] = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			other := write(map[string]any{"id": 7.0, "rows": []any{"a", map[string]any{"b": nil}}})
			require.True(t, a.Covers(other))
			change(&other)
			assert.False(t, a.Covers(other))
		})
	}
	assert.False(t, acting.NewApproval("a1", act, "").Covers(act), "not granted")
	act.Command.Parameters["rows"].([]any)[0] = "changed by its owner"
	assert.False(t, a.Covers(act), "an approval keeps a copy")
}

// What cannot be compared is never approved, not even for itself.
func TestApprovalOfWhatIsNoJSON(t *testing.T) {
	act := write(map[string]any{"n": math.Inf(1)})
	a := acting.NewApproval("a1", act, "")
	d := confirm(t, a, answers(true), "")
	assert.Equal(t, fsm.Fail, d.To)
	assert.Equal(t, fsm.BySystem, d.By)
	a.Granted = true
	assert.False(t, a.Covers(act))

	a = acting.NewApproval("a1", write(map[string]any{"id": 1}), "")
	d = confirm(t, a, answers(func(context.Context, people.Question) (people.Answer, error) {
		a.Act.Command.Parameters["id"] = 2
		return people.Answer{Approved: true}, nil
	}), "")
	assert.Equal(t, fsm.Decision{To: fsm.Fail, By: fsm.BySystem, Reason: "write was not executed: the call changed while the user was asked"}, d)
	assert.False(t, a.Granted)
}

type point struct{ Y, X int }

// A run that goes on in another process has its approvals from JSON, and the
// arguments in whatever Go types its decoder makes.
func TestApprovalAsJSON(t *testing.T) {
	for name, params := range map[string]map[string]any{
		"floats":       {"a": 0.1, "b": 1e21, "c": 1e-9, "d": 1000000.0, "e": float32(0.25)},
		"long ids":     {"a": int64(math.MaxInt64), "b": json.Number("12345678901234567890"), "c": uint64(math.MaxUint64)},
		"nested":       {"a": []any{map[string]any{"z": 1, "a": []any{}}}, "b": []string{"x"}, "c": json.RawMessage(`{"b": 1, "a": 2}`)},
		"Go values":    {"a": point{1, 2}, "b": []point{{3, 4}}, "c": []byte("x")},
		"broken UTF-8": {"a": "x\xff"},
	} {
		t.Run(name, func(t *testing.T) {
			act := write(params)
			raw, err := json.Marshal(acting.Work{Approval: granted(t, act)})
			require.NoError(t, err)

			var back acting.Work
			require.NoError(t, json.Unmarshal(raw, &back), "without UseNumber")
			require.NotNil(t, back.Approval)
			assert.True(t, back.Approval.Covers(act), "the act as it was")
			assert.True(t, back.Approval.Covers(back.Approval.Act), "the act as it came back")

			again, err := json.Marshal(back)
			require.NoError(t, err)
			assert.JSONEq(t, string(raw), string(again))
		})
	}
	require.Error(t, json.Unmarshal([]byte(`{"id": 1}`), new(acting.Approval)))

	a := granted(t, write(map[string]any{"id": json.Number("12345678901234567890")}))
	raw, err := json.Marshal(a.Act)
	require.NoError(t, err)
	var lost acting.Act
	require.NoError(t, json.Unmarshal(raw, &lost), "float64: another id")
	assert.False(t, a.Covers(lost))
}

func TestWorkAsksToGoOn(t *testing.T) {
	goOn := func(t *testing.T, user people.User, comment string) (fsm.Decision, error) {
		actor := &acting.Actor{User: user, Agent: "clerk", NewID: func() string { return "g1" }}
		w := wishes(t, actor, acting.Wish{To: fsm.Confirm, Reason: comment})
		return w.Confirm(t.Context(), actor, "")
	}
	golden.Cases(t, "goon.txt", func(text string) string {
		comment, answer, _ := strings.Cut(text, ": ")
		d, err := goOn(t, peopled(answer), strings.Trim(comment, "-"))
		require.NoError(t, err)
		return fmt.Sprintf("%s by %s %q", d.To, d.By, d.Reason)
	})
	user := answers(errSuspended)
	d, err := goOn(t, user, "")
	require.ErrorIs(t, err, fsm.ErrSuspend)
	assert.Zero(t, d)
	assert.Equal(t, []people.Question{{ID: "g1", Agent: "clerk", Text: "Go on?", Approval: true}}, user.asked)
}
