//go:build unix

package release_test

import (
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/archive"
)

const (
	fixtureFirst  = "adapters/first/go.mod"
	fixtureSecond = "adapters/second/go.mod"
)

// releaseRepository commits a core, two adapters, the first of which needs the second, and a module that
// is never released, with changes to their files. A change to "" leaves a file out.
func releaseRepository(t *testing.T, changes map[string]string) string {
	t.Helper()
	files := archive.Files("testdata/fixture.txt")
	maps.Copy(files, changes)
	root := t.TempDir()
	for name, text := range files {
		if text != "" {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
		}
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "."},
		{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgSign=false", "commit", "-qm", "x"},
	} {
		out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", root}, args...)...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return root
}

// releaseCommand is the script in a repository. The test checks that it leaves no temporary files.
func releaseCommand(t *testing.T, root string, args ...string) *exec.Cmd {
	t.Helper()
	script, err := filepath.Abs("release.sh")
	require.NoError(t, err)
	temporary := t.TempDir()
	t.Cleanup(func() {
		left, err := os.ReadDir(temporary)
		require.NoError(t, err)
		assert.Empty(t, left)
	})
	cmd := exec.CommandContext(t.Context(), script, args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary, "GOPROXY=off")
	return cmd
}

func release(t *testing.T, root string, args ...string) (string, error) {
	t.Helper()
	out, err := releaseCommand(t, root, args...).CombinedOutput()
	return string(out), err
}

func inFixture(name, from, to string) map[string]string {
	return map[string]string{name: strings.ReplaceAll(archive.Files("testdata/fixture.txt")[name], from, to)}
}

func TestReleaseList(t *testing.T) {
	t.Parallel()
	root := releaseRepository(t, nil)
	for _, args := range [][]string{{"list"}, {"list", "v0.1.0"}} {
		out, err := release(t, filepath.Join(root, "adapters"), args...)
		require.NoError(t, err, out)
		assert.Equal(t, "v0.1.0\nadapters/second/v0.1.0\nadapters/first/v0.1.0\n", out)
	}
	out, err := release(t, ".", "list")
	require.NoError(t, err, out)
	tags := strings.Fields(out)
	require.Greater(t, len(tags), 2)
	for _, tag := range tags[1:] {
		assert.Regexp(t, `^adapters/[a-z]+/`+tags[0]+`$`, tag)
	}
}

func TestReleaseListRefuses(t *testing.T) {
	t.Parallel()
	root := releaseRepository(t, nil)
	for want, args := range map[string][]string{
		"the release is v0.2.0":                     {"list", "v0.2.0"},
		`"v2.0.0" is no version`:                    {"prepare", "v2.0.0"},
		`"0.2.0" is no version`:                     {"prepare", "0.2.0"},
		`"v0.02.0" is no version`:                   {"prepare", "v0.02.0"},
		"want prepare VERSION, list [VERSION] or c": {"publish"},
	} {
		out, err := release(t, root, args...)
		require.Error(t, err, args)
		assert.Contains(t, out, want)
	}
	for want, changes := range map[string]map[string]string{
		"adapters/second/go.mod requires github.com/agentfsm/fixture@v0.9.9, which is not tagged":     inFixture(fixtureSecond, "v0.1.0", "v0.9.9"),
		"internal/tool/go.mod requires github.com/agentfsm/fixture@v0.0.9, which is not tagged":       inFixture("internal/tool/go.mod", "v0.1.0", "v0.0.9"),
		"requires github.com/agentfsm/fixture/adapters/gone@v0.1.0, which is not tagged":              inFixture(fixtureFirst, "adapters/second", "adapters/gone"),
		"first/go.mod requires github.com/agentfsm/fixture/internal/tool@v0.1.0, which is not tagged": inFixture(fixtureFirst, "adapters/second v0.1.0", "internal/tool v0.1.0"),
		"modules require each other": inFixture(fixtureSecond, "fixture v0.1.0\n", "fixture v0.1.0\n\nrequire github.com/agentfsm/fixture/adapters/first v0.1.0\n"),
		"unknown directive: what?":   {fixtureSecond: "what?"},
		`"" is no version`:           {fixtureFirst: "", fixtureSecond: "", "internal/tool/go.mod": ""},
	} {
		out, err := release(t, releaseRepository(t, changes), "list")
		require.Error(t, err, want)
		assert.Contains(t, out, want)
	}
}

func TestReleasePrepare(t *testing.T) {
	t.Parallel()
	root := releaseRepository(t, nil)
	out, err := release(t, root, "prepare", "v0.2.0-rc.1")
	require.NoError(t, err, out)
	assert.Equal(t, "adapters/first/go.mod\nadapters/second/go.mod\ninternal/tool/go.mod\n", out)
	for name, text := range archive.Files("testdata/fixture.txt") {
		if name != "testdata/other/go.mod" {
			text = strings.ReplaceAll(text, "v0.1.0", "v0.2.0-rc.1")
		}
		got, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		assert.Equal(t, text, string(got), name)
	}
	out, err = release(t, root, "prepare", "v0.2.0-rc.1")
	require.NoError(t, err, out)
	assert.Empty(t, out, "there is nothing to change")
}

func TestReleaseCheck(t *testing.T) {
	t.Parallel()
	root := releaseRepository(t, nil)
	require.NoError(t, os.WriteFile(filepath.Join(root, "new.go"), []byte("package broken !"), 0o600))
	out, err := release(t, root, "check")
	require.NoError(t, err, out)
	assert.Regexp(t, `^not committed, so not checked: \?\? new.go
v0\.1\.0 of [0-9a-f]{40}
github.com/agentfsm/fixture@v0\.1\.0: \d+ files, all packages, core_test.go Example: .*
github.com/agentfsm/fixture/adapters/second@v0\.1\.0: .*, second_test.go Example: .*
github.com/agentfsm/fixture/adapters/first@v0\.1\.0: .*, first_test.go ExampleWords: .*
$`, out)
	tags, err := exec.CommandContext(t.Context(), "git", "-C", root, "tag").Output()
	require.NoError(t, err)
	assert.Empty(t, tags, "the tags are in the clone only")
}

func TestReleaseCheckRefuses(t *testing.T) {
	t.Parallel()
	for want, changes := range map[string]map[string]string{
		"pattern word.txt: no matching files found": {".gitignore": "*.txt\n"},
		"cannot use `x`": {"adapters/second/other/other.go": "package other\n\nvar X int = `x`\n"},
		"second imports\n\texample.com/hidden": {
			fixtureSecond:               "module github.com/agentfsm/fixture/adapters/second\n\ngo 1.26.0\n\nrequire (\n\texample.com/hidden v0.1.0\n\tgithub.com/agentfsm/fixture v0.1.0\n)\n\nreplace (\n\texample.com/hidden => ../../internal/hidden\n\tgithub.com/agentfsm/fixture => ../..\n)\n",
			"adapters/second/other.go":  "package second\n\nimport _ \"example.com/hidden\"\n",
			"internal/hidden/hidden.go": "package hidden\n",
			"internal/hidden/go.mod":    "module example.com/hidden\n\ngo 1.26.0\n",
		},
		"core_test.go Example prints something else": inFixture("README.md", "fixture.Word()", `"hello", fixture.Word()`),
		"undefined: fixture.Words":                   inFixture("README.md", "fixture.Word()", "fixture.Words()"),
		"panic: oh":                                  inFixture("README.md", "fmt.Println(fixture.Word())", "fmt.Println(fixture.Word())\n\tpanic(\"oh\")"),
		". has no program":                           {"README.md": "# fixture\n"},
		"adapters/second has no program":             inFixture("adapters/second/second_test.go", "// Output: second core", ""),
		"@v0.1.0 has no LICENSE":                     {"LICENSE": ""},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			out, err := release(t, releaseRepository(t, changes), "check")
			require.Error(t, err)
			assert.Contains(t, out, want)
		})
	}
}

// The program of a module holds a connection until it dies.
func TestReleaseCheckEndsWhatItStarts(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	root := releaseRepository(t, map[string]string{"hold.go": `package fixture

import (
	"io"
	"net"
)

func init() {
	if held, err := net.Dial("tcp", "` + listener.Addr().String() + `"); err == nil {
		io.Copy(io.Discard, held)
	}
}
`})
	cmd := releaseCommand(t, root, "check")
	require.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() {
		ended <- cmd.Wait()
		listener.Close() // if the program was not run
	}()
	held, err := listener.Accept()
	require.NoError(t, err)
	defer held.Close()
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_, err = held.Read(make([]byte, 1))
	require.Error(t, err, "the program is dead")
	require.Error(t, <-ended)
}
