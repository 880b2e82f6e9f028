package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/docxtest"
	samples "github.com/agentfsm/agentfsm/examples/internal/sample"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
)

// outcome is what a run of the program gave.
type outcome struct {
	status    int
	positions []string
	answer    string // what was printed behind the positions
	errors    string
}

// quickstart runs the program without a terminal.
func quickstart(t testing.TB, args ...string) outcome {
	t.Helper()
	return quickstartWith(t, console{in: strings.NewReader("")}, args...)
}

func quickstartWith(t testing.TB, c console, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	c.out, c.err = &out, &errs
	o := outcome{status: run(t.Context(), args, c), errors: errs.String()}
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if at := strings.LastIndexByte(line, ':'); o.answer == "" && at > 0 && strings.ToUpper(line[at:]) == line[at:] && !strings.Contains(line, " ") {
			o.positions = append(o.positions, line)
			continue
		}
		o.answer += line
	}
	return o
}

// files lists a folder.
func files(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestSample(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "sales.xlsx")
	o := quickstart(t, "-out", path)
	require.Equal(t, 0, o.status, o.errors)
	assert.Equal(t, []string{
		"HostAgent:CONTINUE", "HostAgent:ASSIGN",
		"AppAgent/Word/sales.docx:CONTINUE", "AppAgent/Word/sales.docx:CONTINUE", "AppAgent/Word/sales.docx:CONTINUE", "AppAgent/Word/sales.docx:FINISH",
		"HostAgent:CONTINUE", "HostAgent:ASSIGN",
		"AppAgent/Excel/sales.xlsx:CONTINUE", "AppAgent/Excel/sales.xlsx:CONTINUE", "AppAgent/Excel/sales.xlsx:CONTINUE", "AppAgent/Excel/sales.xlsx:CONTINUE", "AppAgent/Excel/sales.xlsx:FINISH",
		"HostAgent:CONTINUE", "HostAgent:FINISH",
	}, o.positions)
	assert.Equal(t, `"Table 1: Sales by region, in thousands of euros": 5 rows, 3 series. A bar chart of it is in `+path+".", o.answer)
	assert.Empty(t, o.errors)
	assert.Equal(t, []string{"sales.xlsx"}, files(t, dir))

	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	require.Len(t, book.Sheets, 1)
	sheet := book.Sheets[0]
	assert.Equal(t, xlsxtest.Cell{Kind: xlsxtest.Number, Text: "1204.5", Format: "#,##0.0"}, sheet.Cells["B2"])
	assert.Equal(t, xlsxtest.Cell{Kind: xlsxtest.Text, Text: "Overseas"}, sheet.Cells["A6"])
	require.Len(t, sheet.Charts, 1)
	chart := sheet.Charts[0]
	assert.Equal(t, "Table 1: Sales by region, in thousands of euros", chart.Title)
	assert.True(t, chart.Bars)
	assert.Equal(t, []xlsxtest.Series{
		{Name: "'Data'!$B$1", Categories: "'Data'!$A$2:$A$6", Values: "'Data'!$B$2:$B$6"},
		{Name: "'Data'!$C$1", Categories: "'Data'!$A$2:$A$6", Values: "'Data'!$C$2:$C$6"},
		{Name: "'Data'!$D$1", Categories: "'Data'!$A$2:$A$6", Values: "'Data'!$D$2:$D$6"},
	}, chart.Series)
}

// The sample that a run reads is the one that is committed, and its request is
// the job.
func TestDefaults(t *testing.T) {
	t.Parallel()
	assert.True(t, strings.EqualFold(samples.Request, defaultRequest))
	s, err := parse(nil, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, settings{out: "chart.xlsx", request: defaultRequest, confirm: ask}, s)
}

func TestAnotherTableOfTheSample(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "costs.xlsx")
	o := quickstart(t, "-out", path, "-request", "draw the costs as bars")
	require.Equal(t, 0, o.status, o.errors)
	book, err := xlsxtest.Open(path)
	require.NoError(t, err)
	assert.Equal(t, "First half Q1", book.Sheets[0].Cells["B1"].Text)
	assert.Len(t, book.Sheets[0].Charts[0].Series, 4)
}

func TestRelativePaths(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "in"), 0o777))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "out"), 0o777))
	require.NoError(t, samples.Sales().WriteFile(filepath.Join(dir, "in", "my report.docx")))
	t.Chdir(filepath.Join(dir, "in"))
	o := quickstart(t, "-in", "my report.docx", "-out", "../out/a b.xlsx", "-jsonl", "../out/a.jsonl")
	require.Equal(t, 0, o.status, o.errors)
	assert.Equal(t, []string{"a b.xlsx", "a.jsonl"}, files(t, filepath.Join(dir, "out")))
	assert.Equal(t, []string{"my report.docx"}, files(t, "."))
	record, err := os.ReadFile("../out/a.jsonl")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(record)), "\n")
	assert.Contains(t, lines[len(lines)-1], `"outcome":"FINISH"`)
}

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"-confirm", "maybe"},
		{"-confirm"},
		{"-out", "chart.pdf"},
		{"-out", ""},
		{"-request", " "},
		{"-nonsense"},
		{"report.docx"},
		{"-jsonl", "./chart.xlsx"},
		{"-in", "a.docx", "-jsonl", "a.docx"},
		{"-in", "main.go", "-jsonl", "../quickstart/main.go"},
	} {
		o := quickstart(t, args...)
		assert.Equal(t, 2, o.status, "%q", args)
		assert.Regexp(t, `^quickstart: .* \(-h lists the flags\)\n$`, o.errors, "%q: one line, which says what is wrong", args)
		assert.Empty(t, o.positions, "%q", args)
	}
	o := quickstart(t, "-h")
	assert.Equal(t, 0, o.status)
	assert.Contains(t, o.errors, "Usage of quickstart")
	assert.Contains(t, o.errors, "FILE.docx")
}

// Whatever cannot be done ends in FAIL with the reason, and leaves nothing.
func TestFail(t *testing.T) {
	t.Parallel()
	words := docxtest.New()
	words.Heading(1, "Sales")
	words.Table(docxtest.Table{Rows: docxtest.Texts([]string{"Region", "Sales"}, []string{"North", "good"}, []string{"South", "bad"})})
	plain := docxtest.New()
	plain.Paragraph("No table in here.")
	labelless := docxtest.New()
	labelless.Table(docxtest.Table{Rows: docxtest.Texts([]string{"7", "5"}, []string{"3", "9"})})
	valid := samples.Sales().Bytes()

	tests := []struct {
		name   string
		file   []byte // nil: there is none
		args   []string
		reason string
	}{
		{"no chart", valid, []string{"-request", "extract the sales table"}, "asks for no chart"},
		{"another chart", valid, []string{"-request", "draw a pie chart of the sales"}, "pie"},
		{"another job", valid, []string{"-request", "draw a bar chart of the sales and email it to Bob"}, "email"},
		{"the opposite", valid, []string{"-request", "do not draw a bar chart"}, "not"},
		{"nonsense", valid, []string{"-request", "%$&!"}, "do not understand"},
		{"missing file", nil, nil, "no such file"},
		{"empty file", []byte{}, nil, "not a Word document"},
		{"another file", []byte("hello"), nil, "not a Word document"},
		{"cut file", valid[:len(valid)/2], nil, "broken"},
		{"another archive", docxtest.Zip(map[string]string{"a.txt": "b"}), nil, "not a Word document"},
		{"protected file", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on"), nil, "protected"},
		{"broken XML", docxtest.Zip(map[string]string{"word/document.xml": "<w:document>"}), nil, "broken"},
		{"no table", plain.Bytes(), nil, "no table"},
		{"no numbers", words.Bytes(), nil, "no numeric column"},
		{"no labels", labelless.Bytes(), nil, "no label column"},
		{"no folder", valid, []string{"-out", "none/sales.xlsx"}, "sales.xlsx"},
		{"a folder in its place", valid, []string{"-out", "folder.xlsx", "-confirm", "yes"}, "not a regular file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.xlsx"), 0o777))
			in, out := filepath.Join(dir, "in.docx"), filepath.Join(dir, "sales.xlsx")
			if tt.file != nil {
				require.NoError(t, os.WriteFile(in, tt.file, 0o600))
			}
			before := files(t, dir)
			args := []string{"-in", in, "-out", out}
			for i, arg := range tt.args {
				if i > 0 && tt.args[i-1] == "-out" {
					arg = filepath.Join(dir, arg)
				}
				args = append(args, arg)
			}
			o := quickstart(t, args...)
			assert.Equal(t, 1, o.status)
			assert.True(t, strings.HasPrefix(o.errors, "FAIL: "), o.errors)
			assert.Contains(t, o.errors, tt.reason)
			assert.Empty(t, o.answer)
			require.NotEmpty(t, o.positions)
			assert.Equal(t, "HostAgent:FAIL", o.positions[len(o.positions)-1])
			assert.Equal(t, before, files(t, dir))
			assert.Empty(t, files(t, filepath.Join(dir, "folder.xlsx")))
		})
	}
}

func TestRecordCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := quickstart(t, "-out", filepath.Join(dir, "a.xlsx"), "-jsonl", filepath.Join(dir, "none", "a.jsonl"))
	assert.Equal(t, 1, o.status)
	assert.Contains(t, o.errors, "-jsonl")
	assert.Empty(t, files(t, dir))
}

// A run whose record breaks off is no success.
func TestRecordBreaksOff(t *testing.T) {
	t.Parallel()
	const full = "/dev/full" // every write to it fails
	if _, err := os.Stat(full); err != nil {
		t.Log("there is no", full, "here")
		return
	}
	dir := t.TempDir()
	o := quickstart(t, "-out", filepath.Join(dir, "a.xlsx"), "-jsonl", full)
	assert.Equal(t, 1, o.status)
	assert.Contains(t, o.errors, "ERROR: ")
	assert.Empty(t, files(t, dir))
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	var out, errs bytes.Buffer
	assert.Equal(t, 1, run(ctx, []string{"-out", filepath.Join(dir, "a.xlsx")}, console{out: &out, err: &errs}))
	assert.Contains(t, errs.String(), "CANCELLED: ")
	assert.Empty(t, files(t, dir))
}
