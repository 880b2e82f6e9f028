package scenarios_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
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

// However the agent comes to ERROR, the host is not asked.
func TestScenario17_WaysToErr(t *testing.T) {
	for name, c := range map[string]struct {
		replies []any
		prepare func(*stage)
		cause   fsm.Cause
		reason  string
	}{
		"replies that cannot be used": {
			replies: []any{"?", "?", "?", "?"}, cause: fsm.ByFault, reason: "no usable reply in 4 attempts",
		},
		"a broken desktop": {
			replies: []any{call(fsm.Continue, desktop.Wait, map[string]any{"seconds": 0})},
			prepare: func(s *stage) { s.Desktop.Break(desktop.Wait, errors.New("cable cut")) },
			cause:   fsm.ByFault, reason: "cable cut",
		},
		"its own decision": {
			prepare: func(s *stage) {
				s.Config.NewApp = func(context.Context, hostagent.App) (fsm.Worker, error) { return newQuitter(), nil }
			},
			cause: fsm.BySystem, reason: "disk is on fire",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := onStage(t, append([]any{assign("0", "work")}, c.replies...)...)
			if c.prepare != nil {
				c.prepare(s)
			}
			res, err := s.run("work")
			require.ErrorIs(t, err, round.ErrFault)
			assert.ErrorContains(t, err, c.reason)
			assert.Equal(t, fsm.Error, res.Status)
			assert.NotEqual(t, "HostAgent", res.Agent)
			last := s.Steps[len(s.Steps)-1]
			assert.Equal(t, fsm.Error, last.To)
			assert.Equal(t, c.cause, last.By)
			require.Len(t, res.Subtasks, 1)
			assert.Equal(t, "ERROR", res.Subtasks[0].Status)
			assert.Contains(t, res.Subtasks[0].Reason, c.reason)
		})
	}
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
