package scenarios_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

// F is a sub-task that fails, o one that does not.
func TestScenario16_MaxReplansInARow(t *testing.T) {
	for name, c := range map[string]struct {
		max   int
		tasks string
		error bool
	}{
		"one, at the bound":     {1, "F", false},
		"one, over it":          {1, "FF", true},
		"two, at the bound":     {2, "FF", false},
		"two, over it":          {2, "FFF", true},
		"default, at the bound": {0, "FFF", false},
		"default, over it":      {0, "FFFF", true},
		"not in a row":          {1, "FoFoFo", false},
		"in a row after others": {2, "FFoFFF", true},
		"without a bound":       {-1, "FFFFFFFFFF", false},
	} {
		t.Run(name, func(t *testing.T) {
			var replies []any
			for i, task := range c.tasks {
				replies = append(replies, assign("0", strings.Repeat("again ", i)+"work"))
				if task == 'F' {
					replies = append(replies, status(fsm.Fail))
				} else {
					replies = append(replies, finish("ok"))
				}
			}
			if !c.error {
				replies = append(replies, finish("done"))
			}
			s := onStage(t, replies...)
			s.Config.MaxReplans = c.max
			res, err := s.run("work")
			assert.Len(t, res.Subtasks, len(c.tasks))
			if c.error {
				require.ErrorIs(t, err, hostagent.ErrReplans)
				assert.Equal(t, fsm.Error, res.Status)
				assert.Equal(t, fsm.ByFault, s.Steps[len(s.Steps)-1].By)
				return
			}
			require.NoError(t, err)
		})
	}
}

// An agent of an application goes to ERROR by its own decision: the host is not asked.
func TestScenario17_WaysToErr(t *testing.T) {
	s := onStage(t, assign("0", "work"))
	s.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return newQuitter(), nil }
	res, err := s.run("work")
	require.ErrorIs(t, err, round.ErrFault)
	require.ErrorContains(t, err, "disk is on fire")
	assert.Equal(t, fsm.Error, res.Status)
	assert.Equal(t, "Quitter", res.Agent)
	last := s.Steps[len(s.Steps)-1]
	assert.Equal(t, fsm.Error, last.To)
	assert.Equal(t, fsm.BySystem, last.By)
	require.Len(t, res.Subtasks, 1)
	assert.Equal(t, "ERROR", res.Subtasks[0].Status)
	assert.Contains(t, res.Subtasks[0].Reason, "disk is on fire")
}

// quitter goes to ERROR by a decision of its code.
type quitter struct {
	fsm.Position
	states *fsm.Manager[*quitter]
}

func newQuitter() *quitter {
	return &quitter{states: fsm.Table("Quitter", []fsm.Row[*quitter]{
		{Status: fsm.Continue, Handle: (*quitter).quit},
		{Status: fsm.Finish, RoundEnd: true, SubtaskEnd: true},
		{Status: fsm.Error, RoundEnd: true, SubtaskEnd: true},
	},
		fsm.Edge{To: fsm.Continue, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Finish, By: fsm.BySystem},
		fsm.Edge{From: fsm.Continue, To: fsm.Error, By: fsm.BySystem},
	)}
}

func (q *quitter) Name() string                          { return "Quitter" }
func (q *quitter) States() fsm.Set                       { return q.states }
func (q *quitter) Begin(context.Context, fsm.Task) error { return nil }
func (q *quitter) Answer() string                        { return "" }
func (q *quitter) quit(context.Context) error {
	q.Decide(fsm.Error, fsm.BySystem, "disk is on fire")
	return nil
}
