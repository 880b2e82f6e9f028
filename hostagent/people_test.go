package hostagent_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/policies"
)

// Questions of different sessions must not be mistaken for each other.
func TestIDsOfQuestions(t *testing.T) {
	var ids []string
	for range 2 {
		b := newBench(t, m{"Status": "CONFIRM", "Comment": "Go on?"}, m{"Status": "PENDING", "Questions": []string{"Which?"}}, say(fsm.Finish))
		b.Config.User = people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			assert.NotContains(t, ids, q.ID)
			ids = append(ids, q.ID)
			return people.Answer{Text: "this one", Approved: true}, nil
		})
		b.finish()
	}
	assert.Len(t, ids, 4)
}

// listWithoutFocus makes the list of windows one that does not say which has the
// focus.
func (b *bench) listWithoutFocus() {
	b.Desktop.On(desktop.GetDesktopAppInfo, func(context.Context, desktoptest.Call) (any, error) {
		var list []desktop.Window
		for _, app := range []*desktoptest.App{b.Word, b.Excel} {
			if w, ok := app.Window(); ok {
				w.Focused = false
				list = append(list, w)
			}
		}
		return list, nil
	})
}

// Without a word of the desktop an act is aimed at all of it; only a run that is
// cancelled ends there.
func TestFocusIsNotKnown(t *testing.T) {
	for name, prepare := range map[string]func(*bench){
		"no tool": func(b *bench) { b.Desktop.Without(desktop.GetAppWindow) },
		"fails":   func(b *bench) { b.Desktop.Fail(desktop.GetAppWindow, "busy") },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, call("wait", m{"seconds": 0}), say(fsm.Finish))
			b.listWithoutFocus()
			prepare(b)
			b.finish()
			assert.Empty(t, section[[]acting.Memo](b, 1, "history")[0].Actions[0].Target)
		})
	}
	b := newBench(t)
	b.listWithoutFocus()
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	b.Desktop.On(desktop.GetAppWindow, func(context.Context, desktoptest.Call) (any, error) {
		cancel(cause)
		return nil, ctx.Err()
	})
	_, s := b.session()
	_, err := s.Run(ctx, "do it")
	assert.ErrorIs(t, err, cause)
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
			assert.Empty(t, b.Desktop.Calls(desktop.RunShell))
		})
	}
}

// A policy of one's own can leave to the default what it has no opinion on.
func TestPolicyAroundTheDefault(t *testing.T) {
	apps := []hostagent.Program{{Name: "excel", Command: []string{"excel.exe"}}}
	policy := hostagent.DefaultPolicy(apps)
	for name, tc := range map[string]struct {
		cmd  desktop.Command
		want policies.Action
	}{
		"close":      {desktop.Command{ToolName: desktop.CloseApplication}, policies.Confirm},
		"listed":     {commands.Launch("excel", "excel.exe"), policies.Allow},
		"other way":  {commands.Launch("excel"), policies.Confirm},
		"not listed": {commands.Launch("calc"), policies.Confirm},
		"no JSON":    {desktop.Command{ToolName: desktop.LaunchApplication, Parameters: m{"name": func() {}}}, policies.Confirm},
		"shell":      {desktop.Shell("ls"), policies.Confirm},
		"click":      {commands.Click("1", ""), policies.Allow},
	} {
		tool, _ := desktop.ToolNamed(tc.cmd.ToolName)
		assert.Equal(t, tc.want, policy(t.Context(), tool, tc.cmd).Action, name)
	}
}
