package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A ratio is taken within each turn, so that a turn on a busy machine counts like any other.
func TestRatiosAreTakenWithinTurns(t *testing.T) {
	ours := figures{0: {CPU: 20}, 1: {CPU: 2000}, 2: {CPU: 90}, 3: {CPU: 7}}
	theirs := figures{0: {CPU: 10}, 1: {CPU: 1000}, 2: {CPU: 30}}
	assert.InDelta(t, 2, ours.ratio(theirs), 0, "the ratio of the medians is 1.8")
	assert.Zero(t, ours.ratio(nil), "where a side was left out there is none")
	assert.Equal(t, cost{CPU: 55}, ours.median())
}

func TestNumbers(t *testing.T) {
	for want, got := range map[string]string{
		"0": count(0), "2.4": count(2.44), "12": count(12.2), "1,234,568": count(1234567.8),
		"0.4": kilo(432), "9.9": kilo(9940), "10": kilo(9960), "1,720": kilo(1720499),
		"–": times(0), "0.35": times(0.349), "3.1": times(3.14), "31": times(31.4),
	} {
		assert.Equal(t, want, got)
	}
}

func TestLabelsHaveTheVersionThatWasMeasured(t *testing.T) {
	assert.Equal(t, "[Eino](https://github.com/cloudwego/eino) 0.9.21, react", label("Eino, react"))
	assert.Equal(t, "a loop by hand", label("a loop by hand"))
	for _, m := range modules {
		assert.Regexp(t, `^\d+\.\d+\.\d+$`, version(m.module), m.module)
	}
}

// A side that was left out in one column has a dash there, and one that was left out in all has
// no row. A table has no goal that nobody asked for.
func TestTables(t *testing.T) {
	at, longer := workload{Steps: 100}, workload{Steps: 1000}
	r := &report{
		Turns:      1,
		Loops:      map[workload]map[string]figures{at: {appAgent: {0: {90e3, 400, 42_700}}, einoAgent: {0: {30e3, 277, 23_000}}}, longer: {appAgent: {0: {95e3, 401, 43_000}}}},
		Machines:   map[string]figures{roundStep: {0: {CPU: 60}}, bareStep: {0: {CPU: 20}}},
		Quickstart: quickstart{Requests: 10, Read: 122_800, New: 67_200},
	}
	tables := r.tables(false)
	assert.Contains(t, tables["steps"], "| agentfsm, AppAgent | 90 / 400 / 43 | 95 / 401 / 43 | 3 |\n")
	assert.Contains(t, tables["steps"], " 0.9.21, ChatModelAgent | 30 / 277 / 23 | – | 1 |\n")
	assert.NotContains(t, tables["steps"], "HostAgent")
	assert.NotContains(t, tables["steps"], "realistic", "nothing was measured")
	assert.Contains(t, tables["transitions"], "with its checks and bounds | 60 | 0 | 3 |\n")
	assert.Contains(t, tables["own"], "| 123; 67 |\n")
	assert.NotContains(t, tables["own"], "goal")
	assert.Contains(t, r.tables(true)["own"], "| measured | goal |\n")
	for _, name := range order {
		for row := range strings.Lines(tables[name]) {
			assert.NotContains(t, row, "NaN", name)
		}
	}
}

func TestTablesGoBetweenTheirMarkers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	require.NoError(t, os.WriteFile(file, []byte("before\n<!-- bench: own -->\nold\n<!-- /bench -->\nafter\n"), 0o600))
	require.NoError(t, renew(file, map[string]string{"own": "| new |\n"}))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "before\n<!-- bench: own -->\n| new |\n<!-- /bench -->\nafter\n", string(text))
	require.ErrorContains(t, renew(file, map[string]string{"steps": "| new |\n"}), "want one of")
}

// The document has a marker for each table.
func TestTheDocumentHasAllTables(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "comparison.md"))
	require.NoError(t, err)
	for _, name := range order {
		assert.Contains(t, string(text), "<!-- bench: "+name+" -->\n", name)
	}
}

func TestQuickstartIsRead(t *testing.T) {
	q, err := parseQuickstart([]byte("    prompts_test.go:46: requests=10 read=122813 new=67224\nPASS\n"))
	require.NoError(t, err)
	assert.Equal(t, quickstart{10, 122813, 67224}, q)
	_, err = parseQuickstart([]byte("PASS\n"))
	require.ErrorIs(t, err, errOther)
}

func TestFlags(t *testing.T) {
	var out, log strings.Builder
	for _, args := range [][]string{{"-turns", "0"}, {"-n", "99"}, {"-write", "-n", "1000"}, {"-gone"}} {
		assert.Error(t, command(t.Context(), args, &out, &log), args)
	}
	assert.Empty(t, out.String())
}
