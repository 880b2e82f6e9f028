//go:build linux

package job_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/office/internal/job"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// answers is a person who answers so.
func answers(text string, approved bool) people.User {
	return people.UserFunc(func(context.Context, people.Question) (people.Answer, error) {
		return people.Answer{Text: text, Approved: approved}, nil
	})
}

// A spreadsheet that is there is replaced by who may, and by nobody else.
func TestRealExisting(t *testing.T) {
	installed(t)
	c := paper(4600)
	cfg := files(t, c, ".docx", ".xlsx")
	require.NoError(t, os.WriteFile(cfg.Out, []byte("precious"), 0o600))
	for _, user := range []people.User{nil, answers("no", false)} {
		cfg.User = user
		report, err := job.Run(bounded(t), cfg)
		require.ErrorIs(t, err, round.ErrFailed)
		assert.Contains(t, report.Reason, "not approved")
		raw, err := os.ReadFile(cfg.Out)
		require.NoError(t, err)
		assert.Equal(t, "precious", string(raw))
	}
	cfg.User = answers("yes", true)
	_, err := job.Run(bounded(t), cfg)
	require.NoError(t, err)
	require.NoError(t, check(t, cfg.Out, c))
}

// Of two tables that fit a person says which is meant.
func TestRealTwoTables(t *testing.T) {
	installed(t)
	d := &docxDocument{}
	for _, year := range []string{"2023", "2024"} {
		d.Caption("Table", "Sales of "+year)
		d.Table(docxTable{Header: 1, Rows: docxTexts([]string{"Region", "Amount"}, []string{"North", year}, []string{"South", "12.5"})})
	}
	c := sampleCase{
		Document: d, Request: "draw a bar chart of the sales table", Header: []string{"Region", "Amount"},
		Labels: []string{"North", "South"}, Values: [][]string{{"2024"}, {"12.5"}}, Drawn: []int{0},
	}
	cfg := files(t, c, ".docx", ".ods")
	var pending bool
	cfg.Observe = func(s round.Step) { pending = pending || s.To == fsm.Pending }
	cfg.User = answers("that of 2024", true)
	_, err := job.Run(bounded(t), cfg)
	require.NoError(t, err)
	require.NoError(t, check(t, cfg.Out, c))
	assert.True(t, pending)

	require.NoError(t, os.Remove(cfg.Out))
	cfg.User = nil
	report, err := job.Run(bounded(t), cfg)
	require.ErrorIs(t, err, round.ErrFailed)
	assert.Contains(t, report.Reason, "more than one table fits the request")
	assert.NoFileExists(t, cfg.Out)
}

// What cannot be done ends in FAIL with the reason.
func TestRealImpossible(t *testing.T) {
	installed(t)
	c := paper(4603)
	for request, why := range map[string]string{
		"draw a bar chart of the salaries table": "no table fits",
		"draw a pie chart of the sales table":    "pie chart",
	} {
		cfg := files(t, c, ".docx", ".xlsx")
		cfg.Request = request
		report, err := job.Run(bounded(t), cfg)
		require.ErrorIs(t, err, round.ErrFailed)
		assert.Contains(t, report.Reason, why)
		assert.NoFileExists(t, cfg.Out)
	}
	_, err := job.Run(t.Context(), job.Config{In: "report.pdf", Out: "sales.xlsx"})
	require.ErrorContains(t, err, "must be a .docx or .odt")
	_, err = job.Run(t.Context(), job.Config{In: "missing.docx", Out: "sales.xlsx"})
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A person has another document and a spreadsheet open in the same LibreOffice. The run opens windows of its own, and theirs
// stay as they are.
func TestRealWindowsOfAPerson(t *testing.T) {
	installed(t)
	s := newGround(t)
	other := paper(4700)
	dir := t.TempDir()
	document, budget := filepath.Join(dir, "own-other.docx"), filepath.Join(dir, "budget.csv")
	require.NoError(t, other.Document.WriteFile(document))
	require.NoError(t, os.WriteFile(budget, []byte("Rent,1200\nFood,300\n"), 0o600))
	d, err := linuxdesktop.Open(t.Context(), linuxdesktop.Options{Display: s.s.Display, Bus: s.s.Bus, Env: s.s.Env, Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, d.Close()) })
	titles := func() (list []string) {
		windows, err := desktop.Windows(t.Context(), d)
		require.NoError(t, err)
		for _, w := range windows {
			list = append(list, w.Title)
		}
		return list
	}
	opened := func(file string) func() bool {
		return func() bool {
			return slices.ContainsFunc(titles(), func(title string) bool { return strings.HasPrefix(title, filepath.Base(file)) })
		}
	}
	for _, file := range []string{document, budget} {
		args := []any{"soffice", "--norestore", "--nologo", "--infilter=CSV:44,34,76,1", file}
		_, err := d.Execute(t.Context(), desktop.Command{ToolName: desktop.LaunchApplication, Parameters: map[string]any{"name": "soffice", "command": args}})
		require.NoError(t, err)
		require.Eventually(t, opened(file), 2*time.Minute, 100*time.Millisecond, "%v", titles())
	}
	c := paper(4701)
	cfg := files(t, c, ".docx", ".xlsx")
	cfg.Screen = s.screen()
	report, err := job.Run(bounded(t), cfg)
	n := tally{}
	n.add(t, "beside a person's windows", cfg, c, report, err)
	assert.Equal(t, 1, n.finished)
	assert.True(t, opened(document)(), "%v", titles())
	assert.True(t, opened(budget)(), "%v", titles())
	kept, err := os.ReadFile(budget)
	require.NoError(t, err)
	assert.Equal(t, "Rent,1200\nFood,300\n", string(kept))
}

// LibreOffice is killed at a random moment: the agents plan anew, or give up, and no FINISH has a wrong file.
func TestRealKilledOffice(t *testing.T) {
	installed(t)
	random := rand.New(rand.NewPCG(2, 2))
	n, killed, runs := tally{}, 0, realpartstest.Runs(20)
	for i := range runs {
		c := paper(4400 + uint64(i))
		cfg := files(t, c, ".docx", []string{".xlsx", ".ods"}[i%2])
		s := newGround(t)
		cfg.Screen = s.screen()
		after := time.Duration(2000+random.IntN(12000)) * time.Millisecond
		done := make(chan struct{})
		timer := time.AfterFunc(after, func() {
			defer close(done)
			if s.kill("soffice.bin") {
				killed++
			}
		})
		result, err := job.Run(bounded(t), cfg)
		if !timer.Stop() {
			<-done
		}
		n.add(t, "killed after "+after.String(), cfg, c, result, err)
	}
	t.Logf("%d killed, %d finished, %d failed", killed, n.finished, n.failed)
	assert.GreaterOrEqual(t, 2*killed, runs)
	if runs > 1 { // one alone may give up
		assert.Positive(t, n.finished)
	}
}
