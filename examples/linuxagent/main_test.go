//go:build unix

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
	"github.com/xuri/excelize/v2"
)

// outcome is what a run of the program gave.
type outcome struct {
	status    int
	positions []string
	answer    string // what was printed behind the positions
	errors    string
}

// linuxagent runs the program without a terminal.
func linuxagent(t testing.TB, args ...string) outcome {
	t.Helper()
	return runWith(t.Context(), console{in: strings.NewReader("")}, args...)
}

func runWith(ctx context.Context, c console, args ...string) outcome {
	var out, errs bytes.Buffer
	c.out = &out
	if c.err == nil {
		c.err = &errs
	}
	o := outcome{status: run(ctx, args, c)}
	o.errors = errs.String()
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		if at := strings.LastIndexByte(line, ':'); o.answer == "" && at > 0 && strings.ToUpper(line[at:]) == line[at:] && !strings.Contains(line, " ") {
			o.positions = append(o.positions, line)
			continue
		}
		o.answer += line + " "
	}
	o.answer = strings.TrimSuffix(o.answer, " ")
	return o
}

func (o outcome) last() string { return o.positions[len(o.positions)-1] }

// count is how often a position was taken.
func (o outcome) count(position string) (n int) {
	for _, p := range o.positions {
		if p == position {
			n++
		}
	}
	return n
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

// contents are all files below a folder.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir+"/")] = string(content)
		return err
	}))
	return files
}

// sheet reads what is in a sheet of a workbook.
func sheet(t testing.TB, path, name string) [][]string {
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
	assert.Equal(t, []string{
		"HostAgent:CONTINUE", "HostAgent:ASSIGN",
		"LinuxAgent/terminal/reports:CONTINUE", "LinuxAgent/terminal/reports:CONTINUE", "LinuxAgent/terminal/reports:CONTINUE", "LinuxAgent/terminal/reports:CONTINUE",
		"LinuxAgent/terminal/reports:CONFIRM", "LinuxAgent/terminal/reports:CONTINUE",
		"LinuxAgent/terminal/reports:CONFIRM", "LinuxAgent/terminal/reports:CONTINUE",
		"LinuxAgent/terminal/reports:FINISH",
		"HostAgent:CONTINUE", "HostAgent:ASSIGN",
		"AppAgent/workbook/answer.xlsx:CONTINUE", "AppAgent/workbook/answer.xlsx:CONTINUE", "AppAgent/workbook/answer.xlsx:CONTINUE",
		"AppAgent/workbook/answer.xlsx:FINISH",
		"HostAgent:CONTINUE", "HostAgent:FINISH",
	}, o.positions)
	assert.Equal(t, `"south.csv" has the highest total of "amount": 3047.45 (of 4 files). It is in the sheet Answer of `+path+".", o.answer)
	assert.Equal(t, approved, o.errors)
	assert.Equal(t, [][]string{{"File", "Total of amount"}, {"south.csv", "3047.45"}}, sheet(t, path, "Answer"))
}

// approved is what a person sees of the sample.
const approved = `LinuxAgent/terminal/reports wants to run this:
  | for f in './east.csv'; do
  |   awk -F';' '
  |     NR == 1 { next }
  |     { gsub(/^[ \t]+|[ \t\r]+$/, "", $2) }
  |     $2 ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ { total += $2; n++; next }
  |     $2 != "" { other++ }
  |     END { printf "%.15g %d %d", total, n, other }
  |   ' "$f"
  |   printf '\n'
  | done
It needs approval because line 2: the command "awk" is not on the list.
The agent says: "It totals column 2 of each file, and counts the cells that are numbers and those
that are something else. It runs nothing else and writes nothing."
Allow it? [y/N] yes (-confirm is yes)
LinuxAgent/terminal/reports wants to run this:
  | for f in './north.csv' './south.csv' './west.csv'; do
  |   awk -F, '
  |     NR == 1 { next }
  |     { gsub(/^[ \t]+|[ \t\r]+$/, "", $3) }
  |     $3 ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/ { total += $3; n++; next }
  |     $3 != "" { other++ }
  |     END { printf "%.15g %d %d", total, n, other }
  |   ' "$f"
  |   printf '\n'
  | done
It needs approval because line 2: the command "awk" is not on the list.
The agent says: "It totals column 3 of each file, and counts the cells that are numbers and those
that are something else. It runs nothing else and writes nothing."
Allow it? [y/N] yes (-confirm is yes)
`

// A workbook that exists keeps its other sheets, and the sheet loses what it had.
func TestExistingWorkbook(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answer.xlsx")
	f := excelize.NewFile()
	_, err := f.NewSheet("ANSWER")
	require.NoError(t, err)
	require.NoError(t, f.SetCellStr("Sheet1", "B3", "mine"))
	require.NoError(t, f.SetCellFormula("Sheet1", "B4", "1+1"))
	require.NoError(t, f.SetCellStr("ANSWER", "C7", "old"))
	require.NoError(t, f.SaveAs(path))
	require.NoError(t, f.Close())

	o := linuxagent(t, "-workbook", path, "-confirm", "yes", "-column", " CUSTOMER ")
	require.Equal(t, 1, o.status, "names are no numbers")
	o = linuxagent(t, "-workbook", path, "-confirm", "yes", "-column", " AMOUNT ")
	require.Equal(t, 0, o.status, o.errors)
	assert.Equal(t, 1, o.count("AppAgent/workbook/answer.xlsx:CONFIRM"))
	assert.Contains(t, strings.Join(strings.Fields(o.errors), " "), path+" exists and would be replaced")
	assert.Equal(t, [][]string{{"File", "Total of  AMOUNT "}, {"south.csv", "3047.45"}}, sheet(t, path, "ANSWER"))
	assert.Equal(t, "mine", sheet(t, path, "Sheet1")[2][1])
	f, err = excelize.OpenFile(path)
	require.NoError(t, err)
	formula, err := f.GetCellFormula("Sheet1", "B4")
	require.NoError(t, err)
	assert.Equal(t, "1+1", formula)
	assert.Equal(t, []string{"Sheet1", "ANSWER"}, f.GetSheetList())
	require.NoError(t, f.Close())
}

// Without a yes nothing that needs one is done, whoever does not give it.
func TestNotApproved(t *testing.T) {
	t.Parallel()
	typed := func(text string) console { return console{in: strings.NewReader(text), terminal: true} }
	for name, tt := range map[string]struct {
		c    console
		args []string
	}{
		"no":                          {console{}, []string{"-confirm", "no"}},
		"no, whatever is typed":       {typed(strings.Repeat("y\n", 9)), []string{"-confirm", "no"}},
		"nobody to ask":               {console{in: strings.NewReader("y\n")}, nil},
		"asked: no":                   {typed("n\n"), nil},
		"asked: nobody there anymore": {typed(""), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, exists := range []bool{false, true} {
				dir := t.TempDir()
				path := filepath.Join(dir, "answer.xlsx")
				if exists {
					f := excelize.NewFile()
					require.NoError(t, f.SaveAs(path))
					require.NoError(t, f.Close())
				}
				before := contents(t, dir)
				o := runWith(t.Context(), tt.c, append([]string{"-workbook", path}, tt.args...)...)
				assert.Equal(t, 1, o.status)
				assert.Equal(t, "HostAgent:FAIL", o.last())
				assert.Contains(t, o.errors, "FAIL: not approved: run_shell")
				assert.Equal(t, 1, o.count("LinuxAgent/terminal/reports:CONFIRM"), "it is not asked again")
				assert.Equal(t, before, contents(t, dir))
			}
		})
	}
}

// somebody types an answer when a question is printed.
type somebody struct {
	bytes.Buffer
	keys    *io.PipeWriter
	answers func(question string) string
}

func (s *somebody) Write(text []byte) (int, error) {
	if question := string(text); strings.HasSuffix(question, " ") {
		go io.WriteString(s.keys, s.answers(question)+"\n") // the reader of the program takes it
	}
	return s.Buffer.Write(text)
}

func sitting(t testing.TB, answers func(question string) string) console {
	in, keys := io.Pipe()
	t.Cleanup(func() { keys.Close() })
	return console{in: in, err: &somebody{keys: keys, answers: answers}, terminal: true}
}

// A yes is for one command: the next question is another one.
func TestApprovedOneByOne(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answer.xlsx")
	require.NoError(t, os.WriteFile(path, workbookBytes(t), 0o600))
	c := sitting(t, func(question string) string {
		if strings.Contains(question, "wants to run this") {
			return "Yes"
		}
		return "no"
	})
	o := runWith(t.Context(), c, "-workbook", path)
	assert.Equal(t, 1, o.status)
	assert.Equal(t, []string{"AppAgent/workbook/answer.xlsx:CONFIRM", "AppAgent/workbook/answer.xlsx:FAIL", "HostAgent:CONTINUE", "HostAgent:FAIL"}, o.positions[len(o.positions)-4:])
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(workbookBytes(t), content))
}

func workbookBytes(t testing.TB) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	buf, err := f.WriteToBuffer()
	require.NoError(t, err)
	return buf.Bytes()
}

// PENDING: without a column the person is asked which.
func TestAskedForColumn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "answer.xlsx")
	dir := folder(t, map[string]string{"a.csv": "x,y\n1,9\n", "b.csv": "y,x\n3,5\n"})
	question := ""
	c := sitting(t, func(text string) string {
		if strings.Contains(text, "which column") {
			question = text
			return "y"
		}
		return "yes"
	})
	o := runWith(t.Context(), c, "-dir", dir, "-column", "", "-workbook", path)
	require.Equal(t, 0, o.status)
	assert.Equal(t, `The total of which column? There are: "x", "y" `, question)
	assert.Equal(t, 1, o.count("LinuxAgent/terminal/data:PENDING"))
	assert.Equal(t, [][]string{{"File", "Total of y"}, {"a.csv", "9"}}, sheet(t, path, "Answer"))

	o = linuxagent(t, "-dir", dir, "-column", "", "-workbook", path, "-confirm", "yes")
	assert.Equal(t, 1, o.status, "a yes is no name")
	assert.Equal(t, "HostAgent:FAIL", o.last())
}

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"-confirm", "maybe"}, {"-workbook", "a.xls"}, {"-nonsense"}, {"reports"}, {"-jsonl", "./a.xlsx", "-workbook", "a.xlsx"},
	} {
		o := linuxagent(t, args...)
		assert.Equal(t, 2, o.status, "%q", args)
		assert.Regexp(t, `^linuxagent: .* \(-h lists the flags\)\n$`, o.errors, "%q: one line, which says what is wrong", args)
		assert.Empty(t, o.positions, "%q", args)
	}
	o := linuxagent(t, "-h")
	assert.Equal(t, 0, o.status)
	assert.Contains(t, o.errors, "FILE.xlsx")
}

func TestRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	record := filepath.Join(dir, "a.jsonl")
	o := linuxagent(t, "-workbook", filepath.Join(dir, "a.xlsx"), "-confirm", "yes", "-jsonl", record)
	require.Equal(t, 0, o.status, o.errors)
	text, err := os.ReadFile(record)
	require.NoError(t, err)
	assert.Contains(t, string(text), `subtask_result_1.data.rows`, "the rows travel by reference")
	assert.Contains(t, lastLine(text), `"outcome":"FINISH"`, "the end is on record too")
	o = linuxagent(t, "-workbook", filepath.Join(dir, "b.xlsx"), "-jsonl", filepath.Join(dir, "none", "a.jsonl"))
	assert.Equal(t, 1, o.status)
	assert.Contains(t, o.errors, "-jsonl")
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}
