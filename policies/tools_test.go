package policies_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/internal/commands"
	"github.com/agentfsm/agentfsm/policies"
)

func hinted(name string, hints desktop.Annotations) desktop.Tool {
	return desktop.Tool{Name: name, Annotations: hints}
}

func TestReadOnly(t *testing.T) {
	reads := desktop.Annotations{ReadOnlyHint: true}
	for name, c := range map[string]struct {
		tool       desktop.Tool
		parameters map[string]any
		want       string
	}{
		"it reads":            {tool: hinted("list_files", reads), want: "allow"},
		"it says nothing":     {tool: hinted("list_files", desktop.Annotations{}), want: `deny: the tool "list_files" is not marked as read-only`},
		"it says both":        {tool: hinted("x", desktop.Annotations{ReadOnlyHint: true, DestructiveHint: true}), want: `deny: the tool "x" is marked as read-only and as destructive`},
		"its name says more":  {tool: hinted("deleteFile", reads), want: `deny: the tool "deleteFile" is marked as read-only, but its name says "delete"`},
		"a screenshot":        {tool: hinted(desktop.CaptureWindowScreenshot, reads), parameters: map[string]any{"save_path": ""}, want: "allow"},
		"a screenshot kept":   {tool: hinted(desktop.CaptureDesktopScreenshot, reads), parameters: map[string]any{"save_path": "/etc/x"}, want: "deny: the screenshot would be written to a file"},
		"to the front":        {tool: hinted(desktop.SelectApplicationWindow, desktop.Annotations{}), want: "allow"},
		"no harmless front":   {tool: hinted(desktop.SelectApplicationWindow, desktop.Annotations{DestructiveHint: true}), want: `deny: the tool "select_application_window" is not marked as read-only`},
		"a name to be feared": {tool: hinted("x\n\u202e", desktop.Annotations{}), want: `deny: the tool "x\n\u202e" is not marked as read-only`},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, verdict(policies.ReadOnly(), c.tool, c.parameters))
		})
	}
	// Of the well-known commands those that only look, and one that points.
	allowed := []string{}
	tools, err := desktoptest.New(t).Tools(t.Context())
	require.NoError(t, err)
	for _, tool := range tools {
		if verdict(policies.ReadOnly(), tool, nil) == "allow" {
			allowed = append(allowed, tool.Name)
		}
	}
	assert.Equal(t, []string{
		desktop.CaptureDesktopScreenshot, desktop.CaptureWindowScreenshot, desktop.GetAppWindow, desktop.GetDesktopAppInfo,
		desktop.GetUITree, desktop.ListTools, desktop.SelectApplicationWindow, desktop.Texts, desktop.Wait,
	}, allowed)
}

func TestAskDestructive(t *testing.T) {
	p := policies.AskDestructive("Löschen")
	corpus(t, "tools.txt", func(name string) string {
		return strings.TrimPrefix(verdict(p, desktop.Tool{Name: name}, nil), "allow")
	})
	for _, tool := range []desktop.Tool{
		hinted("x", desktop.Annotations{DestructiveHint: true}), hinted("x", desktop.Annotations{DestructiveHint: true, ReadOnlyHint: true}), mustTool(desktop.CloseApplication),
	} {
		assert.Equal(t, "confirm: the tool is marked as destructive", verdict(p, tool, nil))
	}
	assert.Contains(t, verdict(p, hinted("mail_send", desktop.Annotations{ReadOnlyHint: true}), nil), `says "mail"`, "that it only reads")
	assert.Equal(t, "confirm: it is a shell command", verdict(p, desktop.Tool{Name: desktop.RunShell}, nil))
	assert.Equal(t, "confirm: it starts a program", verdict(p, desktop.Tool{Name: desktop.LaunchApplication}, nil))
	assert.Equal(t, "confirm: it writes a file", verdict(p, mustTool(desktop.CaptureWindowScreenshot), map[string]any{"save_path": "x"}))
}

// What is done to a control is judged by the name that the desktop shows, and the
// model cannot hide that.
func TestAskDestructiveOnControls(t *testing.T) {
	call := regexp.MustCompile(`^(\w+) (\{.*?\})(?: on (".*?"))?(?: to (".*?"))?$`)
	corpus(t, "controls.txt", func(text string) string {
		part := call.FindStringSubmatch(text)
		require.NotNil(t, part, text)
		tool, known := desktop.ToolNamed(part[1])
		if !known {
			tool = hinted(part[1], desktop.Annotations{ReadOnlyHint: part[1] == "reads"})
		}
		var parameters map[string]any
		require.NoError(t, json.Unmarshal([]byte(part[2]), &parameters), text)
		ctx := t.Context()
		if part[3] != "" {
			name, err := strconv.Unquote(part[3])
			require.NoError(t, err, text)
			ctx = policies.WithControl(ctx, desktop.Control{ID: "1", Name: name})
		}
		if part[4] != "" {
			name, err := strconv.Unquote(part[4])
			require.NoError(t, err, text)
			ctx = policies.WithDrop(ctx, desktop.Control{ID: "2", Name: name})
		}
		v := policies.AskDestructive("Löschen")(ctx, tool, desktop.Command{ToolName: tool.Name, Parameters: parameters})
		assert.Equal(t, v.Reason == "", v.Action == policies.Allow)
		return v.Reason
	})
}

// Who clicks on the icon of a button presses the button.
func TestAskDestructiveInsideOfButtons(t *testing.T) {
	icon := desktop.Control{ID: "2", Type: "Image"}
	for name, tt := range map[string]struct {
		path []desktop.Control
		asks bool
	}{
		"the icon of a button":       {[]desktop.Control{{Name: "Delete all", Type: "Button"}, icon}, true},
		"a text in a group in it":    {[]desktop.Control{{Name: "Delete all", Type: "push button"}, {Type: "Group"}, icon}, true},
		"the icon of another button": {[]desktop.Control{{Name: "Save", Type: "Button"}, icon}, false},
		"a button called by a text":  {[]desktop.Control{{ID: "1", Type: "Button", Children: []desktop.Control{{Type: "Group", Children: []desktop.Control{{Name: "Delete", Type: "Text"}}}}}}, true},
		"one whose name is an icon":  {[]desktop.Control{{Name: "\ue5cd", Type: "Link", Children: []desktop.Control{{Name: "Delete", Type: "Text"}}}}, true},
		"an icon beside the text":    {[]desktop.Control{{Type: "Button", Children: []desktop.Control{icon, {Name: "Delete", Type: "Text"}}}, icon}, true},
		"a named button":             {[]desktop.Control{{Name: "Open", Type: "Button", Children: []desktop.Control{{Name: "Delete", Type: "Text"}}}}, false},
		"a pane with a button":       {[]desktop.Control{{Type: "Pane", Children: []desktop.Control{{Name: "Delete", Type: "Button"}}}}, false},
		"a picture in a pane":        {[]desktop.Control{{Name: "Mail", Type: "Pane"}, icon}, false},
		"an entry of a menu":         {[]desktop.Control{{Name: "Format", Type: "MenuItem"}, {ID: "2", Name: "Bold", Type: "MenuItem"}}, false},
		"a button over the dialog":   {[]desktop.Control{{Name: "Delete all", Type: "Button"}, {Name: "Sure?", Type: "Dialog"}, icon}, false},
	} {
		for _, tool := range []string{desktop.ClickInput, desktop.ClickOnCoordinates} {
			ctx := policies.WithControl(t.Context(), tt.path...)
			v := policies.AskDestructive()(ctx, mustTool(tool), desktop.Command{ToolName: tool, Parameters: map[string]any{"id": "2", "x": 1, "y": 1}})
			assert.Equal(t, tt.asks, v.Action == policies.Confirm, "%s: %s: %s", name, tool, v.Reason)
		}
	}
}

// A "Yes" does what the title of its dialog asks.
func TestAskDestructiveInDialogs(t *testing.T) {
	for _, tt := range []struct{ title, button, word string }{
		{"Delete 40 rows?", "Yes", "delete"},
		{"Mail: delete all messages?", "Yes", "mail"},
		{"Keep the format?", "Yes", ""},
		{"Inbox: delete the mail?", "Yes", "delete"},
		{"Order mail discard", "OK", "discard"},
		{"Format disk C:?", "Yes", "format"},
		{"Empty the Trash?", "OK", "empty"},
		{"Format Cells", "OK", ""},
		{"New mail", "OK", ""},
		{"Löschen", "OK", "löschen"},
		{"Delete 40 rows?", "No", ""},
		{"Save?", "Yes", ""},
	} {
		t.Run(tt.title+" "+tt.button, func(t *testing.T) {
			dialog := desktop.Control{ID: "d", Name: tt.title, Type: "Dialog"}
			ctx := policies.WithControl(t.Context(), dialog, desktop.Control{ID: "1", Name: tt.button, Type: "Button"})
			v := policies.AskDestructive("Löschen")(ctx, mustTool(desktop.ClickInput), desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "1"}})
			if tt.word == "" {
				assert.Empty(t, v.Reason)
				return
			}
			assert.Contains(t, v.Reason, "says "+strconv.QuoteToASCII(tt.word))
		})
	}
}

func mustTool(name string) desktop.Tool {
	tool, ok := desktop.ToolNamed(name)
	if !ok {
		panic(name)
	}
	return tool
}

// The word of a tool counts where its server is trusted.
func TestDistrust(t *testing.T) {
	liar := hinted("get_x", desktop.Annotations{Title: "Get", ReadOnlyHint: true})
	assert.Equal(t, "allow", verdict(policies.ReadOnly(), liar, nil))
	assert.Contains(t, verdict(policies.Distrust(policies.ReadOnly()), liar, nil), "deny")
	assert.Equal(t, "allow", verdict(policies.Distrust(policies.ReadOnly(), "get_x"), liar, nil))
	assert.Contains(t, verdict(policies.Distrust(policies.AskDestructive()), liar, nil), "is marked as destructive")
	assert.True(t, liar.Annotations.ReadOnlyHint, "the tool is as it was")
}

func TestTools(t *testing.T) {
	p := policies.Tools("a", "b")
	assert.Equal(t, "allow", verdict(p, desktop.Tool{Name: "b"}, nil))
	for _, name := range []string{"A", "a ", "", "ab", "а"} {
		assert.Contains(t, verdict(p, desktop.Tool{Name: name}, nil), "deny: the tool ", name)
	}
	assert.Contains(t, verdict(policies.Tools(), desktop.Tool{Name: "a"}, nil), "deny", "an empty list has nothing on it")
	assert.Equal(t, `confirm: the tool "c" is not on the list of tools`, verdict(policies.Ask(p), desktop.Tool{Name: "c"}, nil))
}

func TestApps(t *testing.T) {
	windows := func(context.Context) ([]desktop.Window, error) {
		return []desktop.Window{{ID: "1", Root: "calc", Title: "writer"}, {ID: "2", Root: "writer", Title: "calc"}}, nil
	}
	opts := &policies.AppOptions{Commands: map[string][]string{"calc": {"soffice", "--calc"}}, Windows: windows}
	p := policies.Apps([]string{"calc"}, opts)
	corpus(t, "apps.txt", func(text string) string { return argued(t, p, nil, text) })
	tool, parameters := mustTool(desktop.LaunchApplication), map[string]any{"name": "calc", "command": []any{"soffice"}}
	assert.Contains(t, verdict(policies.Apps([]string{"calc"}, nil), tool, parameters), "deny")
	closing := commands.Close("1")
	assert.Contains(t, verdict(policies.Apps([]string{"calc"}, nil), mustTool(desktop.CloseApplication), closing.Parameters),
		"the policy cannot see which application", "an id alone says nothing")
	opts.Windows = func(context.Context) ([]desktop.Window, error) { return nil, errors.New("gone") }
	assert.Equal(t, `deny: the windows cannot be listed: "gone"`, verdict(policies.Apps([]string{"calc"}, opts), mustTool(desktop.CloseApplication), closing.Parameters))
}
