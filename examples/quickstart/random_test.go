package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
	samples "github.com/agentfsm/agentfsm/examples/internal/sample"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
	"github.com/agentfsm/agentfsm/round"
)

// documents is how many documents are made that are nowhere in the repository.
const documents = 50

func TestRandomDocuments(t *testing.T) {
	t.Parallel()
	n := uint64(documents)
	if testing.Short() {
		n = 12 // each language twice
	}
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			in, out, record := filepath.Join(dir, "in.docx"), filepath.Join(dir, "out.xlsx"), filepath.Join(dir, "steps.jsonl")
			c := samples.Random(seed)
			require.NoError(t, c.Document.WriteFile(in))
			o := quickstart(t, "-in", in, "-out", out, "-request", c.Request, "-jsonl", record)
			require.Equal(t, 0, o.status, o.errors)
			assert.Equal(t, "HostAgent:FINISH", o.positions[len(o.positions)-1])
			assert.Contains(t, o.positions, "HostAgent:ASSIGN")
			assert.Equal(t, []string{"in.docx", "out.xlsx", "steps.jsonl"}, files(t, dir))

			book, err := xlsxtest.Open(out)
			require.NoError(t, err)
			shows(t, book, c)
			traced(t, book, commands(t, record))
		})
	}
}

// shows checks the cells, and the chart by the cells that it refers to.
func shows(t *testing.T, book *xlsxtest.Book, c samples.Case) {
	t.Helper()
	require.Len(t, book.Sheets, 1)
	sheet := book.Sheets[0]
	require.Len(t, sheet.Charts, 1)
	chart := sheet.Charts[0]
	require.True(t, chart.Bars)
	require.Len(t, chart.Series, len(c.Drawn))
	assert.Equal(t, c.Header[0], sheet.Cells["A1"].Text)
	assert.Equal(t, len(c.Labels)+1, sheet.Rows)
	assert.Equal(t, len(c.Header), sheet.Cols)
	resolve := func(ref string) []xlsxtest.Cell {
		cells, err := book.Resolve(ref)
		require.NoError(t, err)
		return cells
	}
	for n, s := range chart.Series {
		i := c.Drawn[n]
		name := resolve(s.Name)
		require.Len(t, name, 1)
		assert.Equal(t, xlsxtest.Text, name[0].Kind) // a year too
		assert.Equal(t, c.Header[i+1], name[0].Text)
		labels, values := resolve(s.Categories), resolve(s.Values)
		require.Len(t, labels, len(c.Labels))
		require.Len(t, values, len(c.Labels))
		for row := range c.Labels {
			require.Equal(t, xlsxtest.Cell{Kind: xlsxtest.Text, Text: c.Labels[row]}, labels[row])
			require.Equal(t, c.Values[row][i], values[row].Text)
			if c.Values[row][i] != "" {
				require.Equal(t, xlsxtest.Number, values[row].Kind)
			}
		}
	}
}

// commands reads what was executed, in order, from the record.
func commands(t *testing.T, path string) []round.Command {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	var list []round.Command
	seq := 0
	for r := bufio.NewReader(file); ; {
		text, err := r.ReadBytes('\n')
		if len(text) == 0 {
			require.NotZero(t, seq)
			return list
		}
		require.NoError(t, err)
		var step struct {
			V        int             `json:"v"`
			Seq      int             `json:"seq"`
			Commands []round.Command `json:"commands"`
			Result   *struct{ Outcome round.Outcome }
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		require.NoError(t, d.Decode(&step))
		require.Equal(t, 1, step.V)
		if step.Result != nil { // the line behind the last step
			require.Equal(t, round.Finished, step.Result.Outcome)
			continue
		}
		seq++
		require.Equal(t, seq, step.Seq)
		list = append(list, step.Commands...)
	}
}

// traced checks that every cell of the book was written by a command, and that
// what the command wrote is in the result of one before it, cell by cell.
func traced(t *testing.T, book *xlsxtest.Book, list []round.Command) {
	t.Helper()
	cells := map[string]string{}
	for i, c := range list {
		if c.Command.ToolName != "write_rows" {
			continue
		}
		rows, ok := c.Command.Parameters["rows"].([]any)
		require.True(t, ok)
		source := rowsBefore(t, list[:i])
		require.Len(t, rows, len(source))
		for r := range rows {
			require.Equal(t, source[r], rows[r], "row %d", r)
			for col, v := range rows[r].([]any) {
				if v != nil {
					cells[fmt.Sprintf("%c%d", 'A'+col, r+1)] = fmt.Sprint(v)
				}
			}
		}
	}
	require.Len(t, book.Sheets[0].Cells, len(cells))
	for name, cell := range book.Sheets[0].Cells {
		require.Equal(t, cells[name], cell.Text, name)
	}
}

// rowsBefore returns the rows that the last command that returned some did return.
func rowsBefore(t *testing.T, list []round.Command) []any {
	t.Helper()
	for _, done := range slices.Backward(list) {
		for _, c := range done.Result.Content {
			var result struct {
				Rows []any `json:"rows"`
			}
			d := json.NewDecoder(bytes.NewReader(c.JSON))
			d.UseNumber()
			if d.Decode(&result) == nil && len(result.Rows) > 0 {
				return result.Rows
			}
		}
	}
	require.Fail(t, "no rows in any result before")
	return nil
}

// Two runs differ in their times only.
func TestSameRunSameRecord(t *testing.T) {
	t.Parallel()
	var records [2][]round.Command
	for i := range records {
		dir := t.TempDir()
		record := filepath.Join(dir, "steps.jsonl")
		require.Equal(t, 0, quickstart(t, "-out", filepath.Join(dir, "a.xlsx"), "-jsonl", record).status)
		list := commands(t, record)
		for j := range list {
			list[j].Duration, list[j].Command.CallID, list[j].Result.CallID = 0, "", "" // what differs in every run
			for k, c := range list[j].Result.Content {
				list[j].Result.Content[k].JSON = bytes.ReplaceAll(c.JSON, []byte(dir), nil)
			}
			if command, ok := list[j].Command.Parameters["command"].([]any); ok {
				command[len(command)-1] = "a.xlsx"
			}
		}
		records[i] = list
	}
	assert.Equal(t, records[0], records[1])
}

// More tables than one prompt shows, the one that is meant behind them, and
// headers that are long.
func TestManyTables(t *testing.T) {
	t.Parallel()
	d := docxtest.New()
	long := func(i int) string { return fmt.Sprintf("%d %s", i, bytes.Repeat([]byte("very <long> "), 200)) }
	for i := range 300 {
		d.Heading(1, fmt.Sprint("Part ", i))
		if i%50 == 0 {
			d.Heading(2, long(i))
		}
		d.Table(docxtest.Table{Rows: docxtest.Texts([]string{"Name", "Value"}, []string{"a", "1"}, []string{"b", "2"})})
	}
	d.Heading(1, "Sales")
	wide := []string{"Region"}
	row := []string{"North"}
	for i := range 100 {
		wide, row = append(wide, long(i)[:100+i]), append(row, fmt.Sprint(i))
	}
	d.Table(docxtest.Table{Rows: docxtest.Texts(wide, row, row)})
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.docx"), filepath.Join(dir, "out.xlsx")
	require.NoError(t, d.WriteFile(in))
	o := quickstart(t, "-in", in, "-out", out)
	require.Equal(t, 0, o.status, o.errors)
	book, err := xlsxtest.Open(out)
	require.NoError(t, err)
	require.Len(t, book.Sheets[0].Charts, 1)
	assert.Len(t, book.Sheets[0].Charts[0].Series, 100)
	assert.Equal(t, "Sales", book.Sheets[0].Charts[0].Title)
}
