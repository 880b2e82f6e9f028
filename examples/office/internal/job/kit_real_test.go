//go:build linux

package job_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
	"github.com/agentfsm/agentfsm/examples/internal/sample"
	"github.com/agentfsm/agentfsm/examples/internal/xlsxtest"
	"github.com/agentfsm/agentfsm/examples/office/internal/job"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/round"
)

// installed skips a test where LibreOffice is not installed; in continuous integration it fails.
func installed(t testing.TB) {
	t.Helper()
	realpartstest.Desktop(t, headless.Missing("soffice"))
}

// files are those of a run: the document of that seed, and where the spreadsheet goes.
func files(t testing.TB, c sample.Case, in, out string) job.Config {
	t.Helper()
	dir := t.TempDir()
	cfg := job.Config{In: filepath.Join(dir, "report"+in), Out: filepath.Join(dir, "sales"+out), Request: c.Request}
	document := filepath.Join(dir, "report.docx")
	require.NoError(t, c.Document.WriteFile(document))
	if in != ".docx" {
		convert(t, document, strings.TrimPrefix(in, "."))
	}
	return cfg
}

// convert makes another format of a file beside it, by a LibreOffice without a display.
func convert(t testing.TB, file, to string) {
	t.Helper()
	dir := filepath.Dir(file)
	cmd := exec.CommandContext(t.Context(), "soffice", "-env:UserInstallation=file://"+t.TempDir(), "--headless", "--convert-to", to, "--outdir", dir, file)
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
}

// check reads a spreadsheet by a reader that is not the program's, and compares it with what the document was made of.
func check(t testing.TB, file string, c sample.Case) error {
	t.Helper()
	if filepath.Ext(file) == ".ods" {
		convert(t, file, "xlsx")
		file = strings.TrimSuffix(file, ".ods") + ".xlsx"
	}
	book, err := xlsxtest.Open(file)
	if err != nil {
		return err
	}
	if len(book.Sheets) != 1 || len(book.Sheets[0].Charts) != 1 || !book.Sheets[0].Charts[0].Bars {
		return fmt.Errorf("it has not one sheet with one chart of bars: %+v", book.Sheets)
	}
	sheet := book.Sheets[0]
	want := map[string]string{}
	put := func(row, column int, text string) {
		if text != "" {
			want[fmt.Sprintf("%c%d", 'A'+column, row+1)] = text
		}
	}
	for i, text := range c.Header {
		put(0, i, text)
	}
	for r, label := range c.Labels {
		put(r+1, 0, label)
		for i, value := range c.Values[r] {
			put(r+1, i+1, value)
		}
	}
	for name, text := range want {
		cell := sheet.Cells[name]
		n, isNumber := cell.Float()
		value, err := strconv.ParseFloat(text, 64)
		number := err == nil && name[0] != 'A' && name[1:] != "1"
		if number != isNumber || number && n != value || !number && cell.Text != text {
			return fmt.Errorf("%s is %+v, and should be %q", name, cell, text)
		}
	}
	if len(sheet.Cells) != len(want) {
		return fmt.Errorf("it has %d cells, and should have %d", len(sheet.Cells), len(want))
	}
	series := sheet.Charts[0].Series
	if len(series) != len(c.Drawn) {
		return fmt.Errorf("the chart has %d series, and should have %d", len(series), len(c.Drawn))
	}
	for n, s := range series {
		column := string(rune('B' + c.Drawn[n]))
		if !strings.Contains(s.Values, fmt.Sprintf("$%s$2:$%s$%d", column, column, len(c.Labels)+1)) ||
			!strings.Contains(s.Categories, fmt.Sprintf("$A$2:$A$%d", len(c.Labels)+1)) || !strings.Contains(s.Name, "$"+column+"$1") {
			return fmt.Errorf("series %d is %+v, and should be that of column %s", n+1, s, column)
		}
	}
	return nil
}

// tally counts how runs end.
type tally struct {
	finished, failed int
}

// add judges a run: whoever says FINISH must have the right file, whoever does not must say why and leave none.
func (n *tally) add(t testing.TB, name string, cfg job.Config, c sample.Case, report job.Report, err error) {
	t.Helper()
	t.Logf("%s: %s after %.1f s, %d steps: %s %s; %v", name, report.Outcome, report.Took.Seconds(), report.Steps, report.Answer, report.Reason, report.Costs)
	if report.Outcome == round.Finished {
		n.finished++
		require.NoError(t, err, name)
		if assert.NoError(t, check(t, cfg.Out, c), "%s: a FINISH with a wrong file", name) && filepath.Ext(cfg.Out) == ".xlsx" {
			book, err := xlsxtest.Open(cfg.Out)
			require.NoError(t, err)
			assert.NotEmpty(t, book.Sheets[0].Charts[0].Title, name)
		}
		return
	}
	n.failed++
	assert.Equal(t, round.Failed, report.Outcome, name)
	require.Error(t, err, name)
	assert.NotEmpty(t, report.Reason, name)
	assert.NoFileExists(t, cfg.Out, name)
}

// bounded is a context that ends before a run takes too long.
func bounded(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a busy machine takes more than four
	t.Cleanup(cancel)
	return ctx
}
