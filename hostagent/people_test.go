package hostagent_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/processor"
)

func TestConfirmWithoutACommand(t *testing.T) {
	for name, approved := range map[string]bool{"yes": true, "no": false} {
		t.Run(name, func(t *testing.T) {
			replies := []any{m{"Status": "CONFIRM", "Comment": "The file is huge. Go on?"}}
			if approved {
				replies = append(replies, say(fsm.Finish))
			}
			b := newBench(t, replies...)
			b.Config.User = answering("", approved)
			res, err := b.run()
			if approved {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			assert.Equal(t, fsm.Fail, res.Status)
			assert.Equal(t, "The file is huge. Go on?", res.Reason)
		})
	}
}

// A desktop that breaks at the wrong moment executes nothing.
func TestDesktopBreaksAroundAnApproval(t *testing.T) {
	for name, listings := range map[string]int{"before the question": 1, "behind the answer": 2} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, m{"Status": "CONTINUE", "Bash": "ls"})
			b.Config.User = answering("", true)
			cause := errors.New("cable pulled")
			b.Desktop.Break(desktop.GetDesktopAppInfo, cause).Skip(listings)
			res, err := b.run()
			assert.ErrorIs(t, err, cause)
			assert.Equal(t, fsm.Error, res.Status)
			assert.Equal(t, 0, b.Desktop.Count(desktop.RunShell))
		})
	}
}

// An approved command that breaks is remembered as what may have happened, and
// not executed again.
func TestApprovedCommandBreaks(t *testing.T) {
	b := newBench(t, m{"Status": "CONTINUE", "Bash": "ls"})
	b.Config.User = answering("", true)
	cause := errors.New("cable pulled")
	b.Desktop.Break(desktop.RunShell, cause)
	host, s := b.session()
	_, err := s.Run(t.Context(), "do it")
	assert.ErrorIs(t, err, cause)
	memory := host.Memory().Items
	require.Len(t, memory, 2)
	assert.Contains(t, memory[1].Actions[0].Error, "it may or may not have happened")
}

func TestCancelledWhileLooking(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	b.Desktop.On(desktop.CaptureDesktopScreenshot, func(context.Context, desktoptest.Call) (any, error) {
		cancel(cause)
		return nil, ctx.Err()
	})
	_, s := b.session()
	res, err := s.Run(ctx, "do it")
	assert.ErrorIs(t, err, cause)
	assert.Equal(t, fsm.Continue, res.Status)
}

func TestAssignWithoutASubtask(t *testing.T) {
	for _, subtask := range []string{"", "  "} {
		b := newBench(t, assign("0", subtask), say(fsm.Finish))
		b.finish()
		assert.Equal(t, "ASSIGN needs a CurrentSubTask", b.lastError(1))
	}
}

func TestModelFails(t *testing.T) {
	cause := errors.New("overloaded")
	b := newBench(t, cause)
	host, s := b.session()
	_, err := s.Run(t.Context(), "do it")
	assert.ErrorIs(t, err, cause)
	assert.Empty(t, host.Memory().Items, "nothing was decided")

	b = newBench(t, "no", "no")
	b.Config.MaxReasks = 1
	_, err = b.run()
	var reply *processor.ReplyError
	require.ErrorAs(t, err, &reply)
	assert.Equal(t, 2, reply.Attempts)
}

// A policy of one's own can leave to the default what it has no opinion on.
func TestPolicyAroundTheDefault(t *testing.T) {
	apps := []hostagent.Program{{Name: "excel", Command: []string{"excel.exe"}}}
	policy := hostagent.DefaultPolicy(apps)
	for name, tc := range map[string]struct {
		cmd  desktop.Command
		want processor.Action
	}{
		"listed":     {desktop.LaunchProgram("excel", "excel.exe"), processor.Allow},
		"other way":  {desktop.LaunchProgram("excel"), processor.Confirm},
		"not listed": {desktop.LaunchProgram("calc"), processor.Confirm},
		"no JSON":    {desktop.Command{ToolName: desktop.LaunchApplication, Parameters: m{"name": func() {}}}, processor.Confirm},
		"shell":      {desktop.Shell("ls"), processor.Confirm},
		"click":      {desktop.Click("1", "", nil), processor.Allow},
	} {
		tool, _ := desktop.ToolNamed(tc.cmd.ToolName)
		assert.Equal(t, tc.want, policy(t.Context(), tool, tc.cmd).Action, name)
	}
}
