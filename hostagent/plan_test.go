package hostagent_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/savetest"
	"github.com/agentfsm/agentfsm/round"
)

// two are a plan of two items, the second of which builds on the first.
var two = []m{{"id": "a", "task": "extract"}, {"id": "b", "task": "draw", "depends_on": []string{"a"}}}

func assignPlanned(item string, list any) m {
	d := assign("0", item)
	d["Plan"] = list
	return d
}

func TestMaxPlan(t *testing.T) {
	items := func(n int) (objects []m, texts []string) {
		for i := range n {
			objects, texts = append(objects, m{"id": strconv.Itoa(i), "task": "x"}), append(texts, "x")
		}
		return objects, texts
	}
	for name, tc := range map[string]struct{ items, told int }{
		"as many":      {promptsize.PlanItems, 0},
		"one too many": {promptsize.PlanItems + 1, promptsize.PlanItems},
	} {
		t.Run(name, func(t *testing.T) {
			objects, texts := items(tc.items)
			for _, list := range []any{objects, texts} {
				b := newBench(t, m{"Status": "CONTINUE", "Plan": list}, m{"Status": "CONTINUE", "Plan": []string{}}, say(fsm.Finish))
				b.finish()
				if tc.told == 0 {
					assert.Len(t, section[[]any](b, 1, "plan"), tc.items)
					continue
				}
				assert.Contains(t, b.lastError(), fmt.Sprintf("the Plan has %d items and can have %d", tc.items, tc.told))
			}
		})
	}
}

// Restored at ASSIGN, before or behind the hand-over, the host goes on with the same
// item, and begins it once.
func TestLoadAtAssignWithAPlan(t *testing.T) {
	for name, tc := range map[string]struct {
		walked int
		want   plan.Status
	}{"decided": {1, plan.Planned}, "handed over": {2, plan.Assigned}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, assignPlanned("a", two), m{"Status": "FINISH", "Result": "r"}, assign("0", "b"))
			host := b.begun()
			walkTo(t, host, tc.walked)
			require.Equal(t, hostagent.Assign, host.Status())
			host = b.elsewhere(host)
			assert.Equal(t, tc.want, hostagent.PlanOf(host)[0].Status)

			app := walkTo(t, host, 2)
			handBack(t, host, app)
			step(t.Context(), t, host)
			assert.Len(t, host.Subtasks(), 1)
			assert.Equal(t, plan.Entry{Item: plan.Item{ID: "a", Task: "extract"}, Status: plan.Finished, Subtask: "subtask_1"}, hostagent.PlanOf(host)[0])
			assert.Equal(t, hostagent.Assign, host.Status(), "the second one is ready now")
		})
	}
}

// The stable form, with notes and with a plan that binds, so that a change to it is seen. What is
// kept is loaded, and a plan that cannot be is an error.
func TestSavedForm(t *testing.T) {
	notes := assignPlanned("x", []string{"z"})
	notes["Message"] = "y"
	for name, c := range map[string]struct {
		reply m
		want  plan.Plan
	}{
		"saved.json": {notes, plan.Notes("z")},
		"saved_plan.json": {assignPlanned("a", two), plan.Plan{
			{Item: plan.Item{ID: "a", Task: "extract"}, Status: plan.Assigned, Subtask: "subtask_1"},
			{Item: plan.Item{ID: "b", Task: "draw", DependsOn: []string{"a"}}, Status: plan.Planned},
		}},
	} {
		b := newBench(t, c.reply)
		b.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return &foreign{name: "f"}, nil }
		host := b.begun()
		walkTo(t, host, 2)
		raw := savetest.JSON(t, host)
		golden.Equal(t, name, raw+"\n")
		host = newBench(t).host()
		savetest.Load(t, host, raw)
		assert.Equal(t, c.want, hostagent.PlanOf(host), name)

		broken := strings.Replace(raw, `"depends_on":["a"]`, `"depends_on":["b"]`, -1)
		if broken == raw {
			continue
		}
		err := host.Load(savetest.Read(t, broken))
		assert.ErrorIs(t, err, plan.ErrCycle)
		assert.ErrorContains(t, err, "hostagent: load: ")
		assert.Equal(t, c.want, hostagent.PlanOf(host), "it is as it was")
	}
}

// The plan keeps what later drafts leave out. What of it is open is found in linear time.
func TestALongPlanIsLinear(t *testing.T) {
	const drafts = 9
	var replies []any
	for draft := range drafts {
		var items []m
		for i := range promptsize.PlanItems {
			items = append(items, m{"id": fmt.Sprintf("%d-%d", draft, i), "task": fmt.Sprintf("task %d of %d", i, draft)})
		}
		d := assignPlanned(fmt.Sprintf("%d-0", draft), items)
		replies = append(replies, d, say(fsm.Fail))
	}
	b := newBench(t, append(replies, m{"Status": "FAIL", "Comment": "it is too much"})...)
	b.Config.MaxReplans = -1
	host, s := b.session()
	_, err := s.Run(t.Context(), "do it")
	require.ErrorIs(t, err, round.ErrFailed)
	const n = drafts * promptsize.PlanItems
	require.Len(t, hostagent.PlanOf(host), n)
	assert.Less(t, testing.AllocsPerRun(1, func() { require.Len(t, host.Partial(), n) }), float64(50*n))
}
