package policies_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/policies"
)

func TestControlOf(t *testing.T) {
	_, ok := policies.ControlOf(t.Context())
	assert.False(t, ok)
	send := desktop.Control{ID: "3", Name: "Send"}
	got, ok := policies.ControlOf(policies.WithControl(t.Context(), send))
	assert.True(t, ok)
	assert.Equal(t, send, got)
}

func TestDefault(t *testing.T) {
	for name, c := range map[string]struct {
		tool desktop.Tool
		cmd  desktop.Command
		want policies.Action
	}{
		"harmless":               {desktop.Tool{Name: "write"}, desktop.Command{ToolName: "write"}, policies.Allow},
		"destructive":            {desktop.Tool{Name: "erase", Annotations: desktop.Annotations{DestructiveHint: true}}, desktop.Command{ToolName: "erase"}, policies.Confirm},
		"a file that is deleted": {desktop.Tool{Name: "delete_file"}, desktop.Command{ToolName: "delete_file"}, policies.Confirm},
		"a setting":              {desktop.Tool{Name: "set_system_setting"}, desktop.Command{ToolName: "set_system_setting"}, policies.Confirm},
		"mail that is read":      {desktop.Tool{Name: "read_mail"}, desktop.Command{ToolName: "read_mail"}, policies.Allow},
		"a control unseen":       {desktop.Tool{Name: desktop.ClickInput}, desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "1"}}, policies.Allow},
		"a control that deletes": {desktop.Tool{Name: desktop.ClickInput}, desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "1", "name": "Delete everything"}}, policies.Confirm},
		"in full-width letters":  {desktop.Tool{Name: "ｄｅｌｅｔｅ＿all"}, desktop.Command{ToolName: "ｄｅｌｅｔｅ＿all"}, policies.Confirm},
		"a letter of no width":   {desktop.Tool{Name: "send\u200bmail"}, desktop.Command{ToolName: "send\u200bmail"}, policies.Confirm},
		"in the middle of one":   {desktop.Tool{Name: "de\u200blete"}, desktop.Command{ToolName: "de\u200blete"}, policies.Confirm},
		"hidden in a control":    {desktop.Tool{Name: desktop.ClickInput}, desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "1", "name": "Ｐａｙ\u2060now"}}, policies.Confirm},
		"a setting that hides":   {desktop.Tool{Name: "write\u200bconfig"}, desktop.Command{ToolName: "write\u200bconfig"}, policies.Confirm},
		"a shell":                {desktop.Tool{Name: desktop.RunShell}, desktop.Shell("ls"), policies.Confirm},
		"launching a program":    {desktop.Tool{Name: desktop.LaunchApplication}, commands.Launch("editor"), policies.Confirm},
		"a screenshot":           {desktop.Tool{Name: desktop.CaptureWindowScreenshot}, desktop.Command{ToolName: desktop.CaptureWindowScreenshot}, policies.Allow},
		"a screenshot in no file": {
			desktop.Tool{Name: desktop.CaptureWindowScreenshot},
			desktop.Command{ToolName: desktop.CaptureWindowScreenshot, Parameters: map[string]any{"save_path": ""}},
			policies.Allow,
		},
		"a screenshot in a file": {
			desktop.Tool{Name: desktop.CaptureDesktopScreenshot, Annotations: desktop.Annotations{ReadOnlyHint: true}},
			desktop.Command{ToolName: desktop.CaptureDesktopScreenshot, Parameters: map[string]any{"save_path": "a.png"}},
			policies.Confirm,
		},
		"a shell that only reads": {desktop.Tool{Name: desktop.RunShell, Annotations: desktop.Annotations{ReadOnlyHint: true}}, desktop.Shell("ls"), policies.Confirm},
	} {
		t.Run(name, func(t *testing.T) {
			v := policies.Default(t.Context(), c.tool, c.cmd)
			assert.Equal(t, c.want, v.Action)
			assert.Equal(t, c.want == policies.Confirm, v.Reason != "")
		})
	}
}

func TestActionNames(t *testing.T) {
	for action, want := range map[policies.Action]string{
		policies.Confirm: "confirm", policies.Allow: "allow", policies.Deny: "deny", 9: "action(9)",
	} {
		assert.Equal(t, want, action.String())
	}
	assert.Equal(t, policies.Confirm, policies.Verdict{}.Action, "the zero verdict asks")
}
