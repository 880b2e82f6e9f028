package plan_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/plan"
)

// Whatever is read as a plan can be checked and written, and comes back as
// it was; whatever Revise lets pass is right.
func FuzzPlan(f *testing.F) {
	for _, text := range []string{"a\r\nb", "<script>alert(1)</script>", "a|b|c", "a\u2028b\u2029c\u0085d", "\x00\x1b[31m", "\xff\xfe", "\u202etxt", "", "\\"} {
		raw, err := json.Marshal([]any{text, map[string]any{"id": text, "task": text, "depends_on": []string{text}}})
		require.NoError(f, err)
		f.Add(string(raw), text)
	}
	f.Add(`[{"id":"a","task":"x","depends_on":["b"]},{"id":"b","task":"y","status":"finished","subtask":"subtask_1"}]`, "a")
	f.Add(`[{"id":"a","task":"x","depends_on":["b"]},{"id":"b","task":"y","depends_on":["c"]},{"id":"c","task":"y","depends_on":["a","b"]}]`, "y")
	f.Add(`["a","b"]`, "")
	f.Add(`[{"id":"a","task":"x","status":"finished"},{"id":"ｂ","task":"y","depends_on":["a"]},{"id":"c","task":"z","depends_on":["ｂ"]}]`, "A")
	f.Add(`[{"id":"a","task":"x"},{"id":"A","task":"y"},{"id":"a\u200b","task":"z"}]`, "a")
	f.Add(`[{"id":"a","task":"x","status":"dropped"},{"id":"b","task":"y"},{"id":"a","task":"z"}]`, "a")
	f.Fuzz(func(t *testing.T, text, pick string) {
		var p plan.Plan
		if json.Unmarshal([]byte(text), &p) == nil {
			raw, err := json.Marshal(p)
			require.NoError(t, err)
			var again plan.Plan
			require.NoError(t, json.Unmarshal(raw, &again))
			rewritten, err := json.Marshal(again)
			require.NoError(t, err)
			assert.Equal(t, string(raw), string(rewritten))
			if p.Check() == nil {
				requireSound(t, p)
			}
		}
		var d plan.Draft
		if json.Unmarshal([]byte(text), &d) != nil {
			return
		}
		next, err := p.Revise(d)
		if err != nil {
			assert.NotEmpty(t, err.Error())
			return
		}
		require.NoError(t, next.Check())
		requireSound(t, next)
		for _, e := range p {
			there := slices.ContainsFunc(next, func(n plan.Entry) bool {
				return n.ID == e.ID || strings.EqualFold(strings.Join(strings.Fields(n.Task), ""), strings.Join(strings.Fields(e.Task), ""))
			})
			assert.True(t, there || e.ID == "", "no item disappears")
		}
		if e, err := next.Pick(pick); err == nil {
			assert.Contains(t, next.Ready(), e.ID)
			assert.Empty(t, next.Blocked(e.ID))
		}
	})
}

// requireSound requires that all items that are planned can be carried out, one
// after another, each behind what it depends on. A plan that was made by other
// means than Revise may stand still at something that failed or is being worked on.
func requireSound(t *testing.T, p plan.Plan) {
	t.Helper()
	stuck := map[string]bool{}
	for _, e := range p {
		if e.Status == plan.Failed || e.Status == plan.Assigned {
			stuck[e.ID] = true
		}
	}
	for ready := p.Ready(); len(ready) > 0; ready = p.Ready() {
		id := ready[len(ready)-1]
		require.Empty(t, p.Blocked(id))
		var closed bool
		p, closed = p.Assign(id, "subtask of "+id+"!").Close("subtask of "+id+"!", true)
		require.True(t, closed)
	}
	if len(stuck) == 0 {
		assert.Empty(t, p.Unfinished())
	}
}
