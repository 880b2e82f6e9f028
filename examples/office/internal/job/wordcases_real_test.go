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
	"github.com/agentfsm/agentfsm/examples/office/internal/rules"
	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/round"
)

// undrawn are those that a person can read and the program cannot: Writer shows them otherwise than Word.
var undrawn = []string{"tracked row deleted", "superscript mark", "footnote", "hidden row", "hidden text", "symbol for a minus"}

// Of a document whose characters do not say what a person sees comes the right file, or a FAIL that says why: never a FINISH
// with a wrong number. Those that can be drawn are, but for one of seven.
func TestRealWordCases(t *testing.T) {
	installed(t)
	list := slices.DeleteFunc(wordcases.All(), func(c wordcases.Case) bool { return !c.Office })
	require.Greater(t, len(list), 10)
	finished, could := 0, 0
	for i, c := range list {
		t.Run(c.Name, func(t *testing.T) {
			sample.Case(t, i)
			dir := t.TempDir()
			cfg := job.Config{In: filepath.Join(dir, "report.docx"), Out: filepath.Join(dir, "sales.xlsx"), Request: c.Request}
			require.NoError(t, os.WriteFile(cfg.In, c.Docx(), 0o600))
			if c.Request == wordcases.DefaultRequest {
				cfg.Request = rules.DefaultRequest
			}
			result, err := job.Run(bounded(t), cfg)
			t.Logf("%s after %d steps: %s %s; %v", result.Outcome, result.Steps, result.Answer, result.Reason, err)
			can := c.Want != nil && !slices.Contains(undrawn, c.Name)
			if can {
				could++
			}
			if result.Outcome != round.Finished {
				assert.NotEmpty(t, result.Reason)
				require.Error(t, err)
				assert.NoFileExists(t, cfg.Out)
				return
			}
			if can {
				finished++
			}
			require.NoError(t, err)
			data, err := os.ReadFile(cfg.Out)
			require.NoError(t, err)
			assert.NoError(t, c.Check(data), "a FINISH with a wrong file")
		})
	}
	assert.GreaterOrEqual(t, finished, could-could/7)
}
