package scenarios_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
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

// matrixOf draws the table in the order of a matrix, so that both are equal or the difference is seen, and says
// how many edges it drew.
func matrixOf(set fsm.Set, like string) (text string, drawn int) {
	head, rows, _ := strings.Cut(strings.TrimSpace(like), "\n")
	text = head
	for row := range strings.SplitSeq(rows, "\n") {
		from, _, _ := strings.Cut(row, "|")
		text += "\n" + from
		for column := range strings.SplitSeq(head, "|") {
			to := fsm.Status(strings.TrimSpace(column))
			if to == "." {
				continue
			}
			e := fsm.Edge{From: fsm.Status(strings.TrimSpace(from)), To: to}
			if to == "*start" {
				e.To, e.Kind = "", fsm.AnyKind
			}
			cell := "-"
			for _, there := range set.Edges() {
				if e.From == there.From && e.To == there.To && e.Kind == there.Kind {
					cell = there.By.String()
					drawn++
				}
			}
			text += fmt.Sprintf("| %-*s", len(column)-1, cell)
		}
		text = strings.TrimRight(text, " ")
	}
	return text, drawn
}

func TestScenario11_TablesEqualTheMatrix(t *testing.T) {
	for matrix, set := range map[string]fsm.Set{hostMatrix: hostagent.States(), appMatrix: appagent.States()} {
		text, drawn := matrixOf(set, matrix)
		assert.Equal(t, strings.TrimSpace(matrix), text)
		assert.Len(t, set.Edges(), drawn+1, "no edge more but the start")
		assert.Len(t, set.Statuses(), strings.Count(text, "\n"))
		start, ok := fsm.Start(set)
		assert.True(t, ok)
		assert.Equal(t, fsm.Continue, start)
		require.NoError(t, set.Validate())
	}
	for _, s := range []fsm.Status{fsm.Continue, fsm.Pending, fsm.Confirm, fsm.Finish, fsm.Fail, fsm.Error} {
		over := s == fsm.Finish || s == fsm.Fail || s == fsm.Error
		host, app := hostagent.States().State(s), appagent.States().State(s)
		assert.Equal(t, []bool{over, false, over, over}, []bool{host.IsRoundEnd(), host.IsSubtaskEnd(), app.IsRoundEnd(), app.IsSubtaskEnd()}, s)
	}
}

// What is refused leaves the registry of the host as it is; AddState replaces. Package fsm tests each refusal.
func TestScenario09_RegistrationErrors(t *testing.T) {
	m := hostagent.States().With()
	statuses, finish := m.Statuses(), m.State(fsm.Finish)
	require.ErrorContains(t, m.Register(fsm.Finish, nil), "the state is nil")
	require.ErrorContains(t, m.Register(fsm.Finish, func() fsm.State[*hostagent.Agent] { return finish }), "it is registered already")
	require.ErrorContains(t, m.AddState("", finish), "the status is empty")
	assert.Equal(t, statuses, m.Statuses())
	require.NoError(t, m.AddState(fsm.Fail, finish))
	assert.Same(t, finish, m.State(fsm.Fail))
	assert.NotSame(t, finish, hostagent.States().State(fsm.Fail))
}

func TestScenario10_SharedRegistriesStayAsTheyAre(t *testing.T) {
	registry, before := hostagent.States(), hostagent.States().Edges()
	unattended := registry.With(fsm.Edge{From: fsm.Continue, To: fsm.Fail, By: fsm.ByModel})
	assert.Same(t, registry, hostagent.States())
	assert.Equal(t, before, hostagent.States().Edges())

	own := onStage(t, status(fsm.Fail))
	own.Config.States = unattended
	_, err := own.run("give up")
	require.ErrorIs(t, err, round.ErrFailed)
	shared := onStage(t, status(fsm.Fail), finish("done"))
	shared.Config.User = nobodyAnswers
	_, err = shared.run("give up")
	require.NoError(t, err, "a host that was given no table of its own may not write FAIL")
}
