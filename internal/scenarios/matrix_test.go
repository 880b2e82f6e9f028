package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/fsm/fsmtest"
	"github.com/agentfsm/agentfsm/hostagent"
)

// hostMatrix is the host's machine: who may lead from the row's status to the
// column's, "-" nobody. The last column is the status of another agent. The way
// back from there is the return of control, which is in no table.
const hostMatrix = `
.        | CONTINUE | ASSIGN | FINISH | FAIL    | ERROR  | PENDING | CONFIRM | *start
CONTINUE | model    | model  | model  | -       | system | model   | model   | -
ASSIGN   | -        | -      | -      | -       | -      | -       | -       | system
FINISH   | -        | -      | -      | -       | -      | -       | -       | -
FAIL     | -        | -      | system | -       | -      | -       | -       | -
ERROR    | -        | -      | system | -       | -      | -       | -       | -
PENDING  | user     | -      | -      | timeout | -      | -       | -       | -
CONFIRM  | user     | -      | -      | user    | -      | -       | -       | -
`

const appMatrix = `
.          | CONTINUE | SCREENSHOT | PENDING | CONFIRM | FINISH | FAIL           | ERROR  | *start
CONTINUE   | model    | model      | model   | model   | model  | model|system   | system | -
SCREENSHOT | system   | -          | -       | -       | -      | -              | -      | -
PENDING    | user     | -          | -       | -       | -      | system|timeout | -      | -
CONFIRM    | user     | -          | -       | -       | -      | user           | -      | -
FINISH     | -        | -          | -       | -       | -      | -              | -      | -
FAIL       | -        | -          | -       | -       | -      | -              | -      | -
ERROR      | -        | -          | -       | -       | -      | -              | -      | -
`

// cells of a row stand between bars; without spaces a bar joins causes.
func cells(row string) []string {
	return slices.DeleteFunc(strings.Fields(row), func(word string) bool { return word == "|" })
}

func TestScenario11_TablesEqualTheMatrix(t *testing.T) {
	for name, c := range map[string]struct {
		matrix string
		set    fsm.Set
		isEnd  func(fsm.Status) [2]bool // of a round, of a sub-task
		ends   map[fsm.Status][2]bool
	}{
		"host": {hostMatrix, hostagent.States(), func(s fsm.Status) [2]bool {
			state := hostagent.States().State(s)
			return [2]bool{state.IsRoundEnd(), state.IsSubtaskEnd()}
		}, map[fsm.Status][2]bool{
			fsm.Finish: {true, false}, fsm.Fail: {true, false}, fsm.Error: {true, false},
		}},
		"app": {appMatrix, appagent.States(), func(s fsm.Status) [2]bool {
			state := appagent.States().State(s)
			return [2]bool{state.IsRoundEnd(), state.IsSubtaskEnd()}
		}, map[fsm.Status][2]bool{
			fsm.Finish: {true, true}, fsm.Fail: {true, true}, fsm.Error: {true, true},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			rows := strings.Split(strings.TrimSpace(c.matrix), "\n")
			columns := cells(rows[0])[1:]
			want := []fsm.Edge{{To: fsm.Continue, By: fsm.BySystem}}
			var statuses []fsm.Status
			for _, row := range rows[1:] {
				row := cells(row)
				require.Len(t, row, len(columns)+1)
				from := fsm.Status(row[0])
				statuses = append(statuses, from)
				bound := c.set.Bind(from)
				require.True(t, bound.Known(), from)
				var model []fsm.Status
				for i, cell := range row[1:] {
					e := fsm.Edge{From: from, To: fsm.Status(columns[i])}
					if to, other := strings.CutPrefix(columns[i], "*"); other {
						e.To, e.Kind = fsm.Status(strings.TrimPrefix(to, "start")), fsm.AnyKind
					}
					kind := e.Kind
					if kind != "" {
						kind = "any kind of agent"
					}
					assert.Equal(t, cell != "-", bound.Permits(e.To, kind, 0), "%s to %s", from, columns[i])
					if cell == "-" {
						continue
					}
					require.NoError(t, e.By.UnmarshalText([]byte(cell)))
					want = append(want, e)
					if e.By&fsm.ByModel != 0 {
						model = append(model, e.To)
					}
				}
				assert.ElementsMatch(t, model, bound.Targets(fsm.ByModel), "what the model may write in %s", from)
				assert.Equal(t, c.ends[from], c.isEnd(from), "what %s ends", from)
			}
			assert.ElementsMatch(t, want, c.set.Edges(), "no edge more, no edge less, no other cause")
			slices.Sort(statuses)
			assert.Equal(t, statuses, c.set.Statuses())
			start, ok := fsm.Start(c.set)
			assert.True(t, ok)
			assert.Equal(t, fsm.Continue, start)
			assert.NoError(t, c.set.Validate())
		})
	}
}

func TestScenario11_HostKeepsToItsTable(t *testing.T) {
	fsmtest.Run(t, hostagent.States(), func() fsm.Agent {
		s := onStage(t)
		s.Config.User = &person{}
		return s.host()
	})
}

func TestScenario11_AppAgentKeepsToItsTable(t *testing.T) {
	fsmtest.Run(t, appagent.States(), func() fsm.Agent { return wordAlone(onStage(t)) })
}

func TestScenario11_ValidateFinds(t *testing.T) {
	// CONTINUE, A and END are registered; END ends. The table is clean without extra.
	clean := []fsm.Edge{
		{To: fsm.Continue, By: fsm.BySystem},
		{From: fsm.Continue, To: "A", By: fsm.ByModel},
		{From: "A", To: "END", By: fsm.ByModel},
	}
	legs := []*leg{{name: fsm.Continue}, {name: "A"}, {name: "END", ends: true}}
	type tables struct {
		legs  []*leg
		edges []fsm.Edge
		want  []string
	}
	for name, c := range map[string]tables{
		"nothing":     {},
		"an edge to":  {edges: []fsm.Edge{{From: "A", To: "GONE", By: fsm.ByUser}}, want: []string{`fsm: Kind: A: an edge leads to "GONE", which is not registered`}},
		"a start at":  {edges: []fsm.Edge{{To: "GONE", By: fsm.ByUser}}, want: []string{`fsm: Kind: an edge leads to "GONE", which is not registered`, "fsm: Kind: it has several starts, CONTINUE, GONE: only one edge may have no From"}},
		"an edge of":  {edges: []fsm.Edge{{From: "GONE", To: "A", By: fsm.ByUser}}, want: []string{"fsm: Kind: GONE: an edge starts here, but the state is not registered"}},
		"unreachable": {legs: []*leg{{name: "B"}}, edges: []fsm.Edge{{From: "B", To: "A", By: fsm.ByUser}}, want: []string{"fsm: Kind: B: nothing leads to it"}},
		"unreachable end": {legs: []*leg{{name: "B", ends: true}},
			want: []string{"fsm: Kind: B: nothing leads to it"}},
		"no exit": {legs: []*leg{{name: "B"}}, edges: []fsm.Edge{{From: "A", To: "B", By: fsm.ByUser}},
			want: []string{"fsm: Kind: B: it does not end, and no edge leads out of it"}},
		"no exit but to itself": {legs: []*leg{{name: "B"}},
			edges: []fsm.Edge{{From: "A", To: "B", By: fsm.ByUser}, {From: "B", To: "B", By: fsm.ByUser}},
			want:  []string{"fsm: Kind: B: it does not end, and no edge leads out of it"}},
		"an end that goes on": {edges: []fsm.Edge{{From: "END", To: "A", By: fsm.BySystem}},
			want: []string{"fsm: Kind: END: it ends, and yet an edge leads on to A, which does not"}},
		"an end that goes on to an end":  {legs: []*leg{{name: "B", ends: true}}, edges: []fsm.Edge{{From: "END", To: "B", By: fsm.BySystem}}},
		"an end that hands over":         {edges: []fsm.Edge{{From: "END", To: fsm.Continue, Kind: fsm.AnyKind, By: fsm.BySystem}}},
		"an ERROR that a fault leads to": {legs: []*leg{{name: fsm.Error, ends: true}}},
		"all, sorted": {legs: []*leg{{name: "Z"}, {name: "B"}},
			edges: []fsm.Edge{
				{From: "Z", To: "Z", By: fsm.ByUser}, {From: "END", To: "A", By: fsm.BySystem},
				{From: "A", To: "GONE", By: fsm.ByUser}, {From: "ABSENT", To: "A", By: fsm.ByUser},
			},
			want: []string{
				`fsm: Kind: A: an edge leads to "GONE", which is not registered`,
				"fsm: Kind: ABSENT: an edge starts here, but the state is not registered",
				"fsm: Kind: B: it does not end, and no edge leads out of it",
				"fsm: Kind: B: nothing leads to it",
				"fsm: Kind: END: it ends, and yet an edge leads on to A, which does not",
				"fsm: Kind: Z: it does not end, and no edge leads out of it",
				"fsm: Kind: Z: nothing leads to it",
			}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, backwards := range []bool{false, true} {
				states, edges := slices.Concat(legs, c.legs), slices.Concat(clean, c.edges)
				if backwards { // the order in which a table is written changes nothing
					slices.Reverse(states)
					slices.Reverse(edges)
				}
				err := runners(t, "Kind", states, edges...).Validate()
				if c.want == nil {
					assert.NoError(t, err)
					continue
				}
				assert.EqualError(t, err, strings.Join(c.want, "\n"))
			}
		})
	}
}
