package hostagent_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/policies"
)

func TestLaunch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, assign("1", "chart"), m{"Status": "FINISH", "Result": "r"}, say(fsm.Finish))
		b.Config.Apps = []hostagent.Program{{Name: "EXCEL", Command: []string{"excel.exe", "/new"}}}
		b.Excel.LaunchDelay = 5 * time.Second
		host, s := b.session()
		res, err := s.Run(t.Context(), "a chart")
		require.NoError(t, err)
		assert.Equal(t, m{"name": "EXCEL", "command": []any{"excel.exe", "/new"}}, params(b, desktop.LaunchApplication))
		assert.Empty(t, b.Desktop.Calls(desktop.SelectApplicationWindow))
		assert.NotNil(t, host.App("excel/book"))
		assert.Equal(t, "excel", res.Subtasks[0].App)
		assert.Equal(t, "2", section[desktop.Window](b, 1, "application").ID)
	})
}

func TestLaunchThatNeverShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, assign("1", "chart"), say(fsm.Finish))
		b.Config.LaunchTimeout = time.Second
		b.Excel.LaunchDelay = -1
		start := time.Now()
		res := b.finish()
		assert.Equal(t, time.Second, time.Since(start), "in the bubble's time")
		assert.Equal(t, "excel was launched, but showed no window within 1s", b.lastError(1))
		assert.Empty(t, res.Subtasks)
	})
}

// A window list that fails while a program starts is tried again.
func TestLaunchWhileTheListFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, assign("1", "chart"), say(fsm.Finish), say(fsm.Finish))
		b.Excel.LaunchDelay = time.Second
		b.Desktop.Fail(desktop.GetDesktopAppInfo, "busy").Skip(1).Times(3)
		assert.Len(t, b.finish().Subtasks, 1)
	})
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, assign("1", "chart"), say(fsm.Finish))
		b.Excel.LaunchDelay = -1
		b.Config.LaunchTimeout = 900 * time.Millisecond // not at a tick
		b.Desktop.Fail(desktop.GetDesktopAppInfo, "busy").Skip(1).Times(5)
		b.finish()
		assert.Contains(t, b.lastError(1), "the windows could not be listed")
		assert.Contains(t, b.lastError(1), "busy")
	})
}

// The window of another program, or one that was there before, is not it.
func TestLaunchOfASecondWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, call(fsm.Continue, "launch_application", m{"name": "Word"}), say(fsm.Finish))
		b.Config.Apps = []hostagent.Program{{Name: "word", Command: []string{"word", "b.docx"}}}
		other := &desktoptest.App{Root: "Word", Process: "b", Command: []string{"word", "b.docx"}, LaunchDelay: time.Second}
		b.Desktop.Add(other)
		b.Config.CloseApps = true
		host, s := b.session()
		_, err := s.Run(t.Context(), "open b")
		require.NoError(t, err)
		assert.Equal(t, m{"name": "word", "command": []any{"word", "b.docx"}}, params(b, desktop.LaunchApplication))
		require.NoError(t, host.Close(t.Context()))
		_, there := other.Window()
		assert.False(t, there)
		_, there = b.Word.Window()
		assert.True(t, there)
	})
}

// A policy that wants everything approved does not ask twice for one window: the model assigns again after the
// approval, and the application is there already.
func TestApprovedReachIsNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, assign("1", "x"), assign("1", "x"), say(fsm.Finish), say(fsm.Finish))
		b.Config.Policy = func(context.Context, desktop.Tool, desktop.Command) policies.Verdict {
			return policies.Verdict{Action: policies.Confirm, Reason: "everything must be approved"}
		}
		b.Config.User = answering("", true)
		b.Excel.LaunchDelay = time.Second
		b.Config.CloseApps = true
		host, s := b.session()
		res, err := s.Run(t.Context(), "x")
		require.NoError(t, err)
		assert.Equal(t, "excel", res.Subtasks[0].App)
		assert.Len(t, b.Desktop.Actions(), 1)
		require.NoError(t, host.Close(t.Context()))
		_, open := b.Excel.Window()
		assert.False(t, open, "it was launched by the host, with approval")
	})
}

func TestCloseApps(t *testing.T) {
	for name, closes := range map[string]bool{"leaves them": false, "closes them": true} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, assign("1", "x"), say(fsm.Finish), assign("0", "y"), say(fsm.Finish), say(fsm.Finish))
			b.Config.CloseApps = closes
			host, s := b.session()
			_, err := s.Run(t.Context(), "do it")
			require.NoError(t, err)
			require.NoError(t, s.Close(t.Context()))
			_, open := b.Excel.Window()
			assert.Equal(t, !closes, open)
			_, open = b.Word.Window()
			assert.True(t, open, "the host did not launch it")
			assert.Nil(t, host.App("word/report"))
			assert.Nil(t, host.App("excel/book"))
			require.NoError(t, host.Close(t.Context()), "a second time there is nothing to close")
		})
	}
}

func TestCloseAppsReportsEverything(t *testing.T) {
	launched := func(t *testing.T) (*bench, *hostagent.Agent) {
		t.Helper()
		b := newBench(t, assign("1", "x"), say(fsm.Finish), say(fsm.Finish))
		b.Config.CloseApps = true
		host, s := b.session()
		_, err := s.Run(t.Context(), "do it")
		require.NoError(t, err)
		return b, host
	}
	t.Run("refused", func(t *testing.T) {
		b, host := launched(t)
		b.Desktop.Fail(desktop.CloseApplication, "unsaved changes")
		err := host.Close(t.Context())
		assert.ErrorContains(t, err, "hostagent: close excel: ")
		assert.ErrorContains(t, err, "unsaved changes")
	})
	t.Run("no list", func(t *testing.T) {
		b, host := launched(t)
		b.Desktop.Fail(desktop.GetDesktopAppInfo, "no display")
		assert.ErrorContains(t, host.Close(t.Context()), "hostagent: close applications: ")
	})
	t.Run("closed by somebody", func(t *testing.T) {
		b, host := launched(t)
		b.Desktop.Gone(b.Excel)
		b.Desktop.Show(b.Excel) // another window of the same program
		require.NoError(t, host.Close(t.Context()))
		assert.Empty(t, b.Desktop.Calls(desktop.CloseApplication))
	})
	t.Run("agents", func(t *testing.T) {
		b := newBench(t, assign("0", "x"), say(fsm.Finish))
		cause := errors.New("stuck")
		b.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) {
			return &foreign{name: "shell", closed: cause}, nil
		}
		host, s := b.session()
		_, err := s.Run(t.Context(), "do it")
		require.NoError(t, err)
		err = host.Close(t.Context())
		assert.ErrorIs(t, err, cause)
		assert.ErrorContains(t, err, "hostagent: close the agent of word/report: ")
	})
}
