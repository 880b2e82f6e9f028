package program

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/person"
)

// outcome is what a run of the program gave.
type outcome struct {
	status         int
	answer, errors string
}

// linuxagent runs the program without a terminal.
func linuxagent(t testing.TB, args ...string) outcome {
	t.Helper()
	return runWith(t.Context(), args...)
}

func runWith(ctx context.Context, args ...string) outcome {
	var out, errs bytes.Buffer
	c := person.Console{In: strings.NewReader(""), Out: &out, Err: &errs}
	status := Run(ctx, args, c, Rules)
	return outcome{status, out.String(), errs.String()}
}

// folder writes files into a folder of its own.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	require.NoError(t, os.Mkdir(dir, 0o700))
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	return dir
}

// contents are the files of a folder.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	files := map[string]string{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		files[e.Name()] = string(content)
	}
	return files
}

// rowsOf reads a sheet of a workbook.
func rowsOf(t testing.TB, path, name string) [][]string {
	t.Helper()
	f, err := excelize.OpenFile(path)
	require.NoError(t, err)
	defer func() { assert.NoError(t, f.Close()) }()
	rows, err := f.GetRows(name, excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	return rows
}

func TestSample(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answer.xlsx")
	o := linuxagent(t, "-workbook", path, "-confirm", "yes")
	require.Equal(t, 0, o.status, o.errors)
	assert.Contains(t, o.answer, "LinuxAgent/terminal/testdata:CONFIRM")
	assert.Contains(t, o.answer, "\n  |   awk -v s=, -v k=3 '\n", "a person reads the line as it is typed")
	assert.Contains(t, o.answer, `["south.csv"] has the highest total of "amount": 3047.45 (of 4 files). It is in the sheet Answer of `+path)
	assert.Equal(t, [][]string{{"File", "Total of amount"}, {"south.csv", "3047.45"}}, rowsOf(t, path, "Answer"))
}

// Totals are right for every separator, quotes, and rows that have none.
func TestTotals(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files  map[string]string
		column string
		want   [][]string // nil: FAIL
		says   string
	}{
		"quotes and line breaks": {map[string]string{"a.csv": "x,n\n\"a, b\n\"\"c\"\"\",5\n", "b.CSV": "n;x\n2;\"3\"\n"}, "n", [][]string{{"a.csv", "5"}}, "of 2 files"},
		"a tie":                  {map[string]string{"b.csv": "n\n7\n", "a.csv": "n\n3\n4\n"}, "N", [][]string{{"a.csv", "7"}, {"b.csv", "7"}}, `["a.csv" "b.csv"]`},
		"negative":               {map[string]string{"a.csv": "n\n-7.5\n", "b.csv": "n\t m\n-3\t1\n"}, "n", [][]string{{"b.csv", "-3"}}, ""},
		"not all are numbers":    {map[string]string{"a.csv": "n\n1e2\nten\n"}, "n", [][]string{{"a.csv", "100"}}, "1 cells that are no numbers"},
		"Windows":                {map[string]string{"a.csv": "\ufeffn\r\n1\r\n2\r\n"}, "n", [][]string{{"a.csv", "3"}}, ""},
		"no such column":         {map[string]string{"a.csv": "x,y\n1,2\n"}, "n", nil, `there are: ["x" "y"]`},
		"no files":               {map[string]string{"a.txt": "n\n1\n"}, "n", nil, "no CSV file"},
		"nothing named":          {map[string]string{"a.csv": "n\n1\n"}, "", nil, "The total of which column?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "answer.xlsx")
			o := linuxagent(t, "-dir", folder(t, tt.files), "-column", tt.column, "-workbook", path, "-confirm", "yes")
			assert.Contains(t, o.answer+o.errors, tt.says)
			if tt.want == nil {
				assert.Equal(t, 1, o.status)
				assert.NoFileExists(t, path)
				return
			}
			require.Equal(t, 0, o.status, o.errors)
			assert.Equal(t, tt.want, rowsOf(t, path, "Answer")[1:])
		})
	}
}

// Nothing that is not on the list runs without a yes, and a workbook keeps its other sheets.
func TestApprovals(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answer.xlsx")
	mine := excelize.NewFile()
	require.NoError(t, mine.SetCellValue("Sheet1", "A1", "mine"))
	require.NoError(t, mine.SaveAs(path))
	for _, confirm := range []string{"no", "ask"} { // nobody is there to ask
		o := linuxagent(t, "-workbook", path, "-confirm", confirm)
		assert.Equal(t, 1, o.status)
		assert.Contains(t, o.errors, "FAIL: not approved: run_shell")
	}
	o := linuxagent(t, "-workbook", path, "-confirm", "yes")
	require.Equal(t, 0, o.status, o.errors)
	assert.Contains(t, o.answer, path+" exists and would be replaced")
	assert.Equal(t, [][]string{{"mine"}}, rowsOf(t, path, "Sheet1"))
	assert.Equal(t, "south.csv", rowsOf(t, path, "Answer")[1][0])

	require.NoError(t, os.WriteFile(path, []byte("hello"), 0o600))
	o = linuxagent(t, "-workbook", path, "-confirm", "yes")
	assert.Equal(t, 1, o.status)
	assert.Equal(t, "hello", contents(t, filepath.Dir(path))["answer.xlsx"])
}

// A file that appears or changes between its reading and save_workbook is not replaced.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.xlsx")
	book, err := newWorkbook(path)
	require.NoError(t, err)
	do := func(tool string, args map[string]any) string {
		result, err := book.Execute(t.Context(), desktop.Command{ToolName: tool, Parameters: args})
		require.NoError(t, err)
		return result.Error
	}
	assert.Contains(t, do("save_workbook", nil), "nothing is written")
	require.Empty(t, do("write_rows", map[string]any{"rows": []any{[]any{"=a"}, []any{"b"}}}))
	require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
	assert.Contains(t, do("save_workbook", nil), "changed by somebody else")
	require.NoError(t, os.Remove(path))
	assert.Empty(t, do("save_workbook", nil))
	assert.Equal(t, [][]string{{"=a"}, {"b"}}, rowsOf(t, path, "Answer"), "a text stays text")
	require.Empty(t, do("write_rows", map[string]any{"rows": []any{[]any{"c"}}}))
	assert.Empty(t, do("save_workbook", nil))
	assert.Equal(t, [][]string{{"c"}}, rowsOf(t, path, "Answer"), "nothing of before is left")
}

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-confirm", "maybe"}, {"-workbook", "a.pdf"}, {"-nonsense"}, {"reports"}} {
		o := linuxagent(t, args...)
		assert.Equal(t, 2, o.status, args)
		assert.Contains(t, o.errors, "(-h lists the flags)")
	}
	assert.Equal(t, 0, linuxagent(t, "-h").status)
	assert.Equal(t, 1, linuxagent(t, "-dir", filepath.Join(t.TempDir(), "none")).status)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Equal(t, 1, runWith(ctx).status)
}

// A shell whose lines the policy cannot judge is refused.
func TestNeedsBash(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bash"), []byte("#!/bin/sh\necho 3\n"), 0o700))
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	assert.Contains(t, linuxagent(t).errors, "bash 4 or later")
}
