package scenarios_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/plan"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// randomPlanner is a model that plans at random: mostly right, sometimes with cycles,
// unknown ids and texts among objects; that assigns at random, whether it may or
// not; and that wants to finish too early.
type randomPlanner struct {
	r     *rand.Rand
	items int
}

func (m *randomPlanner) Complete(_ context.Context, req *llm.Request) (*llm.Response, error) {
	d := map[string]any{"Status": "CONTINUE"}
	switch m.r.IntN(8) {
	case 0:
		d["Status"], d["Result"] = "FINISH", "done"
	case 1:
	default:
		d["Status"], d["ControlLabel"] = "ASSIGN", fmt.Sprint(m.r.IntN(2))
		d["CurrentSubTask"] = m.id()
	}
	if _, planned := llm.FindSection(req, "plan"); !planned || m.r.IntN(5) == 0 {
		d["Plan"] = m.plan()
	}
	raw, err := json.Marshal(d)
	return &llm.Response{Text: string(raw), Usage: llm.Usage{OutputTokens: 1}}, err
}

func (m *randomPlanner) id() string { return fmt.Sprint("i", m.r.IntN(m.items)) }

func (m *randomPlanner) plan() []any {
	list := []any{}
	for i := range m.items {
		needs := []string{}
		for range m.r.IntN(3) {
			switch {
			case m.r.IntN(20) == 0:
				needs = append(needs, m.id()) // perhaps of a cycle
			case i > 0:
				needs = append(needs, fmt.Sprint("i", m.r.IntN(i)))
			}
		}
		list = append(list, map[string]any{"id": fmt.Sprint("i", i), "task": fmt.Sprint("task ", i), "depends_on": needs})
		if m.r.IntN(30) == 0 {
			list = append(list, "and so on")
		}
	}
	if m.r.IntN(8) == 0 {
		list = list[:1+m.r.IntN(len(list))] // never none, which would bind nobody
	}
	return list
}

// Whatever a model plans: nothing is begun before what it depends on has finished,
// nothing is begun that the plan does not have, no round finishes with items that
// have not, and the plan is the same for the host, the blackboard and the Result.
func TestPlan_RandomPlanners(t *testing.T) {
	outcomes := map[round.Outcome]int{}
	begun := 0
	for seed := range uint64(sample.Of(60, 12)) {
		r := rand.New(rand.NewPCG(seed, 3))
		model := &randomPlanner{r: r, items: 1 + r.IntN(6)}
		var host *hostagent.Agent
		seen := func() {
			begun++
			requireOrder(t, host)
		}
		host, err := hostagent.New(hostagent.Config{
			Config: appagent.Config{
				Model: model, NoImages: true, MaxReasks: -1, MaxReplans: -1, Desktop: desktoptest.New(t, &desktoptest.App{Root: "a", Running: true}, &desktoptest.App{Root: "b", Running: true}),
			},
			NewApp: func(_ context.Context, app appagent.Config) (fsm.Worker, error) {
				clerk := &worker{name: strings.TrimPrefix(app.Name, "AppAgent/")}
				clerk.at = func(place string) { // it ends at once, mostly well
					if place == "Handle" {
						seen()
						clerk.script = nil
						if r.IntN(4) == 0 {
							clerk.script = []fsm.Status{fsm.Fail}
						}
					}
				}
				return clerk, nil
			},
		})
		require.NoError(t, err)
		rd, err := round.New(host, "do it", &round.Options{MaxTokens: 300, MaxSteps: -1, MaxTransitions: -1})
		require.NoError(t, err)
		res, err := rd.Run(t.Context())
		outcomes[res.Outcome]++
		require.NotEqual(t, round.Faulted, res.Outcome, "seed %d: %v", seed, err)
		require.NoError(t, planOf(host).Check())
		if res.Outcome == round.Finished {
			for _, e := range planOf(host) {
				require.Contains(t, []plan.Status{plan.Finished, plan.Dropped}, e.Status, "seed %d: %s", seed, e.ID)
			}
		}
	}
	assert.Greater(t, outcomes[round.Finished], sample.Of(15, 3))
	assert.Greater(t, begun, sample.Of(80, 16))
}

// requireOrder looks at the plan while an item is being worked on.
func requireOrder(t *testing.T, host *hostagent.Agent) {
	t.Helper()
	p := planOf(host)
	require.True(t, p.Enforced())
	working := slices.DeleteFunc(p.Clone(), func(e plan.Entry) bool { return e.Status != plan.Assigned })
	require.Len(t, working, 1, "one after another")
	require.Empty(t, p.Blocked(working[0].ID))
	subtasks := map[string]blackboard.Subtask{}
	for _, s := range host.Subtasks() {
		subtasks[s.ID] = s
	}
	this := subtasks[working[0].Subtask]
	require.Empty(t, this.Status)
	require.Equal(t, working[0].Task, this.Text)
	require.Len(t, this.DependsOn, len(working[0].DependsOn))
	for _, id := range this.DependsOn {
		require.Equal(t, string(fsm.Finish), subtasks[id].Status)
	}
}

// planOfTwo is a plan of two items, the second of which builds on the first.
var planOfTwo = []any{
	map[string]any{"id": "a", "task": "extract"},
	map[string]any{"id": "b", "task": "draw", "depends_on": []string{"a"}},
}

// planOf is the plan that the blackboard of a host has.
func planOf(host *hostagent.Agent) plan.Plan {
	p, _, err := blackboard.NewKey[plan.Plan](boarddata.Plan).Get(host.Board())
	if err != nil {
		panic(err)
	}
	return p
}

// withPlan is a decision with a plan.
func withPlan(decision any, list any) any {
	d := map[string]any{"Plan": list}
	maps.Copy(d, decision.(map[string]any))
	return d
}
