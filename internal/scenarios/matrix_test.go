package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
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

// end is what a state ends.
type end interface {
	IsRoundEnd() bool
	IsSubtaskEnd() bool
}

func TestScenario11_TablesEqualTheMatrix(t *testing.T) {
	for name, c := range map[string]struct {
		matrix string
		set    fsm.Set
		state  func(fsm.Status) end
		parts  bool // whether its ends are those of a sub-task, too
	}{
		"host": {hostMatrix, hostagent.States(), func(s fsm.Status) end { return hostagent.States().State(s) }, false},
		"app":  {appMatrix, appagent.States(), func(s fsm.Status) end { return appagent.States().State(s) }, true},
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
				over := slices.Contains([]fsm.Status{fsm.Finish, fsm.Fail, fsm.Error}, from)
				assert.Equal(t, over, c.state(from).IsRoundEnd(), from)
				assert.Equal(t, over && c.parts, c.state(from).IsSubtaskEnd(), from)
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
