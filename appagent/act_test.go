package appagent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/boarddata"
	"github.com/agentfsm/agentfsm/internal/promptsize"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// A long list is fed back, unless there is no bound: to a Round it is one step, however long it takes.
func TestMaxActions(t *testing.T) {
	list := func(n int) m {
		return m{"Status": "FINISH", "Actions": slices.Repeat([]m{{"Function": "wait", "Args": m{"seconds": 0}}}, n)}
	}
	b := newBench(t, list(promptsize.Actions+1), list(promptsize.Actions))
	b.finish()
	assert.Contains(t, b.lastError(), fmt.Sprintf("the reply makes %d calls: make at most %d", promptsize.Actions+1, promptsize.Actions))
	assert.Equal(t, promptsize.Actions, b.acted())
	b = newBench(t, list(100))
	b.Config.MaxActions = -1
	b.finish()
	assert.Equal(t, 100, b.acted())
}

// What a model says of an act, and what became of it, stand together on the blackboard:
// another agent reads both.
func TestTrajectoriesSayWhatWasDone(t *testing.T) {
	b := newBench(t, m{"Status": "FINISH", "Function": "close_application", "Args": m{"id": "1"}, "Result": "closed"})
	agent := b.agent()
	_, err := b.drive(agent, "close it")
	require.Error(t, err, "there is nobody to approve it")
	all, _, err := blackboard.NewKey[[]json.RawMessage](boarddata.Trajectories).Get(agent.Board())
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.JSONEq(t, `{"Status": "FINISH", "Result": "closed", "Done": [{"tool": "close_application", "status": "skipped", "error": "it waits for approval"}]}`, string(all[0]))
}

// What stays of a step on the blackboard is as short as what the agent remembers of it.
func TestLongTextsOfATrajectory(t *testing.T) {
	b := newBench(t, m{"Status": "FINISH", "Thought": strings.Repeat("long ", promptsize.Output), "Result": "done"})
	agent := b.agent()
	_, err := b.drive(agent, "do it")
	require.NoError(t, err)
	raw, err := agent.Board().Lookup(boarddata.Trajectories + ".0.Thought")
	require.NoError(t, err)
	assert.Less(t, len(raw), promptsize.Output+100)
	assert.Contains(t, string(raw), "[cut: ")
}

// A window that is not there any more when the task begins is a failure that
// whoever gave it can plan around.
func TestWindowIsGone(t *testing.T) {
	b := newBench(t)
	b.Desktop.Gone(b.Word)
	res, err := b.run()
	require.Error(t, err)
	assert.Equal(t, fsm.Fail, res.Status)
	assert.ErrorContains(t, err, `commands cannot be limited to window "2"`)
	assert.Equal(t, fsm.BySystem, b.Steps[0].By)
}

func TestBrokenTransport(t *testing.T) {
	cause := errors.New("cable pulled")
	b := newBench(t, m{"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "1"})
	b.Desktop.Break(desktop.ClickInput, cause)
	agent := b.agent()
	_, err := b.drive(agent, "do it")
	assert.ErrorIs(t, err, cause)
	acts := agent.Memos()[0].Actions
	require.Len(t, acts, 1)
	assert.Equal(t, desktop.Failure, acts[0].Status, "what may have happened is remembered")

	b = newBench(t)
	b.Desktop.Break(desktop.ListTools, cause)
	_, err = b.run()
	assert.ErrorIs(t, err, cause)

	b = newBench(t, say(fsm.Screenshot))
	b.Desktop.Break(desktop.ListTools, cause).Skip(1)
	_, err = b.run()
	assert.ErrorIs(t, err, cause)
}

func TestCancelledWhileLooking(t *testing.T) {
	for _, tool := range []string{desktop.GetAppWindow, desktop.CaptureWindowScreenshot, desktop.GetUITree} {
		b := newBench(t)
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		b.Desktop.On(tool, func(context.Context, desktoptest.Call) (any, error) {
			cancel(cause)
			return nil, ctx.Err()
		})
		agent := b.agent()
		agent.SetStatus(fsm.Continue)
		require.NoError(t, agent.Begin(ctx, fsm.Task{Text: "look"}))
		assert.ErrorIs(t, agent.States().Bind(fsm.Continue).Handle(ctx, agent), cause, tool)
	}
}

// A full blackboard keeps no agent from its work. The model is told what was not
// kept where it asked for it.
func TestFullBoard(t *testing.T) {
	long := strings.Repeat("x", 3000)
	for name, reply := range map[string]m{
		"decision":   {"Status": "CONTINUE", "Thought": long},
		"screenshot": {"Status": "CONTINUE", "SaveScreenshot": "why " + long[:700]},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, reply, say(fsm.Finish))
			b.Config.Board = blackboard.New(800)
			res, err := b.run()
			require.NoError(t, err)
			assert.Equal(t, fsm.Finish, res.Status)
			assert.LessOrEqual(t, b.Config.Board.Size(), 800)
			if name == "screenshot" {
				assert.Contains(t, llmtest.Section[string](t, b.Model.Last(), "last_error"), "the screenshot was not kept: ")
			}
		})
	}
	// Only what tools say is shortened, where there is no room for all of it.
	b := newBench(t, call(fsm.Continue, "report", nil), say(fsm.Finish))
	b.Config.Board = blackboard.New(800)
	b.Desktop.AddTools(desktoptest.Tool{Name: "report", Returns: long})
	b.finish()
	output := section[[]acting.Memo](b, 1, "history")[0].Actions[0].Output
	assert.NotEmpty(t, output)
	assert.Less(t, len(output), len(long))
}
