package job

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/blackboard"
	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
	"github.com/agentfsm/agentfsm/examples/internal/office"
	"github.com/agentfsm/agentfsm/examples/internal/xlsx"
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/examples/office/internal/saved"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/proof"
)

func text(value string) saved.Cell { return saved.Cell{Text: value, IsText: true} }

func number(value float64) saved.Cell { return saved.Cell{Number: value} }

func TestDiffer(t *testing.T) {
	t.Parallel()
	rows := [][]any{{"Region", "2024", ""}, {"North", 4.5, nil}}
	for name, c := range map[string]struct {
		change map[string]saved.Cell // of the cells that are right; the zero Cell: it is not there
		want   string
	}{
		"nothing":              {nil, ""},
		"an empty text":        {map[string]saved.Cell{"C1": text("")}, ""},
		"a wrong number":       {map[string]saved.Cell{"B2": number(4.6)}, "B2 should be the number 4.5"},
		"a number as text":     {map[string]saved.Cell{"B2": text("4.5")}, "B2 should be the number 4.5"},
		"no number":            {map[string]saved.Cell{"B2": {}}, "B2 should be the number 4.5"},
		"a wrong label":        {map[string]saved.Cell{"A2": text("South")}, `A2 should be the text "North"`},
		"a label and a blank":  {map[string]saved.Cell{"A2": text("North ")}, `A2 should be the text "North"`},
		"no label":             {map[string]saved.Cell{"A2": {}}, `A2 should be the text "North"`},
		"a text as number":     {map[string]saved.Cell{"B1": number(2024)}, `B1 should be the text "2024"`},
		"no text, but one":     {map[string]saved.Cell{"C1": text("x")}, `C1 should be the text ""`},
		"a gap that is filled": {map[string]saved.Cell{"C2": number(1)}, "C2 should be empty"},
		"one cell more":        {map[string]saved.Cell{"A3": text("South")}, `A3 should be empty, and is "South"`},
		"several more":         {map[string]saved.Cell{"D9": number(1), "B7": number(2)}, "B7 should be empty, and is 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cells := map[string]saved.Cell{"A1": text("Region"), "B1": text("2024"), "A2": text("North"), "B2": number(4.5)}
			for at, cell := range c.change {
				cells[at] = cell
				if cell == (saved.Cell{}) {
					delete(cells, at)
				}
			}
			assert.Equal(t, c.want, differ(cells, rows))
		})
	}
	assert.Equal(t, "A1 should be empty, and is 1", differ(map[string]saved.Cell{"A1": number(1)}, nil))
	wide := make([]any, 16385)
	assert.Contains(t, differ(nil, [][]any{wide}), "column number")
}

// extract is what Writer's agent hands on.
var extract = office.Extract{
	Table: 1, Title: "Sales", Rows: [][]any{{"Region", "2023", "2024"}, {"North", 4, 4.5}, {"South", 7, 8}}, Range: "A1:C3", Columns: []string{"B", "C"},
}

// board is one with sub-tasks that ended.
func board(t testing.TB, ended ...blackboard.Subtask) *blackboard.Board {
	t.Helper()
	b := blackboard.New(0)
	for _, s := range ended {
		s.Text = "do it"
		opened, err := b.Open(s)
		require.NoError(t, err)
		require.NoError(t, b.Close(opened.ID, s.Status, s.Result, s.Reason))
	}
	return b
}

// from is a sub-task that ended with a result.
func from(t testing.TB, app string, status fsm.Status, result any) blackboard.Subtask {
	t.Helper()
	raw, err := json.Marshal(result)
	require.NoError(t, err)
	return blackboard.Subtask{App: app, Status: string(status), Result: raw}
}

// bars is a chart of columns of extract.
func bars(columns ...string) xlsx.Chart {
	c := xlsx.Chart{Categories: "A2:A3"}
	for _, name := range columns {
		c.Series = append(c.Series, xlsx.Series{Name: name + "1", Values: name + "2:" + name + "3"})
	}
	return c
}

// save writes a spreadsheet.
func save(t testing.TB, file string, rows [][]any, charts ...xlsx.Chart) {
	t.Helper()
	book := xlsx.New("Sheet1")
	defer func() { require.NoError(t, book.Close()) }()
	for i, row := range rows {
		require.NoError(t, book.SetRow(i+1, row))
	}
	for _, c := range charts {
		require.NoError(t, book.BarChart(c))
	}
	require.NoError(t, book.Save(t.Context(), file, false))
}

func TestVerify(t *testing.T) {
	t.Parallel()
	other := [][]any{{"Region", "2023", "2024"}, {"North", 4, 5.4}, {"South", 7, 8}}
	for name, c := range map[string]struct {
		rows     [][]any // nil: there is no file
		charts   []xlsx.Chart
		verdict  proof.Verdict
		evidence string
	}{
		"right":          {extract.Rows, []xlsx.Chart{bars("B", "C")}, proof.Yes, "sales.xlsx has 9 cells and a chart of 2 series"},
		"no file":        {nil, nil, proof.No, "sales.xlsx is not there"},
		"a wrong number": {other, []xlsx.Chart{bars("B", "C")}, proof.No, "sales.xlsx: C2 should be the number 4.5"},
		"an empty sheet": {[][]any{}, nil, proof.No, `sales.xlsx: A1 should be the text "Region"`},
		"no chart":       {extract.Rows, nil, proof.No, "sales.xlsx has 0 charts, and should have one, of bars"},
		"two charts":     {extract.Rows, []xlsx.Chart{bars("B", "C"), bars("B", "C")}, proof.No, "sales.xlsx has 2 charts, and should have one, of bars"},
		"as many, of other cells": {
			extract.Rows, []xlsx.Chart{{Categories: "B1:C1", Series: []xlsx.Series{{Name: "A2", Values: "B2:C2"}, {Name: "A3", Values: "B3:C3"}}}},
			proof.No, "the chart of sales.xlsx shows [B2:C2 called A2 over B1:C1 B3:C3 called A3 over B1:C1], and should show [B2:B3 called B1 over A2:A3 C2:C3 called C1 over A2:A3]",
		},
		"a row less": {
			extract.Rows, []xlsx.Chart{{Categories: "A2:A2", Series: []xlsx.Series{{Name: "B1", Values: "B2:B2"}, {Name: "C1", Values: "C2:C2"}}}},
			proof.No, "the chart of sales.xlsx shows [B2:B2 called B1 over A2:A2 C2:C2 called C1 over A2:A2], and should show [B2:B3 called B1 over A2:A3 C2:C3 called C1 over A2:A3]",
		},
		"a series less": {extract.Rows, []xlsx.Chart{bars("C")}, proof.No, "the chart of sales.xlsx shows [C2:C3 called C1 over A2:A3], and should show [B2:B3 called B1 over A2:A3 C2:C3 called C1 over A2:A3]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &run{out: filepath.Join(t.TempDir(), "sales.xlsx"), board: board(t, from(t, rules.Writer, fsm.Finish, extract))}
			if c.rows != nil {
				save(t, r.out, c.rows, c.charts...)
			}
			found, err := r.verify(t.Context(), proof.Claim{})
			require.NoError(t, err)
			assert.Equal(t, proof.Finding{Verdict: c.verdict, By: "the file, read back", Evidence: c.evidence}, found)
		})
	}
}

// A file that is none can be saved once more, so it is a No, and no error.
func TestVerifyBroken(t *testing.T) {
	t.Parallel()
	r := &run{out: filepath.Join(t.TempDir(), "sales.ods"), board: board(t, from(t, rules.Writer, fsm.Finish, extract))}
	write(t, r.out, "no zip")
	found, err := r.verify(t.Context(), proof.Claim{})
	require.NoError(t, err)
	assert.Equal(t, proof.No, found.Verdict)
	assert.Equal(t, "sales.ods cannot be read: saved: zip: not a valid zip file", found.Evidence)
}

// The last table that Writer's agent has handed on counts.
func TestExtracted(t *testing.T) {
	t.Parallel()
	titled := func(title string) office.Extract {
		e := extract
		e.Title = title
		return e
	}
	for name, c := range map[string]struct {
		ended []blackboard.Subtask
		want  string // the title; "": none
	}{
		"none":            {nil, ""},
		"one":             {[]blackboard.Subtask{from(t, rules.Writer, fsm.Finish, titled("a"))}, "a"},
		"two":             {[]blackboard.Subtask{from(t, rules.Writer, fsm.Finish, titled("a")), from(t, rules.Writer, fsm.Finish, titled("b"))}, "b"},
		"one that failed": {[]blackboard.Subtask{from(t, rules.Writer, fsm.Finish, titled("a")), from(t, rules.Writer, fsm.Fail, titled("b"))}, "a"},
		"of Calc":         {[]blackboard.Subtask{from(t, rules.Calc, fsm.Finish, titled("a"))}, ""},
		"no table":        {[]blackboard.Subtask{from(t, rules.Writer, fsm.Finish, "done")}, ""},
		"an empty one":    {[]blackboard.Subtask{from(t, rules.Writer, fsm.Finish, titled("a")), from(t, rules.Writer, fsm.Finish, office.Extract{Title: "b"})}, "a"},
	} {
		r := &run{board: board(t, c.ended...), out: filepath.Join(t.TempDir(), "sales.xlsx")}
		got, ok := r.extracted()
		assert.Equal(t, c.want, got.Title, name)
		assert.Equal(t, c.want != "", ok, name)
		if !ok {
			found, err := r.verify(t.Context(), proof.Claim{})
			require.NoError(t, err)
			assert.Equal(t, "no table was extracted in Writer", found.Evidence, name)
			assert.Equal(t, proof.No, found.Verdict, name)
		}
	}
}

// What was extracted is compared with the file that the run was given, and not only with what came of it.
func TestVerifyComparesTheDocument(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rows     [][]string
		verdict  proof.Verdict
		evidence string
	}{
		"the same":         {[][]string{{"Region", "2023", "2024"}, {"North", "4", "4.5"}, {"South", "7", "8"}}, proof.Yes, "sales.xlsx has 9 cells and a chart of 2 series"},
		"another number":   {[][]string{{"Region", "2023", "2024"}, {"North", "4", "4.25"}, {"South", "7", "8"}}, proof.No, "no table of report.docx has the rows that were extracted in Writer"},
		"another document": {[][]string{{"City", "Costs"}, {"Bonn", "1"}}, proof.No, "no table of report.docx has the rows that were extracted in Writer"},
		"no table":         {nil, proof.No, "no table of report.docx has the rows that were extracted in Writer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			r := &run{in: filepath.Join(dir, "report.docx"), out: filepath.Join(dir, "sales.xlsx"), board: board(t, from(t, rules.Writer, fsm.Finish, extract))}
			doc := docxtest.New()
			doc.Table(docxtest.Table{Header: 1, Rows: docxtest.Texts([]string{"Item", "Count"}, []string{"x", "3"})})
			if c.rows != nil {
				doc.Table(docxtest.Table{Header: 1, Rows: docxtest.Texts(c.rows...)})
			}
			require.NoError(t, doc.WriteFile(r.in))
			save(t, r.out, extract.Rows, bars("B", "C"))
			found, err := r.verify(t.Context(), proof.Claim{})
			require.NoError(t, err)
			assert.Equal(t, proof.Finding{Verdict: c.verdict, By: "the file, read back", Evidence: c.evidence}, found)
		})
	}
	dir := t.TempDir()
	r := &run{in: filepath.Join(dir, "report.docx"), out: filepath.Join(dir, "sales.xlsx"), board: board(t, from(t, rules.Writer, fsm.Finish, extract))}
	save(t, r.out, extract.Rows, bars("B", "C"))
	write(t, r.in, "no zip")
	found, err := r.verify(t.Context(), proof.Claim{})
	require.NoError(t, err)
	assert.Equal(t, proof.No, found.Verdict)
	assert.Contains(t, found.Evidence, "report.docx cannot be read to compare it")
}
