package desktoptest_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
)

type params = map[string]any

var errBroken = errors.New("the transport is broken")

// do executes a command that must not break the transport.
func do(t *testing.T, d desktop.Desktop, tool string, p params) desktop.Result {
	t.Helper()
	res, err := d.Execute(t.Context(), desktop.Command{ToolName: tool, Parameters: p, CallID: "c"})
	require.NoError(t, err)
	assert.Equal(t, "c", res.CallID)
	return res
}

// ok executes a command that must succeed and decodes its JSON.
func ok[T any](t *testing.T, d desktop.Desktop, tool string, p params) T {
	t.Helper()
	res := do(t, d, tool, p)
	require.Equal(t, desktop.Success, res.Status, res.Error)
	var v T
	require.NoError(t, res.Decode(&v))
	return v
}

func windows(t *testing.T, d desktop.Desktop) []desktop.Window {
	t.Helper()
	return ok[[]desktop.Window](t, d, desktop.GetDesktopAppInfo, nil)
}

func names(t *testing.T, d desktop.Desktop) []string {
	t.Helper()
	tools, err := d.Tools(t.Context())
	require.NoError(t, err)
	var list []string
	for _, tool := range tools {
		list = append(list, tool.Name)
	}
	return list
}

func wordAndExcel() (word, excel *desktoptest.App) {
	word = &desktoptest.App{Root: "winword", Process: "report.docx", Title: "report.docx - Word", Running: true,
		Controls: []desktop.Control{
			{ID: "1", Name: "Save", Type: "Button"},
			{ID: "2", Name: "Body", Type: "Document", Children: []desktop.Control{
				{ID: "3", Name: "Name", Type: "Edit", Value: "Ada"},
				{ID: "4", Name: "a heading", Type: "Text"},
			}},
		},
		Tools: []desktoptest.Tool{
			{Name: "extract_table", Returns: []int{1, 2}},
			{Name: desktop.Texts, Returns: "all of it"},
		}}
	excel = &desktoptest.App{Root: "excel", Running: true}
	return word, excel
}

func ids(list []desktop.Window) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.ID)
	}
	return out
}

// extra are the well-known commands that a Desktop does not offer by itself.
var extra = []desktoptest.Tool{
	{Name: desktop.GetControl}, {Name: desktop.DoubleClick}, {Name: desktop.ClickOnCoordinates}, {Name: desktop.DragOnCoordinates},
}

var setEve = desktop.Command{ToolName: desktop.SetEditText, Parameters: params{"id": "3", "text": "Eve"}, CallID: "7"}

// transcript is the log, each command a line.
func transcript(d *desktoptest.Desktop) string {
	var b strings.Builder
	for _, e := range d.Log() {
		fmt.Fprintln(&b, e)
	}
	return b.String()
}

func executed(d *desktoptest.Desktop) []bool {
	var list []bool
	for _, e := range d.Log() {
		list = append(list, e.Executed)
	}
	return list
}
