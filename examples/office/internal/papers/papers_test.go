package papers_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/examples/internal/table"
	"github.com/agentfsm/agentfsm/examples/office/internal/papers"
)

// report is a window of Writer, whose document has a heading and a table.
func report() *desktoptest.App {
	return &desktoptest.App{
		Root: papers.Writer, Title: "report.docx", Running: true,
		Controls: []desktop.Control{{ID: "pane", Type: "scroll pane", Children: []desktop.Control{{ID: "doc", Type: "document text", Name: "report"}}}},
		Tools: []desktoptest.Tool{{
			Name: "read_document", Schema: `{"type": "object", "properties": {"id": {"const": "doc"}}, "required": ["id"]}`,
			Annotations: desktop.Annotations{ReadOnlyHint: true},
			Returns: []any{
				map[string]any{"type": "heading", "level": 1, "text": "Sales"},
				map[string]any{"type": "table", "rows": [][]string{{"Region", "2024"}, {"North", "4"}, {"South", "7"}}},
			},
		}},
	}
}

var sales = []table.Source{{
	Number: 1, Heading: "Sales", Sections: []string{}, Rows: [][]string{{"Region", "2024"}, {"North", "4"}, {"South", "7"}},
}}

// scoped is a screen narrowed to its first window.
func scoped(t testing.TB, d desktop.Desktop) desktop.Desktop {
	t.Helper()
	window, err := desktop.Scope(t.Context(), d, "1")
	require.NoError(t, err)
	return window
}

func TestTables(t *testing.T) {
	t.Parallel()
	got, err := papers.Tables(t.Context(), scoped(t, desktoptest.New(t, report())))
	require.NoError(t, err)
	assert.Equal(t, sales, got)
}

func TestTablesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	broken := errors.New("the bus is gone")
	for name, c := range map[string]struct {
		change func(*desktoptest.Desktop, *desktoptest.App)
		want   string
	}{
		"no document": {func(_ *desktoptest.Desktop, a *desktoptest.App) {
			a.SetControls(desktop.Control{ID: "x", Type: "panel"})
		}, "papers: the window shows no document"},
		"no controls":   {func(d *desktoptest.Desktop, _ *desktoptest.App) { d.Fail(desktop.GetUITree, "it is not there yet") }, "papers: get_ui_tree: it is not there yet"},
		"no text":       {func(d *desktoptest.Desktop, _ *desktoptest.App) { d.Fail("read_document", "busy") }, "papers: read_document: busy"},
		"the transport": {func(d *desktoptest.Desktop, _ *desktoptest.App) { d.Break(desktop.GetUITree, broken) }, "papers: the bus is gone"},
		"another form":  {func(d *desktoptest.Desktop, _ *desktoptest.App) { d.Lie("read_document", desktop.TextResult("hello")) }, "papers: read_document: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			writer := report()
			d := desktoptest.New(t, writer)
			c.change(d, writer)
			_, err := papers.Tables(t.Context(), scoped(t, d))
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// What is looked for may be at any depth, and the first one in reading order is taken.
func TestFind(t *testing.T) {
	t.Parallel()
	tree := []desktop.Control{
		{ID: "1", Type: "panel", Children: []desktop.Control{{ID: "2", Type: "panel", Children: []desktop.Control{{ID: "3", Type: "text"}}}, {ID: "4", Type: "text"}}},
		{ID: "5", Type: "text"},
	}
	found := papers.Find(tree, func(c desktop.Control) bool { return c.Type == "text" })
	require.NotNil(t, found)
	assert.Equal(t, "3", found.ID)
	assert.Nil(t, papers.Find(tree, func(c desktop.Control) bool { return c.Type == "table" }))
	assert.Nil(t, papers.Find(nil, func(desktop.Control) bool { return true }))
}

func names(t testing.TB, d desktop.Desktop) (list []string) {
	t.Helper()
	tools, err := d.Tools(t.Context())
	require.NoError(t, err)
	for _, tool := range tools {
		list = append(list, tool.Name)
	}
	return list
}

// Only windows of Writer have the two tools more.
func TestOpen(t *testing.T) {
	t.Parallel()
	own := []string{"list_tables", "extract_table"}
	screen := papers.Open(desktoptest.New(t, report(), &desktoptest.App{Root: "libreoffice-calc", Running: true}), "report.docx")
	assert.NotSubset(t, names(t, screen), own)
	writer := scoped(t, screen)
	assert.Subset(t, names(t, writer), append(own, desktop.GetUITree, "read_document"))
	calc, err := desktop.Scope(t.Context(), screen, "2")
	require.NoError(t, err)
	for _, name := range own {
		assert.NotContains(t, names(t, calc), name)
	}
	_, err = desktop.Scope(t.Context(), screen, "9")
	assert.ErrorIs(t, err, desktop.ErrScope)
}

// execute runs a tool that must succeed.
func execute(t testing.TB, d desktop.Desktop, tool string, parameters map[string]any, into any) {
	t.Helper()
	res, err := desktop.Execute(t.Context(), d, desktop.Command{ToolName: tool, Parameters: parameters})
	require.NoError(t, err)
	require.NoError(t, res.Err())
	require.NoError(t, res.Decode(into))
}

func TestToolsOfWriter(t *testing.T) {
	t.Parallel()
	d := desktoptest.New(t, report())
	writer := scoped(t, papers.Open(d, "report.docx"))
	var page struct {
		Items []table.Summary `json:"items"`
	}
	execute(t, writer, "list_tables", nil, &page)
	require.Len(t, page.Items, 1)
	assert.Equal(t, "Sales", page.Items[0].Heading)
	var extract struct {
		Rows  [][]any `json:"rows"`
		Range string  `json:"range"`
	}
	execute(t, writer, "extract_table", map[string]any{"number": 1}, &extract)
	assert.Equal(t, [][]any{{"Region", "2024"}, {"North", 4.0}, {"South", 7.0}}, extract.Rows)
	assert.Equal(t, "A1:B3", extract.Range)
	assert.Len(t, d.Calls("read_document"), 1, "the document is read once")
	var tree []desktop.Control
	execute(t, writer, desktop.GetUITree, nil, &tree)
	require.Len(t, tree, 1, "what is not its own goes to the window")
	assert.Equal(t, "pane", tree[0].ID)
}

// A document that is not there yet is read later.
func TestToolsOfWriterThatLoads(t *testing.T) {
	t.Parallel()
	d := desktoptest.New(t, report())
	d.Fail("read_document", "it loads").Times(1)
	writer := scoped(t, papers.Open(d, "report.docx"))
	res, err := desktop.Execute(t.Context(), writer, desktop.Command{ToolName: "list_tables"})
	require.NoError(t, err)
	assert.Equal(t, desktop.Failure, res.Status)
	assert.Contains(t, res.Error, "papers: read_document: it loads")
	var page map[string]any
	execute(t, writer, "list_tables", nil, &page)
	assert.InDelta(t, 1, page["total"], 0)
}

// What does not answer is an error of whoever narrows the screen.
func TestOpenWithoutWindows(t *testing.T) {
	t.Parallel()
	broken := errors.New("the bus is gone")
	d := desktoptest.New(t, report())
	d.Break(desktop.GetDesktopAppInfo, broken)
	_, err := desktop.Scope(t.Context(), papers.Open(d, "report.docx"), "1")
	require.ErrorIs(t, err, broken)
	assert.ErrorContains(t, err, "papers: ")

	_, err = scoped(t, papers.Open(toolless{desktoptest.New(t, report())}, "report.docx")).Tools(t.Context())
	assert.ErrorIs(t, err, errTools)
}

var errTools = errors.New("no tools today")

// toolless is a screen whose windows do not say what they can do.
type toolless struct{ *desktoptest.Desktop }

func (d toolless) Scope(ctx context.Context, id string) (desktop.Desktop, error) {
	window, err := d.Desktop.Scope(ctx, id)
	return silent{window}, err
}

type silent struct{ desktop.Desktop }

func (silent) Tools(context.Context) ([]desktop.Tool, error) { return nil, errTools }

// A window of another document is none of the job's, whatever its tables are called.
func TestAnotherDocument(t *testing.T) {
	t.Parallel()
	for title, ok := range map[string]bool{
		"report.docx": true, "report.docx - LibreOffice Writer": true, "report.docx (read-only) - LibreOffice Writer": true,
		"own-other.odt - LibreOffice Writer": false, "old-report.docx - LibreOffice Writer": false, "report.docx.odt - LibreOffice Writer": false, "": false,
	} {
		app := report()
		app.Title = title
		res, err := scoped(t, papers.Open(desktoptest.New(t, app), "report.docx")).Execute(t.Context(), desktop.Command{ToolName: "list_tables"})
		require.NoError(t, err, title)
		assert.Equal(t, ok, res.Status == desktop.Success, title)
		if !ok {
			assert.Contains(t, res.Error, `and the document is report.docx`, title)
		}
	}
}
