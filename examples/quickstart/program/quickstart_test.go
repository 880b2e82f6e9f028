package program

import (
	"archive/zip"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/internal/wordcases"
	"github.com/agentfsm/agentfsm/internal/closed/closedtest"
	"github.com/agentfsm/agentfsm/llm"
)

const sampleFile = "testdata/sales.docx"

// outcome is what a run of the program gave.
type outcome struct {
	status      int
	out, errors string
}

func run(ctx context.Context, args ...string) outcome {
	var out, errs bytes.Buffer
	c := person.Console{In: strings.NewReader(""), Out: &out, Err: &errs}
	return outcome{Run(ctx, args, c, Rules), out.String(), errs.String()}
}

// files lists a folder.
func files(t testing.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestSample(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, record := filepath.Join(dir, "a b.xlsx"), filepath.Join(dir, "steps.jsonl")
	o := run(t.Context(), "-out", path, "-jsonl", record)
	require.Equal(t, 0, o.status, o.errors)
	//nolint:dupword // a state may follow itself
	assert.Equal(t, `HostAgent:ASSIGN
AppAgent/Word/sales.docx:CONTINUE
AppAgent/Word/sales.docx:CONTINUE
AppAgent/Word/sales.docx:CONTINUE
AppAgent/Word/sales.docx:FINISH
HostAgent:CONTINUE
HostAgent:ASSIGN
AppAgent/Excel/a b.xlsx:CONTINUE
AppAgent/Excel/a b.xlsx:CONTINUE
AppAgent/Excel/a b.xlsx:CONTINUE
AppAgent/Excel/a b.xlsx:CONTINUE
AppAgent/Excel/a b.xlsx:FINISH
HostAgent:CONTINUE
HostAgent:FINISH
"Table 1: Sales by region, in thousands of euros": 5 rows, 3 series. A bar chart of it is in `+path+".\n", o.out)
	assert.Equal(t, []string{"a b.xlsx", "steps.jsonl"}, files(t, dir))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	sales := wordcases.Case{Want: [][]string{
		{"Region", "2022", "2023", "2024"}, {"North", "1204.5", "1310", "1498.2"}, {"East", "842", "901.7", "1020.4"},
		{"South", "655.3", "598.1", "640.9"}, {"West", "1090.8", "1175.2", "1233.6"}, {"Overseas", "310.2", "-12.5", "95"},
	}}
	assert.NoError(t, sales.Check(data))
	steps, err := os.ReadFile(record)
	require.NoError(t, err)
	assert.Contains(t, string(steps), `"outcome":"FINISH"`)
}

// Documents that are easy to read wrongly: the file has the numbers that a person reads on the page, or the run says why
// there is none.
func TestWordCases(t *testing.T) {
	t.Parallel()
	list := wordcases.All()
	require.GreaterOrEqual(t, len(list), 40)
	for _, c := range list {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			in, out := filepath.Join(dir, "in.docx"), filepath.Join(dir, "out.xlsx")
			require.NoError(t, os.WriteFile(in, c.Docx(), 0o600))
			o := run(t.Context(), "-in", in, "-out", out, "-request", c.Request)
			if c.Refused != "" {
				assert.Equal(t, 1, o.status, "%s: %s", c.Why, o.out)
				assert.Contains(t, o.errors, "FAIL: ")
				assert.Contains(t, o.errors, c.Refused, c.Why)
				assert.Equal(t, []string{"in.docx"}, files(t, dir))
				return
			}
			require.Equal(t, 0, o.status, "%s: %s", c.Why, o.errors)
			data, err := os.ReadFile(out)
			require.NoError(t, err)
			assert.NoError(t, c.Check(data), c.Why)
		})
	}
}

// Each run that cannot be done ends in FAIL with a reason, and leaves nothing.
func TestFail(t *testing.T) {
	t.Parallel()
	valid, err := os.ReadFile(sampleFile)
	require.NoError(t, err)
	for _, tt := range []struct {
		name, request string
		file          []byte // nil: there is none
		out           string
		reason        string
	}{
		{"no chart", "extract the sales table", valid, "", "only draw bar charts"},
		{"another chart", "draw a pie chart of the sales", valid, "", "only draw bar charts"},
		{"another job", "draw a bar chart of the sales and email it to Bob", valid, "", "email"},
		{"the opposite", "do not draw a bar chart", valid, "", `"not"`},
		{"no such table", "draw a bar chart of the salaries", valid, "", `the tables are "People"`},
		{"something else besides", "a bar chart of the top 5 sales", valid, "", `"top" "5"`},
		{"missing file", "", nil, "", "no such file"},
		{"empty file", "", []byte{}, "", "not a Word document"},
		{"cut file", "", valid[:len(valid)/2], "", "not a Word document"},
		{"another archive", "", archive(t, "a.txt", "b"), "", "not a Word document"},
		{"broken XML", "", archive(t, "_rels/.rels", "<Relationships>"), "", "broken"},
		{"no folder", "", valid, "none/sales.xlsx", "no such file"},
		{"a folder in its place", "", valid, "folder.xlsx", "not a regular file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.xlsx"), 0o777))
			in := filepath.Join(dir, "in.docx")
			if tt.file != nil {
				require.NoError(t, os.WriteFile(in, tt.file, 0o600))
			}
			before := files(t, dir)
			args := []string{"-in", in, "-out", filepath.Join(dir, "sales.xlsx"), "-confirm", "yes"}
			if tt.out != "" {
				args[3] = filepath.Join(dir, tt.out)
			}
			if tt.request != "" {
				args = append(args, "-request", tt.request)
			}
			o := run(t.Context(), args...)
			assert.Equal(t, 1, o.status)
			assert.Contains(t, o.errors, "FAIL: ")
			assert.Contains(t, o.errors, tt.reason)
			assert.True(t, strings.HasSuffix(o.out, "HostAgent:FAIL\n"), o.out)
			assert.Equal(t, before, files(t, dir))
		})
	}
}

func archive(t *testing.T, name, content string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create(name)
	require.NoError(t, err)
	_, err = w.Write([]byte(content))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// A file is replaced only after a yes.
func TestConfirm(t *testing.T) {
	t.Parallel()
	for confirm, replaced := range map[string]bool{"yes": true, "no": false, "ask": false} { // nobody is there to ask
		path := filepath.Join(t.TempDir(), "sales.xlsx")
		require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
		o := run(t.Context(), "-out", path, "-confirm", confirm)
		assert.Contains(t, o.out, "AppAgent/Excel/sales.xlsx:CONFIRM")
		assert.Contains(t, o.out, path+" exists and would be replaced")
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, replaced, string(content) != "old")
		assert.Equal(t, replaced, o.status == 0, o.errors)
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-confirm", "maybe"}, {"-out", "chart.pdf"}, {"-request", " "}, {"-nonsense"}, {"report.docx"}} {
		o := run(t.Context(), args...)
		assert.Equal(t, 2, o.status, "%q", args)
		assert.Regexp(t, `^quickstart: .* \(-h lists the flags\)\n$`, o.errors)
	}
	o := run(t.Context(), "-h")
	assert.Equal(t, 0, o.status)
	assert.Contains(t, o.errors, "FILE.docx")
	o = run(t.Context(), "-jsonl", filepath.Join(t.TempDir(), "none", "a.jsonl"))
	assert.Equal(t, 1, o.status)
	assert.Contains(t, o.errors, "-jsonl")
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := run(ctx, "-out", filepath.Join(t.TempDir(), "a.xlsx"))
	assert.Equal(t, 1, o.status)
	assert.Contains(t, o.errors, "CANCELLED: ")
}

// What the model reads in a run of the sample, schemas among it, and what of that no earlier request began with: a
// provider whose cache knows beginnings reads that anew. The numbers may only fall.
const (
	maxRead = 60_000
	maxNew  = 20_000
)

func TestPromptBytes(t *testing.T) {
	var earlier []string
	read, fresh := 0, 0
	ctx := llm.WithInterceptor(t.Context(), func(next llm.Model) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, request *llm.Request) (*llm.Response, error) {
			assert.True(t, request.Schema.Strict) // providers can hold a model to it
			for provider, problems := range closedtest.Providers {
				assert.Empty(t, problems(request.Schema.JSON), provider)
			}
			text := string(request.Schema.JSON)
			for i := range request.Messages {
				text += request.Messages[i].Text()
			}
			known := 0
			for _, e := range earlier {
				n := 0
				for n < min(len(e), len(text)) && e[n] == text[n] {
					n++
				}
				known = max(known, n)
			}
			read, fresh = read+len(text), fresh+len(text)-known
			earlier = append(earlier, text)
			return next.Complete(ctx, request)
		})
	})
	o := run(ctx, "-out", filepath.Join(t.TempDir(), "sales.xlsx"))
	require.Equal(t, 0, o.status, o.errors)
	assert.LessOrEqual(t, read, maxRead)
	assert.LessOrEqual(t, fresh, maxNew)
	t.Logf("requests=%d read=%d new=%d", len(earlier), read, fresh) // the benchmark beside other libraries reads it
}
