package main

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A step of ours allocates no more than this.
func TestLimits(t *testing.T) {
	if underRace() {
		t.Skip("the race detector allocates by itself") // make test runs this module without it, and holds the limits
	}
	// A collection empties pools, and when it comes depends on who else uses the machine.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, side := range loops()[:1] {
		// A process makes templates and schemas once: they are no cost of a step.
		require.NoError(t, side.Run(t.Context(), &job{workload: workload{Steps: 3}}))
		c, err := measure(t.Context(), side, workload{Steps: 100})
		require.NoError(t, err)
		assert.Less(t, c.Allocs, 250.0, side.Name)
		assert.Less(t, c.Bytes, 80_000.0, side.Name)
	}
	costs := map[string]cost{}
	require.NoError(t, walkTurn(t.Context(), 10_000*paceCycle+1, func(name string, c cost) { costs[name] = c }))
	assert.Len(t, costs, len(machines()))
	assert.Less(t, costs[roundStep].Allocs, 0.1, "a step of a Round allocates nothing")
}

func underRace() bool {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-race" && s.Value == "true" {
			return true
		}
	}
	return false
}

// Every side does all of the workload: job.done looks.
func TestEverySideDoesTheWorkload(t *testing.T) {
	for _, side := range loops() {
		for _, w := range []workload{{false, 1}, {false, 12}, {true, 12}} {
			j := &job{workload: w, sees: side.Sees}
			require.NoError(t, side.Run(t.Context(), j), "%s, %s", side.Name, w)
			if w.Encoded {
				assert.Greater(t, j.sent, w.Steps*12*len(largeSchema), "%s: schemas of its tools were not sent", side.Name)
			}
		}
	}
	assert.InDelta(t, 4<<10, len(thoughts.of(5)), 60)
	assert.InDelta(t, 6000, len(screenControls), 300)
	for name, bend := range map[string]func(*job) string{
		"a thought": func(j *job) string { j.thoughts--; return "done" },
		"a call":    func(j *job) string { j.calls--; return "done" },
		"sending":   func(j *job) string { j.sent = 0; return "done" },
		"the end":   func(*job) string { return "I give up" },
	} {
		j := &job{workload: workload{true, 3}, thoughts: 3, calls: 2, sent: 10}
		require.NoError(t, j.done("done"))
		assert.ErrorIs(t, j.done(bend(j)), errOther, name)
	}
	assert.ErrorIs(t, walkTurn(t.Context(), paceCycle, func(string, cost) {}), errOther, "a number of steps that no host takes")
}

// A ratio is taken within each turn, so that a turn on a busy machine counts like any other.
func TestRatiosAreTakenWithinTurns(t *testing.T) {
	ours := figures{0: {CPU: 20}, 1: {CPU: 2000}, 2: {CPU: 90}, 3: {CPU: 7}}
	theirs := figures{0: {CPU: 10}, 1: {CPU: 1000}, 2: {CPU: 30}}
	assert.InDelta(t, 2, ours.ratio(theirs), 0, "the ratio of the medians is 1.8")
	assert.Zero(t, ours.ratio(nil))
	assert.Equal(t, cost{CPU: 55}, ours.median())
}

func TestTables(t *testing.T) {
	at := workload{false, 100}
	r := &report{
		Turns:    1,
		Loops:    map[workload]map[string]figures{at: {appAgent: {0: {90e3, 400, 42_700}}, einoAgent: {0: {30e3, 277, 23_000}}}},
		Machines: map[string]figures{roundStep: {0: {CPU: 60}}, bareStep: {0: {CPU: 20}}},
	}
	tables := r.tables()
	assert.Contains(t, tables["steps"], "| agentfsm, AppAgent | – | 90 / 400 / 43 | – | 3 |\n")
	assert.Contains(t, tables["steps"], "| [Eino](https://github.com/cloudwego/eino) 0.9.21, ChatModelAgent | – | 30 / 277 / 23 | – | 1 |\n")
	assert.Contains(t, tables["transitions"], "with its checks and bounds | 60 | 0 | 3 |\n")
	for want, got := range map[string]string{
		"0": count(0), "2.4": count(2.44), "12": count(12.2), "1,234,568": count(1234567.8), "–": times(0), "0.35": times(0.349),
	} {
		assert.Equal(t, want, got)
	}

	document, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "comparison.md"))
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "a.md")
	require.NoError(t, os.WriteFile(file, document, 0o600))
	require.NoError(t, renew(file, tables))
	renewed, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, name := range order {
		assert.Contains(t, string(renewed), "<!-- bench: "+name+" -->\n"+tables[name]+"<!-- /bench -->\n")
	}
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	assert.ErrorContains(t, renew(file, tables), "has no place for measured")
	var out, log strings.Builder
	for _, args := range [][]string{{"-turns", "0"}, {"-n", "99"}, {"-write", "-n", "100"}, {"-gone"}} {
		assert.Error(t, command(t.Context(), args, &out, &log), args)
	}
}
