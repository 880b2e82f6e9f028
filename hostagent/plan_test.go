package hostagent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/golden"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/internal/savetest"
)

// two are a plan of two items, the second of which builds on the first.
var two = []m{{"id": "a", "task": "extract"}, {"id": "b", "task": "draw", "depends_on": []string{"a"}}}

func assignPlanned(item string, list any) m {
	d := assign("0", item)
	d["Plan"] = list
	return d
}

// The schema offers both forms, and says what an item is.
func TestPlanInTheSchema(t *testing.T) {
	b := newBench(t, say(fsm.Finish))
	b.finish()
	var s struct {
		Properties struct {
			Plan struct {
				Type  string
				Items struct{ AnyOf []schema }
			}
		}
	}
	require.NoError(t, json.Unmarshal(b.Model.Last().Schema.JSON, &s))
	assert.Equal(t, "array", s.Properties.Plan.Type)
	forms := s.Properties.Plan.Items.AnyOf
	require.Len(t, forms, 2)
	assert.Equal(t, "string", forms[0].Type)
	assert.Equal(t, "object", forms[1].Type)
	assert.Equal(t, []string{"id", "task"}, forms[1].Required)
	assert.Len(t, forms[1].Properties, 4, "a status is not the model's to write")
	for name, p := range forms[1].Properties {
		assert.NotEmpty(t, p.Description, name)
	}
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
				assert.Contains(t, b.lastError(), fmt.Sprintf("the Plan has %d items, at most %d are allowed", tc.items, tc.told))
			}
		})
	}
}

// The agent of an application finds out what its work builds on.
func TestAssignmentOfAnItem(t *testing.T) {
	b := newBench(t, assignPlanned("a", two), say(fsm.Finish), assign("0", "draw"), say(fsm.Finish), say(fsm.Finish))
	b.Config.Board = blackboard.New(nil)
	var during []string
	b.Desktop.Before(desktop.GetUITree, func(desktoptest.Call) {
		raw, _ := b.Config.Board.Lookup("current_subtask.context")
		during = append(during, string(raw))
	})
	res := b.finish()
	assert.Equal(t, []string{`{"item":"a"}`, `{"item":"b","results":["subtask_result_1"]}`}, during)
	assert.Equal(t, "extract", res.Subtasks[0].Text, "what the plan says")
	assert.Equal(t, []string{"subtask_1"}, res.Subtasks[1].DependsOn)
	assert.Equal(t, "draw", res.Subtasks[1].Text)
	previous := section[[]blackboard.Subtask](b, 3, "previous_subtasks")
	require.Len(t, previous, 1)
	assert.Equal(t, "FINISH", previous[0].Status)
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
