package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/archive"
)

const fixtureCore = "github.com/agentfsm/fixture"

// fixture is a repository with a core, two adapters, the first of which needs the second, and
// a module that is never released. It depends on nothing else. testdata/fixture.txt has its files.
var fixture = archive.Files("testdata/fixture.txt")

// repositoryOf commits the fixture, with changes to it, and returns the folder. A
// change to "" leaves the file out.
func repositoryOf(t *testing.T, changes map[string]string) string {
	t.Helper()
	files := maps.Clone(fixture)
	maps.Copy(files, changes)
	root := t.TempDir()
	for name, text := range files {
		if text != "" {
			write(t, root, name, text)
		}
	}
	git(t, root, "init", "-q")
	git(t, root, "add", ".")
	git(t, root, "-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgSign=false", "commit", "-qm", "x")
	return root
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	_, err := runner{dir: dir, env: environment(nil)}.run(t.Context(), "git", args...)
	require.NoError(t, err)
}

// replaced is a file of the fixture with something else in it.
func replaced(name, from, to string) map[string]string {
	return map[string]string{name: strings.ReplaceAll(fixture[name], from, to)}
}
