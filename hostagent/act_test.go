package hostagent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// params are the parameters of the first command of a tool.
func params(b *bench, tool string) map[string]any {
	b.t.Helper()
	calls := b.Desktop.Calls(tool)
	require.NotEmpty(b.t, calls, tool)
	return calls[0].Command.Parameters
}

// The ids that the model is shown are those of the list, not the desktop's.
func TestCloseApplicationByListedID(t *testing.T) {
	for name, reply := range map[string]m{
		"argument": call(fsm.Continue, "close_application", m{"id": "1"}),
		"number":   call(fsm.Continue, "close_application", m{"id": 1}),
		"label":    {"Status": "CONTINUE", "Function": "close_application", "ControlLabel": "1"},
		"beside ASSIGN": {
			"Status": "ASSIGN", "CurrentSubTask": "x", "ControlLabel": "0",
			"Function": "close_application", "Args": m{"id": "1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			replies := []any{reply, say(fsm.Finish)}
			if reply["Status"] == "ASSIGN" {
				replies = append(replies, say(fsm.Finish))
			}
			b := newBench(t, replies...)
			b.Desktop.Show(b.Excel)
			var asked []people.Question
			b.Config.Policy = func(_ context.Context, _ desktop.Tool, cmd desktop.Command) policies.Verdict {
				asked = append(asked, people.Question{Command: &cmd})
				return policies.Verdict{Action: policies.Allow}
			}
			b.finish()
			assert.Equal(t, "2", params(b, desktop.CloseApplication)["id"])
			assert.Equal(t, "2", asked[0].Command.Parameters["id"], "the policy sees what is executed")
			_, open := b.Excel.Window()
			assert.False(t, open)
		})
	}
}

func TestSelectWithoutAssign(t *testing.T) {
	for _, function := range []string{"select_application_window", "select_application"} {
		b := newBench(t, call(fsm.Continue, function, m{"id": "1"}), say(fsm.Finish))
		b.Desktop.Show(b.Excel)
		b.finish()
		assert.Equal(t, m{"id": "2", "name": "Book1 - Excel"}, params(b, desktop.SelectApplicationWindow))
		w, _ := b.Excel.Window()
		assert.True(t, w.Focused)
	}
}

// What failed is told to the model, and nothing ends or is handed over.
func TestFailedActions(t *testing.T) {
	for name, tc := range map[string]struct {
		tool  string
		reply m
	}{
		"select":        {desktop.SelectApplicationWindow, assign("0", "x")},
		"launch":        {desktop.LaunchApplication, assign("1", "x")},
		"beside finish": {desktop.Wait, call(fsm.Finish, "wait", m{"seconds": 0})},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, tc.reply, m{"Status": "FINISH", "Comment": "anyway"})
			b.Desktop.Fail(tc.tool, "stuck").Times(1)
			res := b.finish()
			assert.Contains(t, b.lastError(1), "stuck")
			assert.Equal(t, fsm.Continue, b.Steps[0].To)
			assert.Equal(t, "anyway", res.Answer)
			assert.Empty(t, res.Subtasks)
		})
	}
}

// What cannot be put on the blackboard is an error, not a loss.
func TestFullBoard(t *testing.T) {
	for name, reply := range map[string]m{
		"plan":     {"Status": "CONTINUE", "Plan": []string{strings.Repeat("x", 2000)}},
		"step":     {"Status": "CONTINUE", "Thought": strings.Repeat("x", 2000)},
		"sub-task": assign("0", strings.Repeat("x", 2000)),
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, reply)
			b.Config.Board = blackboard.New(&blackboard.Options{MaxBytes: 1000})
			res, err := b.run()
			assert.ErrorIs(t, err, blackboard.ErrFull)
			assert.Equal(t, fsm.Error, res.Status)
		})
	}
}

func TestNoWindowList(t *testing.T) {
	b := newBench(t)
	b.Desktop.Without(desktop.GetDesktopAppInfo)
	_, err := b.run()
	require.ErrorContains(t, err, "gives no window list")
	assert.ErrorContains(t, err, "desktop.Screen makes one", "what to do about it")

	b = newBench(t)
	cause := errors.New("no display")
	b.Desktop.Break(desktop.GetDesktopAppInfo, cause)
	_, err = b.run()
	assert.ErrorContains(t, err, "gives no window list")
	assert.ErrorIs(t, err, cause)

	b = newBench(t)
	b.Desktop.Break(desktop.ListTools, cause)
	_, err = b.run()
	assert.ErrorIs(t, err, cause)
}
