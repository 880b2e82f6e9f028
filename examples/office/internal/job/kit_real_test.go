//go:build linux

package job_test

import (
	"bytes"
	"context"
	"errors"
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
	"github.com/agentfsm/agentfsm/examples/internal/wordcases"
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

// check reads a spreadsheet by a reader that is not the program's, and compares it with what the document was made of. The
// title of a chart in .ods is not converted.
func check(t testing.TB, file string, c sampleCase) error {
	t.Helper()
	ods := filepath.Ext(file) == ".ods"
	if ods {
		convert(t, file, "xlsx")
		file = strings.TrimSuffix(file, ".ods") + ".xlsx"
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	want := [][]string{c.Header}
	for r, label := range c.Labels {
		want = append(want, append([]string{label}, c.Values[r]...))
	}
	title, err := wordcases.Check(data, want, c.Drawn)
	if err == nil && title == "" && !ods {
		err = errors.New("the chart has no title")
	}
	return err
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
		assert.NoError(t, check(t, cfg.Out, c), "%s: a FINISH with a wrong file", name)
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
