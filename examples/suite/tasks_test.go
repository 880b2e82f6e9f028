package main

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/suite/internal/rules"
	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
	"github.com/agentfsm/agentfsm/round"
)

// everyTask reads the tasks of the program.
func everyTask(t testing.TB) []task.Task {
	t.Helper()
	all, err := task.Read(data)
	require.NoError(t, err)
	return all
}

// place is where a task is set up. Its methods do by hand what agents do in windows.
type place struct {
	testing.TB
	*task.Set
	dir string
}

func newPlace(t testing.TB, x task.Task) place {
	t.Helper()
	dir := t.TempDir()
	set, err := x.SetUp(dir, dir)
	require.NoError(t, err)
	t.Cleanup(set.Close)
	return place{t, set, dir}
}

func (p place) write(name, text string) {
	require.NoError(p, os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600))
}

// edit replaces texts of the file of the task.
func (p place) edit(name string, pairs ...string) {
	text := strings.NewReplacer(pairs...).Replace(p.Files[name])
	require.NotEqual(p, p.Files[name], text)
	p.write(name, text)
}

func (p place) move(from, to string) {
	require.NoError(p, os.Rename(filepath.Join(p.dir, from), filepath.Join(p.dir, to)))
}

func (p place) send(name, amount string) {
	page := p.Opens[0][len(p.Opens[0])-1]
	resp, err := http.PostForm(page, url.Values{"name": {name}, "amount": {amount}}) //nolint:noctx // the server is of the test
	require.NoError(p, err)
	require.NoError(p, resp.Body.Close())
}

const (
	centre = `<office:automatic-styles><style:style style:name="P1"><style:paragraph-properties text-align="center"/></style:style></office:automatic-styles><office:body>`
	five   = `<table:table-row><table:table-cell/><table:table-cell office:value="682.75"/></table:table-row></table:table>`
)

// byHand are the ends of the tasks that can be done, and ends that look like them.
var byHand = map[string]struct{ done, almost func(place) }{
	"calculator": {func(p place) { p.write("result.txt", "800\n") }, func(p place) { p.write("result.txt", "12.5*64=800") }},
	"letters":    {func(p place) { p.write("letters.txt", "Grüße, 世界 → Ω\n") }, func(p place) { p.write("letters.txt", "Grusse, ?? -> O\n") }},
	"folder":     {func(p place) { require.NoError(p, os.Mkdir(filepath.Join(p.dir, "Reports"), 0o700)) }, func(p place) { p.write("Reports", "") }},
	"form":       {func(p place) { p.send("Ada Jansen", "42") }, func(p place) { p.send("Ada Jansen", "42"); p.send("Ada Jansen", "42") }},
	"heading": {
		func(p place) {
			p.edit("year.fodt", `<office:body>`, centre, `<text:h `, `<text:h text:style-name="P1" `)
		},
		func(p place) {
			p.edit("year.fodt", `<office:body>`, centre, `<text:p>`, `<text:p text:style-name="P1">`)
		},
	},
	"word": {func(p place) { p.edit("sea.fodt", "red", "blue") }, func(p place) { p.edit("sea.fodt", "A red", "A blue", "a red", "a blue") }},
	"sum": {
		func(p place) {
			p.edit("costs.fods", `</table:table>`, strings.Replace(five, `office:value=`, `table:formula="of:=SUM([.B1:.B4])" office:value=`, 1))
		},
		func(p place) { p.edit("costs.fods", `</table:table>`, five) },
	},
	"sort": {
		func(p place) {
			p.edit("fruit.fods", "pear", "apple", "apple", "fig", "fig", "plum", "plum", "pear", `"3"`, `"7"`, `"7"`, `"5"`, `"5"`, `"1"`, `"1"`, `"3"`)
		},
		func(p place) { p.edit("fruit.fods", "pear", "apple", "apple", "fig", "fig", "plum", "plum", "pear") },
	},
	"pdf": {func(p place) { p.write("letter.pdf", "Dear Ada\nThe lamps have arrived.\n") }, func(p place) { p.write("letter.pdf", "Dear Ada\n") }},
	"rename": {
		func(p place) { p.move("a.txt", "one.txt"); p.move("b.txt", "two.txt"); p.move("c.txt", "three.txt") },
		func(p place) { p.move("a.txt", "one.txt"); p.move("b.txt", "three.txt"); p.move("c.txt", "two.txt") },
	},
	"replace": {func(p place) { p.edit("notes.txt", "colour", "color") }, func(p place) { p.edit("notes.txt", "The colour", "The color") }},
}

// spoiled are ends of the tasks that cannot be done in which something was done all the same.
var spoiled = map[string]func(place){
	"chart": func(p place) { p.write("chart.ods", "") },
	"mail":  func(p place) { p.write("notes.txt", "Sent to ada@example.org.\n") },
}

// No task is done by doing nothing, nor by doing it nearly. Two are, which must end in FAIL.
func TestTasks(t *testing.T) {
	bin := t.TempDir() // the PDF of this test is its text
	require.NoError(t, os.WriteFile(filepath.Join(bin, "pdftotext"), []byte("#!/bin/sh\nwhile read -r line; do echo \"$line\"; done <\"$1\"\n"), 0o700))
	t.Setenv("PATH", bin)
	all := everyTask(t)
	assert.Len(t, all, len(byHand)+len(spoiled))
	for _, x := range all {
		t.Run(x.Name, func(t *testing.T) {
			p := newPlace(t, x)
			if spoil := spoiled[x.Name]; spoil != nil {
				assert.Equal(t, round.Failed, x.Ends)
				assert.NoError(t, p.Check(t.Context(), round.Failed))
				assert.EqualError(t, p.Check(t.Context(), round.Finished), "it ended in FINISH, and should end in FAIL")
				spoil(p)
				assert.Error(t, p.Check(t.Context(), round.Failed))
				return
			}
			require.Contains(t, byHand, x.Name)
			assert.Error(t, p.Check(t.Context(), round.Finished), "nothing was done")

			almost := newPlace(t, x)
			byHand[x.Name].almost(almost)
			assert.Error(t, almost.Check(t.Context(), round.Finished))

			byHand[x.Name].done(p)
			assert.NoError(t, p.Check(t.Context(), round.Finished))
			assert.EqualError(t, p.Check(t.Context(), round.Failed), "it ended in FAIL, and should end in FINISH")
		})
	}
}

// Each task can be played without a model, looks for the programs that it opens, and leaves no name for a folder open.
func TestTasksAreWhole(t *testing.T) {
	for _, x := range everyTask(t) {
		_, err := rules.Decide(x.Name, "dir")
		assert.NoError(t, err)
		assert.NotEmpty(t, x.Opens, x.Name)
		p := newPlace(t, x)
		for _, argv := range p.Opens {
			assert.Contains(t, x.Needs, argv[0], x.Name)
			assert.NotContains(t, strings.Join(argv, " "), "$", x.Name)
		}
		assert.NotContains(t, p.Instruction, "$", x.Name)
		for _, e := range x.Expect {
			if e.PDF != "" {
				assert.Contains(t, x.Needs, "pdftotext", x.Name)
			}
		}
	}
}
