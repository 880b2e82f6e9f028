package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// temporary returns the folder that the check has for temporary ones.
func temporary(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	t.Setenv("GOPROXY", "off") // there is nothing to fetch from elsewhere
	return dir
}

func checked(t *testing.T, root string, flags ...string) (string, error) {
	t.Helper()
	dir := temporary(t)
	var out strings.Builder
	err := command(t.Context(), append(flags, "-root", root, "check"), &out)
	left, listErr := os.ReadDir(dir)
	require.NoError(t, listErr)
	assert.Empty(t, left, "everything temporary is gone")
	return out.String(), err
}

func TestCheck(t *testing.T) {
	root := repositoryOf(t, nil)
	git(t, root, "tag", "v0.9.0") // an older one, which the clone must not have
	out, err := checked(t, root)
	require.NoError(t, err)
	assert.Regexp(t, `(?s)^v0\.1\.0 of [0-9a-f]{40}
v0\.1\.0 +2 KiB in +\d files, 1 programs, .*
adapters/second/v0\.1\.0 .* 1 programs, .*
adapters/first/v0\.1\.0 .* 1 programs, .*
3 modules fetched, built and run in \d+ s\n$`, out)

	machine, err := runner{env: environment(nil)}.run(t.Context(), "go", "env", "GOMODCACHE")
	require.NoError(t, err)
	assert.NoDirExists(t, filepath.Join(strings.TrimSpace(machine), "cache", "download", filepath.FromSlash(fixtureCore)),
		"the machine's own module cache knows nothing of it")

	tags, err := runner{dir: root, env: environment(nil)}.run(t.Context(), "git", "tag")
	require.NoError(t, err)
	assert.Equal(t, "v0.9.0\n", tags, "the tags were made in the clone")
}

// What is not committed is not checked, and check says so.
func TestCheckSaysWhatIsNotCommitted(t *testing.T) {
	root := repositoryOf(t, nil)
	write(t, root, "core.go", "package broken !")
	write(t, root, "new.go", "package broken !")
	out, err := checked(t, root, "-v")
	require.NoError(t, err)
	assert.Contains(t, out, "2 changes are not committed, and so not checked\n")
	assert.Contains(t, out, "+ go get "+fixtureCore+"/adapters/first\n")
	assert.Contains(t, out, "bytes "+fixtureCore+"@v0.1.0/README.md\n")
}

func TestCheckRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		changes map[string]string
		want    string
	}{
		"a version that is not tagged": {
			replaced("adapters/second/go.mod", "v0.1.0", "v0.9.9"),
			"adapters/second/go.mod requires github.com/agentfsm/fixture@v0.9.9, which is not tagged",
		},
		"a file that is not committed": {
			map[string]string{".gitignore": "*.txt\n"},
			"core.go:8:12: pattern word.txt: no matching files found",
		},
		"a package that nobody uses": {
			map[string]string{"adapters/second/other/other.go": "package other\n\nvar X int = `x`\n"},
			"adapters/second@v0.1.0/other/other.go:3:13: cannot use `x`",
		},
		"a package of an internal module": {
			map[string]string{"adapters/second/other.go": "package second\n\nimport _ \"example.com/elsewhere/internal/x\"\n"},
			"example.com/elsewhere/internal/x",
		},
		"a program that prints something else": {
			replaced("README.md", "fixture.Word()", `"hello", fixture.Word()`),
			"release: github.com/agentfsm/fixture/README.md Example prints\nhello core\nand not\ncore",
		},
		"a program that does not compile": {
			replaced("README.md", "fixture.Word()", "fixture.Words()"),
			"undefined: fixture.Words",
		},
		"a program that fails": {
			replaced("README.md", "fmt.Println(fixture.Word())", "fmt.Println(fixture.Word())\n\tpanic(\"oh\")"),
			"panic: oh",
		},
		"a program of no Example": {
			replaced("README.md", "core_test.go Example", "core_test.go ExampleGone"),
			"README.md shows ExampleGone of core_test.go, and there is no such program",
		},
		"a README without a program": {
			map[string]string{"README.md": "# fixture\n"},
			"its root is no package with a README.md that shows a program",
		},
		"an adapter without an Example": {
			replaced("adapters/second/second_test.go", "// Output: second core", ""),
			"fixture/adapters/second: none of its packages has an Example that is a program by itself",
		},
		"no license": {
			map[string]string{"LICENSE": ""},
			"github.com/agentfsm/fixture@v0.1.0: its zip has no LICENSE",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := checked(t, repositoryOf(t, c.changes))
			require.ErrorContains(t, err, c.want)
		})
	}
}

// The go command, too, names what a module asks for and nobody has tagged.
func TestFetchNeedsTags(t *testing.T) {
	temporary(t)
	c := &checker{root: repositoryOf(t, nil), out: &strings.Builder{}}
	temp := t.TempDir()
	origin, err := c.clone(t.Context(), temp)
	require.NoError(t, err)
	p, err := planOf(origin.dir)
	require.NoError(t, err)
	require.NoError(t, origin.tag(t.Context(), "adapters/second/v0.1.0")) // before the core
	u, err := c.user(t.Context(), temp, origin, p)
	require.NoError(t, err)

	_, err = u.fetch(t.Context(), p.modules[1])
	var failed *commandError
	require.ErrorAs(t, err, &failed)
	assert.ErrorContains(t, err, "go get github.com/agentfsm/fixture/adapters/second: ")
	assert.ErrorContains(t, err, "adapters/second imports\n\tgithub.com/agentfsm/fixture: module lookup disabled")

	require.NoError(t, origin.tag(t.Context(), "v0.1.0"))
	u.commit = "another"
	_, err = u.fetch(t.Context(), p.modules[0])
	var wrong *fetchError
	require.ErrorAs(t, err, &wrong)
	assert.ErrorContains(t, err, "not of another")

	u.commit, u.plan.version = origin.commit, "v0.1.1"
	in, err := u.module(t.Context())
	require.NoError(t, err)
	_, err = in.run(t.Context(), "go", "get", fixtureCore)
	require.NoError(t, err)
	require.EqualError(t, u.arrived(t.Context(), in, p.modules[0]), "release: github.com/agentfsm/fixture: go get took v0.1.0, not v0.1.1")
}

func TestCheckEndsWithItsContext(t *testing.T) {
	root := repositoryOf(t, nil)
	dir := temporary(t)
	ctx, cancel := context.WithCancel(t.Context())
	c := &checker{root: root, out: writerFunc(func(string) { cancel() })} // at its first line
	require.ErrorIs(t, c.check(ctx), context.Canceled)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)

	require.ErrorIs(t, command(t.Context(), []string{"-root", root, "-timeout", "1ns", "check"}, &strings.Builder{}), context.DeadlineExceeded)
}

type writerFunc func(string)

func (f writerFunc) Write(p []byte) (int, error) {
	f(string(p))
	return len(p), nil
}

func TestGitConfig(t *testing.T) {
	t.Setenv("GIT_CONFIG_COUNT", "2")
	set := map[string]string{}
	gitConfig(set, "a", "b")
	gitConfig(set, "c", "d")
	assert.Equal(t, map[string]string{
		"GIT_CONFIG_KEY_2": "a", "GIT_CONFIG_VALUE_2": "b",
		"GIT_CONFIG_KEY_3": "c", "GIT_CONFIG_VALUE_3": "d",
		"GIT_CONFIG_COUNT": "4",
	}, set)
	assert.Equal(t, "file:///C:/x%20y", fileURL("C:/x y"))
	assert.Equal(t, "a", patterns("a", ""))
	assert.Equal(t, "a,b", patterns("a", "b"))
}
