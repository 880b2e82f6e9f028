//go:build linux

package job_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/wordcases"
	"github.com/agentfsm/agentfsm/examples/office/internal/job"
	"github.com/agentfsm/agentfsm/internal/realparts/realpartstest"
	"github.com/agentfsm/agentfsm/round"
)

// Of a document whose characters do not say what a person sees comes the right file, or a FAIL that says why: never a FINISH
// with a wrong number. Most of them are drawn.
func TestRealWordCases(t *testing.T) {
	installed(t)
	list := slices.DeleteFunc(wordcases.All(), func(c wordcases.Case) bool { return !c.Office })
	require.Greater(t, len(list), 10)
	all, finished, could := realpartstest.Runs(len(list)), 0, 0
	for _, c := range list[:all] {
		dir := t.TempDir()
		cfg := job.Config{In: filepath.Join(dir, "report.docx"), Out: filepath.Join(dir, "sales.xlsx"), Request: c.Request}
		require.NoError(t, os.WriteFile(cfg.In, c.Docx(), 0o600))
		report, err := job.Run(bounded(t), cfg)
		t.Logf("%s: %s after %.1f s, %d steps: %s %s; %v", c.Name, report.Outcome, report.Took.Seconds(), report.Steps, report.Answer, report.Reason, err)
		if c.Want != nil {
			could++
		}
		if report.Outcome != round.Finished {
			assert.NotEmpty(t, report.Reason, c.Name)
			require.Error(t, err, c.Name)
			assert.NoFileExists(t, cfg.Out, c.Name)
			continue
		}
		finished++
		require.NoError(t, err, c.Name)
		data, err := os.ReadFile(cfg.Out)
		require.NoError(t, err, c.Name)
		assert.NoError(t, c.Check(data), "a FINISH with a wrong file")
	}
	assert.GreaterOrEqual(t, finished*2, could, "of those that can be drawn, half are")
}
