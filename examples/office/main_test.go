package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/round"
)

// What is wrong before a program starts is said in one line.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	files := func(in, out string) []string {
		return []string{"-in", filepath.Join(dir, in), "-out", filepath.Join(dir, out)}
	}
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"help":            {[]string{"-h"}, 0, "-request"},
		"no files":        {nil, 2, "-in names a document, -out a spreadsheet"},
		"no document":     {files("gone.docx", "a.xlsx"), 1, "gone.docx: no such file"},
		"another format":  {files("a.pdf", "a.xlsx"), 1, "the document must be a .docx or .odt, and the spreadsheet a .xlsx or .ods"},
		"another one out": {files("a.odt", "a.csv"), 1, "the document must be a .docx or .odt, and the spreadsheet a .xlsx or .ods"},
	} {
		t.Run(name, func(t *testing.T) {
			own(t, nil)
			var errs bytes.Buffer
			status := run(t.Context(), c.args, person.Console{In: strings.NewReader(""), Out: io.Discard, Err: &errs})
			assert.Equal(t, c.status, status)
			assert.Contains(t, errs.String(), c.says)
			if c.status > 0 {
				assert.Equal(t, 1, strings.Count(errs.String(), "\n"), errs.String())
			}
		})
	}
}

// With -v each act is printed with what came of it, and looks are not.
func TestObserver(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 200)
	step := round.Step{
		NextAgent: "calc", To: fsm.Continue, Reason: "the model decided",
		Commands: []round.Command{
			{Command: desktop.Command{ToolName: desktop.GetUITree, Looks: true}, Result: desktop.Result{Status: desktop.Success}},
			{Command: desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"name": "Save"}}, Result: desktop.TextResult("clicked")},
			{Command: desktop.Command{ToolName: "write_cells", Parameters: map[string]any{"rows": long}}, Result: desktop.FailureResult("it is busy")},
		},
		Verdicts: []round.Verdict{{Action: "allow"}, {Action: "confirm", Reason: "it replaces a file"}},
	}
	var out bytes.Buffer
	observer(person.Console{Out: &out, Err: io.Discard}, true)(step)
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, 4, out.String())
	assert.Equal(t, "    click_input map[name:Save]: success clicked", lines[0])
	assert.Equal(t, "    write_cells map[rows:"+strings.Repeat("é", 151)+"…: failure it is busy", lines[1])
	assert.Equal(t, "    confirm: it replaces a file", lines[2])
	assert.Equal(t, "  calc:CONTINUE the model decided", lines[3])
}

// Without -v there is one line for each step in which something was done, in words for a person.
func TestObserverInShort(t *testing.T) {
	t.Parallel()
	command := func(tool string, parameters map[string]any) []round.Command {
		return []round.Command{{Command: desktop.Command{ToolName: desktop.GetUITree, Looks: true}}, {Command: desktop.Command{ToolName: tool, Parameters: parameters}}}
	}
	const calc, writer = "AppAgent/libreoffice-calc/25687-0x80121e", "AppAgent/libreoffice-writer/1-0x2"
	failed := command(desktop.ClickInput, map[string]any{"name": "Save"})
	failed[1].Result = desktop.FailureResult("it is disabled")
	for want, step := range map[string]round.Step{
		"":                         {Agent: calc, NextAgent: calc, To: fsm.Continue},
		"The host starts \"Calc\"": {Agent: "HostAgent", Commands: command(desktop.LaunchApplication, map[string]any{"name": "Calc"})},
		"Writer reads the tables of the document":            {Agent: writer, Commands: command("list_tables", nil)},
		"Calc writes the cells of 2 rows":                    {Agent: calc, Commands: command("write_cells", map[string]any{"rows": []any{1, 2}})},
		"Calc chooses Insert > Chart":                        {Agent: calc, Commands: command(desktop.SelectMenu, map[string]any{"path": []any{"Insert", "Chart"}})},
		`Calc clicks on "Save", which fails: it is disabled`: {Agent: calc, Commands: failed},
		"Writer gives up: no table fits":                     {Agent: writer, From: fsm.Continue, To: fsm.Fail, Reason: "no table fits"},
	} {
		var out, errs bytes.Buffer
		step.Seq = 9
		observer(person.Console{Out: &out, Err: &errs}, false)(step)
		assert.Empty(t, out.String())
		if want != "" {
			want = "  step 9 of at most 150: " + want + "\n"
		}
		assert.Equal(t, want, errs.String())
	}
}

func TestBrief(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "short": "short", strings.Repeat("売", 160): strings.Repeat("売", 160), strings.Repeat("売", 161): strings.Repeat("売", 160) + "…",
	} {
		assert.Equal(t, want, brief(text))
	}
}

// What is not installed is said before anything starts, and nothing is left of the run.
func TestNotInstalled(t *testing.T) {
	own(t, nil)
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	in := filepath.Join(dir, "a.docx")
	touch(t, in)
	var errs bytes.Buffer
	args := []string{"-in", in, "-out", filepath.Join(dir, "a.xlsx"), "-dir", filepath.Join(dir, "run")}
	status := run(t.Context(), args, person.Console{In: strings.NewReader(""), Out: io.Discard, Err: &errs})
	assert.Equal(t, 1, status)
	assert.Contains(t, errs.String(), "stage: headless: ")
	assert.NoDirExists(t, filepath.Join(dir, "run"))
}
