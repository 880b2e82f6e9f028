package task_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
	"github.com/agentfsm/agentfsm/round"
)

// checked is what a task with one expectation says of a folder with these files. A file whose text is a slash is a folder.
func checked(t testing.TB, files map[string]string, e task.Expect) error {
	t.Helper()
	set, dir := setUp(t, task.Task{Ends: round.Finished, Expect: []task.Expect{e}})
	for name, text := range files {
		path := filepath.Join(dir, name)
		if text == "/" {
			require.NoError(t, os.Mkdir(path, 0o700))
			continue
		}
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return set.Check(t.Context(), round.Finished)
}

// says compares what an evaluator says; "": it is satisfied.
func says(t testing.TB, want string, err error) {
	t.Helper()
	if want == "" {
		assert.NoError(t, err)
		return
	}
	assert.EqualError(t, err, want)
}

func TestExpectFiles(t *testing.T) {
	text := func(s string) task.Expect { return task.Expect{File: "a", Text: &s} }
	parts := task.Expect{File: "a", Contains: []string{"one", "two"}, Lacks: []string{"three", "four"}}
	for name, c := range map[string]struct {
		files  map[string]string
		expect task.Expect
		says   string
	}{
		"text":                {map[string]string{"a": "x"}, text("x"), ""},
		"with a line break":   {map[string]string{"a": "x\n"}, text("x"), ""},
		"with two":            {map[string]string{"a": "x\n\n"}, text("x"), `a is "x\n", and should be "x"`},
		"with a space":        {map[string]string{"a": "x "}, text("x"), `a is "x ", and should be "x"`},
		"without all":         {map[string]string{"a": ""}, text("x"), `a is "", and should be "x"`},
		"empty":               {map[string]string{"a": ""}, text(""), ""},
		"not empty":           {map[string]string{"a": "x"}, text(""), `a is "x", and should be ""`},
		"no file":             {nil, text(""), "a is not there"},
		"another file":        {map[string]string{"b": "x"}, text("x"), "a is not there"},
		"parts":               {map[string]string{"a": "two, one"}, parts, ""},
		"the last part lacks": {map[string]string{"a": "one"}, parts, `a lacks "two"`},
		"the last is there":   {map[string]string{"a": "one two four"}, parts, `a has "four"`},
		"parts of no file":    {nil, parts, "a is not there"},
		"folder":              {map[string]string{"a": "/"}, task.Expect{Folder: "a"}, ""},
		"file for a folder":   {map[string]string{"a": ""}, task.Expect{Folder: "a"}, "a is no folder"},
		"no folder":           {nil, task.Expect{Folder: "a"}, "a is not there"},
		"absent":              {map[string]string{"b": ""}, task.Expect{Absent: "a"}, ""},
		"not absent":          {map[string]string{"a": ""}, task.Expect{Absent: "a"}, "a is there"},
		"a folder, absent":    {map[string]string{"a": "/"}, task.Expect{Absent: "a"}, "a is there"},
	} {
		t.Run(name, func(t *testing.T) { says(t, c.says, checked(t, c.files, c.expect)) })
	}
	assert.ErrorContains(t, checked(t, map[string]string{"a": "/"}, text("x")), "is a directory")
}

// The text of a PDF is that of pdftotext, whose place a script takes that knows one format: PDF, and then the text.
func TestExpectPDF(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\nread -r line <\"$1\"\ncase $line in PDF*) echo \"${line#PDF}\" ;; *) exit 1 ;; esac\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "pdftotext"), []byte(script), 0o700))
	t.Setenv("PATH", bin)
	e := task.Expect{PDF: "a", Contains: []string{"Ada", "lamps"}, Lacks: []string{"table"}}
	says(t, "", checked(t, map[string]string{"a": "PDF Ada, the lamps\n"}, e))
	says(t, `a lacks "lamps"`, checked(t, map[string]string{"a": "PDF Ada\n"}, e))
	says(t, `a has "table"`, checked(t, map[string]string{"a": "PDF Ada lamps table\n"}, e))
	says(t, "a is no PDF: exit status 1", checked(t, map[string]string{"a": "Ada, the lamps\n"}, e))
	says(t, "a is not there", checked(t, nil, e))

	t.Setenv("PATH", t.TempDir())
	assert.ErrorContains(t, checked(t, map[string]string{"a": "PDF Ada, the lamps\n"}, e), `"pdftotext": executable file not found`)
}

// The end counts, also where all else is as it must be, and everything that is not is named.
func TestCheck(t *testing.T) {
	for _, ends := range []round.Outcome{round.Finished, round.Failed} {
		set, _ := setUp(t, task.Task{Ends: ends, Expect: []task.Expect{{Absent: "a"}}})
		for _, outcome := range []round.Outcome{round.Finished, round.Failed, round.OverBudget, round.Unfinished} {
			want := ""
			if outcome != ends {
				want = "it ended in " + string(outcome) + ", and should end in " + string(ends)
			}
			says(t, want, set.Check(t.Context(), outcome))
		}
	}
	set, _ := setUp(t, task.Task{Ends: round.Finished, Expect: []task.Expect{{Folder: "a"}, {Absent: "b"}, {Folder: "c"}}})
	says(t, "it ended in FAIL, and should end in FINISH\na is not there\nc is not there", set.Check(t.Context(), round.Failed))
}
