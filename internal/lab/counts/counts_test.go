package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/archive"
)

const repository = "../../.."

// No package grows unseen.
func TestPackagesHaveTheNamesOfTheirLimits(t *testing.T) {
	text, err := os.ReadFile("limits.txt")
	require.NoError(t, err)
	limits := map[string]names{}
	for line := range strings.Lines(string(text)) {
		if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) != "" {
			var n names
			_, err := fmt.Sscan(line, &n.folder, &n.names, &n.fields)
			require.NoError(t, err, line)
			limits[n.folder] = n
		}
	}
	all, err := countNames(repository)
	require.NoError(t, err)
	assert.Greater(t, len(all), 15)
	for _, n := range all {
		limit, there := limits[n.folder]
		assert.True(t, there, "%s has no line in limits.txt", n.folder)
		assert.LessOrEqual(t, n.names, limit.names, "exported names of %s", n.folder)
		assert.LessOrEqual(t, n.fields, limit.fields, "exported fields of %s", n.folder)
	}
}

func TestCounts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range archive.Files(filepath.Join("testdata", "module.txt")) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	all, err := countNames(dir)
	require.NoError(t, err)
	assert.Equal(t, []names{{"a", 5, 2}, {"a/atest", 1, 0}, {"nested", 1, 0}}, all)
	lines, err := countLines(dir)
	require.NoError(t, err)
	assert.Equal(t, map[string]int{"other core": 32, "kits": 3, "internal": 3, "examples": 3}, lines)
}

func TestGroups(t *testing.T) {
	for folder, want := range map[string]string{
		"round": "card", "round/observe": "card", "fsm/fsmtest": "kits", "desktop": "llm, desktop", "runs/runshttp": "durable, runs",
		".": "other core", "acting": "other core", "internal/plan": "internal", "internal/lab/mutants": "lab", "adapters/mcp/mcpserver": "adapters",
		"examples/office/internal/job": "examples", "internal/adapters/adapterstest": "kits",
	} {
		assert.Equal(t, want, groupOf(folder), folder)
	}
}
