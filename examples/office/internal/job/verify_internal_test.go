package job

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/examples/internal/tables"
	"github.com/agentfsm/agentfsm/examples/internal/wordcases"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/proof"
)

// A table that the file does not have is refused.
func TestCompare(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.docx")
	for _, c := range wordcases.All() {
		if c.Name != "hidden row" {
			continue
		}
		require.NoError(t, os.WriteFile(file, c.Docx(), 0o600))
		for west, unfit := range map[string]bool{"": false, "999": true} {
			rows := [][]string{{"Region", "Amount"}, {"North", "120"}, {"West", west}, {"South", "80"}}
			if west == "" {
				rows = append(rows[:2], rows[3])
			}
			list := tables.Read([]tables.Block{{Table: &tables.Source{Rows: rows}}})
			require.NoError(t, compare(list, file))
			assert.Equal(t, unfit, list[0].Unfit != "")
		}
	}
	require.ErrorIs(t, compare(nil, file+"x"), os.ErrNotExist)
}

// sales is what Writer's agent has extracted of sales.docx below.
var sales = tables.Extract{
	Title: "Sales", Range: "A1:B3", Columns: []string{"B"},
	Rows: [][]any{{"Region", "Amount"}, {"North", 120.5}, {"South", nil}},
}

// book is a spreadsheet that shows them, with a change.
func book(t *testing.T, file string, change func(f *excelize.File, c *excelize.Chart)) {
	t.Helper()
	f := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "Region", "B1": "Amount", "A2": "North", "B2": 120.5, "A3": "South"} {
		require.NoError(t, f.SetCellValue("Sheet1", cell, value))
	}
	c := &excelize.Chart{
		Type: excelize.Col, Title: excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: "Sales"}}},
		Series: []excelize.ChartSeries{{Name: "Sheet1!$B$1", Categories: "Sheet1!$A$2:$A$3", Values: "Sheet1!$B$2:$B$3"}},
	}
	change(f, c)
	if c.Series != nil {
		require.NoError(t, f.AddChart("Sheet1", "D2", c))
	}
	require.NoError(t, f.SaveAs(file))
	require.NoError(t, f.Close())
}

// extracted is a board on which Writer's agent has handed a table on.
func extracted(t *testing.T, e tables.Extract) *blackboard.Board {
	t.Helper()
	b := blackboard.New(0)
	task, err := b.Open(blackboard.Subtask{App: rules.Writer, Text: "extract"})
	require.NoError(t, err)
	raw, err := json.Marshal(e)
	require.NoError(t, err)
	require.NoError(t, b.Close(task.ID, string(fsm.Finish), raw, "done"))
	return b
}

func TestVerify(t *testing.T) {
	t.Parallel()
	set := func(cell string, value any) func(*excelize.File, *excelize.Chart) {
		return func(f *excelize.File, _ *excelize.Chart) { _ = f.SetCellValue("Sheet1", cell, value) }
	}
	for name, c := range map[string]struct {
		change func(f *excelize.File, c *excelize.Chart)
		says   string
	}{
		"right":           {func(*excelize.File, *excelize.Chart) {}, ""},
		"another number":  {set("B2", 120.6), "B2 should be 120.5"},
		"a text":          {set("B2", "120.5"), "B2 should be 120.5"},
		"a cell more":     {set("C3", 1), "C3 should be empty"},
		"another label":   {set("A3", "West"), `A3 should be "South"`},
		"no chart":        {func(_ *excelize.File, c *excelize.Chart) { c.Series = nil }, "0 charts"},
		"lines":           {func(_ *excelize.File, c *excelize.Chart) { c.Type = excelize.Line }, "of bars"},
		"another range":   {func(_ *excelize.File, c *excelize.Chart) { c.Series[0].Values = "Sheet1!$B$2:$B$2" }, "the chart shows"},
		"another title":   {func(_ *excelize.File, c *excelize.Chart) { c.Title.Paragraph[0].Text = "Costs" }, "the title"},
		"twice the chart": {func(f *excelize.File, c *excelize.Chart) { _ = f.AddChart("Sheet1", "D20", c) }, "2 charts"},
	} {
		dir := t.TempDir()
		r := &run{in: filepath.Join(dir, "a.odt"), out: filepath.Join(dir, "sales.xlsx"), board: extracted(t, sales)}
		book(t, r.out, c.change)
		found, err := r.verify(t.Context(), proof.Claim{})
		require.NoError(t, err, name)
		assert.Equal(t, c.says == "", found.Verdict == proof.Yes, "%s: %s", name, found.Evidence)
		assert.Contains(t, found.Evidence, c.says, name)
	}
	r := &run{out: filepath.Join(t.TempDir(), "sales.xlsx"), board: extracted(t, sales)}
	found, err := r.verify(t.Context(), proof.Claim{})
	require.NoError(t, err)
	assert.Equal(t, proof.No, found.Verdict)
	assert.Contains(t, found.Evidence, "sales.xlsx is not there")
	r.board = blackboard.New(0)
	found, err = r.verify(t.Context(), proof.Claim{})
	require.NoError(t, err)
	assert.Contains(t, found.Evidence, "no table was extracted")
}

// What was there before is replaced, and nothing else.
func TestDeliver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, meanwhile, after string
	}{
		"nothing there":       {"", "", "new"},
		"replaced":            {"old", "", "new"},
		"made meanwhile":      {"", "another's", "another's"},
		"changed meanwhile":   {"old", "another's", "another's"},
		"gone meanwhile":      {"old", "gone", ""},
		"the same and is new": {"new", "", "new"},
	} {
		user, own := t.TempDir(), t.TempDir()
		r := &run{Config: Config{In: filepath.Join(user, "a.docx"), Out: filepath.Join(user, "b.xlsx")}, in: filepath.Join(own, "a.docx"), out: filepath.Join(own, "b.xlsx")}
		require.NoError(t, os.WriteFile(r.In, []byte("document"), 0o600))
		if c.before != "" {
			require.NoError(t, os.WriteFile(r.Out, []byte(c.before), 0o600))
		}
		require.NoError(t, r.bring())
		require.NoError(t, os.WriteFile(r.out, []byte("new"), 0o600))
		switch c.meanwhile {
		case "":
		case "gone":
			require.NoError(t, os.Remove(r.Out))
		default:
			require.NoError(t, os.WriteFile(r.Out, []byte(c.meanwhile), 0o600))
		}
		err := r.deliver()
		is, _ := os.ReadFile(r.Out)
		assert.Equal(t, c.after, string(is), name)
		assert.Equal(t, c.after == "new", err == nil, "%s: %v", name, err)
		if err != nil {
			assert.Contains(t, err.Error(), "; it is in ", name)
		}
		files, err := os.ReadDir(user)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(files), 2, name)
	}
	r := &run{Config: Config{In: "gone.docx"}}
	require.ErrorIs(t, r.bring(), os.ErrNotExist)
}
