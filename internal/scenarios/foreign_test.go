package scenarios_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	fixture = "../testdata/foreign"
	core    = "github.com/agentfsm/agentfsm"
	// maxLines is how long a kind of agent may be, whatever is in its file
	// included. Change the library when the kind does not fit, not the number.
	maxLines = 80
)

// Agent kinds can be written elsewhere: a module that uses the public packages only is built against this working copy.
// The fixture is copied out, so that nothing is written into the repository and no go.mod above it counts.
func TestForeignModule(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS(fixture)))
	connect(t, dir)

	out := goCommand(t, dir, "list", "-f", `{{join .Deps "\n"}}`, ".")
	assert.Contains(t, strings.Fields(out), core+"/acting")
	if !testing.Short() { // go test vets some of it
		goCommand(t, dir, "vet", "./...")
	}
	out = goCommand(t, dir, "test", "-count=1", "-v", "-ldflags=-w", "./...") // without what a debugger reads it is linked sooner
	for _, name := range []string{"TestTable", "TestAlone", "TestUnderHost"} {
		assert.Contains(t, out, "--- PASS: "+name+" ", "it ran and passed")
	}
	assert.NotContains(t, out, "--- SKIP")
}

func TestForeignKindIsShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(fixture, "linux.go"))
	require.NoError(t, err)
	lines := bytes.Count(text, []byte("\n"))
	t.Logf("the kind has %d lines", lines)
	assert.LessOrEqual(t, lines, maxLines)
	for i, line := range strings.Split(string(text), "\n") {
		assert.LessOrEqual(t, len(line), 130, "line %d is two", i+1)
	}
	files, err := filepath.Glob(filepath.Join(fixture, "*.go"))
	require.NoError(t, err)
	slices.Sort(files)
	assert.Equal(t, []string{filepath.Join(fixture, "linux.go"), filepath.Join(fixture, "linux_test.go")}, files,
		"the kind is in one file")
}

// connect makes the module require this one, in this folder, and everything
// that this one requires, at the same versions: what it needs is then what the
// core has needed to get here.
func connect(t *testing.T, dir string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))

	var mod struct {
		Require []struct{ Path, Version string }
	}
	text := goCommand(t, dir, "mod", "edit", "-json", filepath.Join(root, "go.mod"))
	require.NoError(t, json.Unmarshal([]byte(text), &mod))
	// At the version that the nested modules require: then the core is compiled for all of them once.
	version := ""
	text = goCommand(t, dir, "mod", "edit", "-json", filepath.Join(root, "adapters", "openai", "go.mod"))
	var nested struct {
		Require []struct{ Path, Version string }
	}
	require.NoError(t, json.Unmarshal([]byte(text), &nested))
	for _, m := range nested.Require {
		if m.Path == core {
			version = m.Version
		}
	}
	require.NotEmpty(t, version)
	goCommand(t, dir, "mod", "init", "example.com/foreign")
	edit := []string{"mod", "edit", "-require=" + core + "@" + version, "-replace=" + core + "=" + root}
	for _, m := range mod.Require {
		edit = append(edit, "-require="+m.Path+"@"+m.Version)
	}
	goCommand(t, dir, edit...)
}

// goCommand runs go in a folder, without what the environment says of the
// module that this test belongs to, and returns what it printed. With -trimpath,
// as CI has it, the core and all below are those that were compiled before.
func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	flags := "GOFLAGS=-mod=mod"
	if slices.Contains(strings.Fields(os.Getenv("GOFLAGS")), "-trimpath") {
		flags += " -trimpath"
	}
	cmd.Env = append(os.Environ(), "GOWORK=off", flags, "PWD="+dir)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s\n%s", strings.Join(cmd.Args, " "), out)
	return string(out)
}
