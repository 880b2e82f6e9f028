//go:build linux

package job_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/internal/sample"
	"github.com/agentfsm/agentfsm/examples/office/internal/job"
	"github.com/agentfsm/agentfsm/examples/office/internal/script"
	"github.com/agentfsm/agentfsm/examples/office/stage"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// scripted does the job without agents, on a screen of its own, and returns how long that takes.
func scripted(t testing.TB, cfg job.Config) time.Duration {
	t.Helper()
	began := time.Now()
	s, err := stage.Start(t.Context(), stage.Config{Programs: []string{"soffice"}})
	require.NoError(t, err)
	err = script.Run(s.Watch(bounded(t)), s.Desktop(), script.Job{
		Writer:  []string{"soffice", "--norestore", "--nologo", cfg.In},
		Calc:    []string{"soffice", "--calc", "--norestore", "--nologo"},
		Request: cfg.Request, Out: cfg.Out,
	})
	t.Log(s.Costs())
	require.NoError(t, s.Close())
	require.NoError(t, err)
	return time.Since(began)
}

// The script writes the file that the agents write.
func TestRealScript(t *testing.T) {
	installed(t)
	for i, seed := range from(4700, realpartstest.Runs(2)) {
		c := sample.Paper(seed)
		cfg := files(t, c, ".docx", []string{".xlsx", ".ods"}[i%2])
		scripted(t, cfg)
		require.NoError(t, check(t, cfg.Out, c))
	}
}

// By turns, on the same documents: the script, and the agents. The ratio is that of all their times.
func BenchmarkRealAgentsToScript(b *testing.B) {
	installed(b)
	var alone, agents time.Duration
	for seed := uint64(4600); b.Loop(); seed++ {
		c := sample.Paper(seed)
		alone += scripted(b, files(b, c, ".docx", ".xlsx"))
		cfg := files(b, c, ".docx", ".xlsx")
		report, err := job.Run(bounded(b), cfg)
		require.NoError(b, err)
		require.NoError(b, check(b, cfg.Out, c))
		b.Log(report.Costs)
		agents += report.Took
	}
	n := float64(b.N)
	b.ReportMetric(alone.Seconds()/n, "script-s/op")
	b.ReportMetric(agents.Seconds()/n, "agents-s/op")
	b.ReportMetric(agents.Seconds()/alone.Seconds(), "agents/script")
}
