//go:build linux

package job_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/linuxdesktop/headless"
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
func files(t testing.TB, c sampleCase, in, out string) job.Config {
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
func check(t testing.TB, file string, c sampleCase) error {
	t.Helper()
	if filepath.Ext(file) == ".ods" {
		convert(t, file, "xlsx")
		file = strings.TrimSuffix(file, ".ods") + ".xlsx"
	}
	sheet, err := xlsxtest.Open(file)
	if err != nil {
		return err
	}
	if len(sheet.Charts) != 1 || !sheet.Charts[0].Bars {
		return fmt.Errorf("it has not one chart of bars: %+v", sheet.Charts)
	}
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
func (n *tally) add(t testing.TB, name string, cfg job.Config, c sampleCase, result round.Result, err error) {
	t.Helper()
	t.Logf("%s: %s after %d steps: %s %s; %v", name, result.Outcome, result.Steps, result.Answer, result.Reason, err)
	if result.Outcome == round.Finished {
		n.finished++
		require.NoError(t, err, name)
		if assert.NoError(t, check(t, cfg.Out, c), "%s: a FINISH with a wrong file", name) && filepath.Ext(cfg.Out) == ".xlsx" {
			sheet, err := xlsxtest.Open(cfg.Out)
			require.NoError(t, err)
			assert.NotEmpty(t, sheet.Charts[0].Title, name)
		}
		return
	}
	n.failed++
	assert.Equal(t, round.Failed, result.Outcome, name)
	require.Error(t, err, name)
	assert.NotEmpty(t, result.Reason, name)
	assert.NoFileExists(t, cfg.Out, name)
}

// bounded is a context that ends before a run takes too long.
func bounded(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a busy machine takes more than four
	t.Cleanup(cancel)
	return ctx
}

// ground is a screen of the test's own, on which it can do harm.
type ground struct {
	t testing.TB
	s *headless.Session
}

func newGround(t testing.TB) *ground {
	t.Helper()
	s, err := headless.Start(t.Context(), nil)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return &ground{t, s}
}

func (s *ground) screen() *job.Screen {
	return &job.Screen{Display: s.s.Display, Bus: s.s.Bus, Env: s.s.Env}
}

// kill ends the programs of that name on the screen as a crash does, and says whether there was one.
func (s *ground) kill(name string) (killed bool) {
	s.t.Helper()
	at := slices.IndexFunc(s.s.Env, func(v string) bool { return strings.HasPrefix(v, "AGENTFSM_HEADLESS=") })
	require.GreaterOrEqual(s.t, at, 0)
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	require.NoError(s.t, err)
	for _, file := range files {
		dir := filepath.Dir(file)
		comm, _ := os.ReadFile(filepath.Join(dir, "comm"))
		environ, _ := os.ReadFile(file)
		if strings.TrimSpace(string(comm)) != name || !slices.ContainsFunc(bytes.Split(environ, []byte{0}), func(v []byte) bool { return string(v) == s.s.Env[at] }) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(dir))
		require.NoError(s.t, err)
		killed = syscall.Kill(pid, syscall.SIGKILL) == nil || killed
	}
	return killed
}
