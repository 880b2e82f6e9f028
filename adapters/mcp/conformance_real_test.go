//go:build unix

package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// The scenarios of the official suite for clients, with the least number of
// checks that have to succeed, or why they do not apply.
var scenarios = []struct {
	name   string
	checks int
	why    string
}{
	{name: "initialize", checks: 1},
	{name: "tools_call", checks: 1},
	{name: "elicitation-sep1034-client-defaults", checks: 5},
	{name: "sse-retry", checks: 3},
	{name: "auth/*", why: "this client has no OAuth; give it a Server.HTTPClient that has it, such as one of golang.org/x/oauth2"},
}

// suite runs the suite in a folder of its own and returns what it wrote: its
// stack traces are one line of 200 kB, so only the beginning of a line is kept.
func suite(t testing.TB, dir string, args ...string) (string, error) {
	t.Helper()
	argv := realpartstest.Conformance(t, args...)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), role+"=client")
	out, err := cmd.CombinedOutput()
	var short strings.Builder
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		short.WriteString(lines.Text()[:min(200, len(lines.Text()))] + "\n")
	}
	return short.String(), err
}

// Each scenario that applies succeeds, and of each that the suite has it is known
// whether it does.
func TestRealConformance(t *testing.T) {
	realpartstest.Need(t)
	self, err := os.Executable()
	require.NoError(t, err)
	for _, s := range scenarios {
		if s.why != "" {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			dir := t.TempDir()
			said, err := suite(t, dir, "client", "--command", self, "--scenario", s.name, "--output-dir", dir)
			require.NoError(t, err, said)
			var passed int
			for _, check := range checksIn(t, dir) {
				assert.NotEqual(t, "FAILURE", check.Status, check.ID+": "+check.Message)
				if check.Status == "SUCCESS" {
					passed++
				}
			}
			assert.GreaterOrEqual(t, passed, s.checks, said)
		})
	}
	listed, err := suite(t, t.TempDir(), "list", "--client")
	require.NoError(t, err)
	var known, has []string
	for _, s := range scenarios {
		known = append(known, s.name)
	}
	for _, found := range regexp.MustCompile(`(?m)^\s+- (\S+)`).FindAllStringSubmatch(listed, -1) {
		name := found[1]
		if group, _, ok := strings.Cut(name, "/"); ok {
			name = group + "/*"
		}
		if !slices.Contains(has, name) {
			has = append(has, name)
		}
	}
	assert.ElementsMatch(t, known, has, "what the suite has, and what is known of it")
}

type check struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Message string `json:"errorMessage"`
}

// checksIn reads what the suite left.
func checksIn(t testing.TB, dir string) (all []check) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Base(path) != "checks.json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return json.Unmarshal(text, &all)
	}))
	require.NotEmpty(t, all)
	return all
}
