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
)

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
		assert.Contains(t, b.lastError(), "the windows could not be listed")
		assert.Contains(t, b.lastError(), "busy")
	})
}

// What a host launched it closes, where it is to, and no other window of the same program.
func TestCloseApps(t *testing.T) {
	for _, closes := range []bool{false, true} {
		b := newBench(t, call("launch_application", m{"name": "Word"}), assign("0", "y"), say(fsm.Finish), say(fsm.Finish))
		b.Config.Apps = []hostagent.Program{{Name: "word", Command: []string{"word", "b.docx"}}}
		other := &desktoptest.App{Root: "Word", Process: "b", Command: []string{"word", "b.docx"}}
		b.Desktop.Add(other)
		b.Config.CloseApps = closes
		host, s := b.session()
		_, err := s.Run(t.Context(), "open b")
		require.NoError(t, err)
		require.NoError(t, s.Close(t.Context()))
		_, open := other.Window()
		assert.Equal(t, !closes, open)
		_, open = b.Word.Window()
		assert.True(t, open, "the host did not launch it")
		assert.Nil(t, host.App("word/report"))
		require.NoError(t, host.Close(t.Context()), "a second time there is nothing to close")
	}
}

func TestCloseAppsReportsEverything(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(b *bench)
		says    string
	}{
		"refused":            {func(b *bench) { b.Desktop.Fail(desktop.CloseApplication, "unsaved changes") }, "hostagent: close excel: "},
		"no list":            {func(b *bench) { b.Desktop.Fail(desktop.GetDesktopAppInfo, "no display") }, "hostagent: close applications: "},
		"closed by somebody": {func(b *bench) { b.Desktop.Gone(b.Excel); b.Desktop.Show(b.Excel) }, ""}, // another window of the same program
		"its agent":          {func(*bench) {}, "hostagent: close the agent of excel/book: stuck"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, assign("1", "x"), say(fsm.Finish))
			b.Config.CloseApps = true
			shell := &foreign{name: "shell"}
			if name == "its agent" {
				shell.closed = errors.New("stuck")
			}
			b.Config.NewApp = func(context.Context, appagent.Config) (fsm.Worker, error) { return shell, nil }
			host, s := b.session()
			_, err := s.Run(t.Context(), "do it")
			require.NoError(t, err)
			c.prepare(b)
			if err = host.Close(t.Context()); c.says != "" {
				assert.ErrorContains(t, err, c.says)
				return
			}
			require.NoError(t, err)
			assert.Empty(t, b.Desktop.Calls(desktop.CloseApplication))
		})
	}
}
