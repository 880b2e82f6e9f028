package appagent_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/acting"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/policies"
)

// What a policy is told of the control is what the desktop shows, whatever the
// model calls it. Windows and what was not seen are no controls.
func TestPolicySeesTheControl(t *testing.T) {
	for name, tc := range map[string]struct {
		call m
		sees string
	}{
		"label":    {m{"Function": "click_input", "ControlLabel": "1"}, "Save"},
		"argument": {m{"Function": "press", "Args": m{"id": 3, "name": "Harmless"}}, "Title"},
		"keys":     {m{"Function": "keyboard_input", "ControlLabel": "3", "ControlText": "OK", "Args": m{"keys": "{ENTER}"}}, "Title"},
		"no id":    {m{"Function": "keyboard_input", "Args": m{"keys": "{ENTER}"}}, "nothing"},
		"a window": {m{"Function": "select_application_window", "Args": m{"id": "1"}}, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			tc.call["Status"] = "CONTINUE"
			b := newBench(t, tc.call, say(fsm.Finish))
			b.Desktop.AddTools(desktoptest.Tool{Name: "press"})
			seen := ""
			b.Config.Policy = func(ctx context.Context, _ desktop.Tool, _ desktop.Command) policies.Verdict {
				seen = "nothing"
				if c, ok := policies.ControlOf(ctx); ok {
					seen = c.Name
				}
				return policies.Verdict{Action: policies.Deny}
			}
			b.finish()
			assert.Equal(t, tc.sees, seen)
		})
	}
}

// A policy is told what the control is called when the act is executed.
func TestPolicySeesTheControlAfterTheApproval(t *testing.T) {
	b := newBench(t, m{"Status": "CONTINUE", "Function": "press", "Args": m{"id": 1}}, say(fsm.Finish))
	b.Desktop.AddTools(desktoptest.Tool{Name: "press"})
	var seen []desktop.Control
	b.Config.Policy = func(ctx context.Context, _ desktop.Tool, _ desktop.Command) policies.Verdict {
		c, _ := policies.ControlOf(ctx)
		seen = append(seen, c)
		return policies.Verdict{}
	}
	b.Config.User = answering("", true)
	b.finish()
	assert.Equal(t, []desktop.Control{b.Word.Controls[0], b.Word.Controls[0]}, seen)
	assert.Len(t, b.Desktop.Calls("press"), 1)
}

// Alone on a desktop, an act is aimed at the window that has the focus; where
// there are no windows, at the control.
func TestTargetWithoutAWindow(t *testing.T) {
	b := newBench(t, m{"Status": "CONTINUE", "Function": "click_input", "ControlLabel": "1"}, say(fsm.Finish))
	b.Config.Window = desktop.Window{}
	b.Desktop.Gone(b.Other)
	_, err := commands.Do(t.Context(), b.Desktop, commands.Select("2", ""))
	require.NoError(t, err)
	b.finish()
	assert.Equal(t, `Button "Save" (1) in word/report (2)`, section[[]acting.Memo](b, 1, "history")[0].Actions[0].Target)
	assert.Equal(t, "report", section[desktop.Window](b, 0, "application").Process, "what it sees")

	for name, tc := range map[string]struct {
		prepare func(*bench)
		call    m
		target  string
	}{
		"nobody says": {func(b *bench) { b.Desktop.Without(desktop.GetAppWindow) }, m{"id": "7"}, `control 7 (not seen)`},
		"not seen":    {func(b *bench) { b.Desktop.Fail(desktop.GetAppWindow, "busy") }, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, call(fsm.Continue, "press", tc.call), say(fsm.Finish))
			b.Config.Window = desktop.Window{}
			b.Desktop.AddTools(desktoptest.Tool{Name: "press"})
			tc.prepare(b)
			b.finish()
			assert.Equal(t, tc.target, section[[]acting.Memo](b, 1, "history")[0].Actions[0].Target)
		})
	}
}
