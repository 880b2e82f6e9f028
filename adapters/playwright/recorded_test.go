package playwright_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
)

// step is a call whose answer was recorded, in testdata/answers.
type step struct {
	name, tool string
	args       map[string]any
}

// steps are done one after another.
func steps(at string) []step {
	return []step{
		{"blank", "browser_snapshot", nil},
		{"navigate", "browser_navigate", map[string]any{"url": at + "/form.html"}},
		{"form", "browser_snapshot", nil},
		{"stale", "browser_click", map[string]any{"target": "e999"}},
		{"select", "browser_select_option", map[string]any{"target": "e17", "values": []string{"L"}}},
		{"nofield", "browser_type", map[string]any{"target": "e2", "text": "x"}},
		{"confirm", "browser_click", map[string]any{"target": "e28"}},
		{"modal", "browser_snapshot", nil},
		{"modaltabs", "browser_tabs", map[string]any{"action": "list"}},
		{"accept", "browser_handle_dialog", map[string]any{"accept": true}},
		{"nodialog", "browser_handle_dialog", map[string]any{"accept": true}},
		{"newtab", "browser_click", map[string]any{"target": "e26"}},
		{"twotabs", "browser_snapshot", nil},
		{"tabselect", "browser_tabs", map[string]any{"action": "select", "index": 1}},
		{"second", "browser_snapshot", nil},
		{"tabclose", "browser_tabs", map[string]any{"action": "close", "index": 1}},
		{"choose", "browser_click", map[string]any{"target": "e19"}},
		{"chooser", "browser_snapshot", nil},
		{"chosen", "browser_file_upload", nil},
		{"table", "browser_navigate", map[string]any{"url": at + "/table.html"}},
		{"orders", "browser_snapshot", nil},
		{"key", "browser_press_key", map[string]any{"key": "End"}},
		{"nokey", "browser_press_key", map[string]any{"key": "Bogus"}},
		{"back", "browser_navigate_back", nil},
	}
}

func (s step) file() string { return "testdata/answers/" + s.name + ".txt" }

// do returns what a server answers.
func (s step) do(t *testing.T, server desktop.Desktop) string {
	t.Helper()
	if s.args == nil {
		s.args = map[string]any{}
	}
	res, err := server.Execute(t.Context(), desktop.Command{ToolName: s.tool, Parameters: s.args})
	require.NoError(t, err)
	if res.Status != desktop.Success {
		return res.Error
	}
	return res.Text()
}

var (
	code = regexp.MustCompile("(?s)### Ran Playwright code\n```js\n.*?\n```\n?")
	logs = regexp.MustCompile("(?s)\nCall log:.*")
)

// The fake answers as the real server does, as far as tests look at it.
func TestTheFakeAnswersAsRecorded(t *testing.T) {
	f := newFake()
	// What a page does by itself, a fake does not.
	not := []string{"key", "accept", "tabselect", "nofield", "back"}
	for _, step := range steps(shop) {
		now := step.do(t, f)
		if slices.Contains(not, step.name) {
			continue
		}
		raw, err := os.ReadFile(step.file())
		require.NoError(t, err)
		was := strings.ReplaceAll(string(raw), "\r\n", "\n")
		assert.Equal(t, plain(was), plain(now), step.name)
	}
}

// plain is an answer without the code that the server ran, its log, and where the focus is.
func plain(answer string) string {
	answer = strings.ReplaceAll(answer, " [active]", "")
	return strings.TrimSpace(logs.ReplaceAllString(code.ReplaceAllString(answer, ""), ""))
}
