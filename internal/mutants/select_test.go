package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func chosen(t *testing.T, s selection, root string, faults []fault) (names []string, out string) {
	t.Helper()
	var said strings.Builder
	list, err := s.choose(t.Context(), &said, root, faults)
	require.NoError(t, err)
	for _, f := range list {
		names = append(names, f.Name)
	}
	return names, said.String()
}

func hundred() []fault {
	var list []fault
	for i := range 100 {
		list = append(list, fault{Name: fmt.Sprintf("f-%d", i), File: "a.go", Test: "TestA"})
	}
	return list
}

func TestSample(t *testing.T) {
	dir, faults := t.TempDir(), hundred()
	ten, out := chosen(t, selection{sample: 10, seed: "a"}, dir, faults)
	assert.Len(t, ten, 10)
	assert.Equal(t, "seed a: 10 of 100 faults\n", out)
	again, _ := chosen(t, selection{sample: 10, seed: "a"}, dir, faults)
	assert.Equal(t, ten, again, "the same seed, the same faults")
	other, _ := chosen(t, selection{sample: 10, seed: "b"}, dir, faults)
	assert.NotEqual(t, ten, other)
	more, _ := chosen(t, selection{sample: 20, seed: "a"}, dir, faults)
	assert.Equal(t, ten, more[:10], "a larger sample has the smaller one")
	all, out := chosen(t, selection{sample: 500, seed: "a"}, dir, faults)
	assert.Len(t, all, 100)
	assert.Contains(t, out, "100 of 100 faults")
	shuffled, _ := chosen(t, selection{shuffle: true, seed: "a"}, dir, faults)
	assert.Equal(t, all, shuffled)

	some, out := chosen(t, selection{sample: 3, seed: "a", run: "^f-1"}, dir, faults)
	assert.Equal(t, "seed a: 3 of 11 faults\n", out)
	for _, name := range some {
		assert.Regexp(t, "^f-1", name)
	}
	assert.Equal(t, "f-0", faults[0].Name, "the list stays as it is")
}

// repository is a git repository in a new folder, with these files in its first commit.
func repository(t *testing.T, files ...string) (dir string, git func(args ...string) string) {
	t.Helper()
	// Neither the repository of a hook that runs this test, nor what somebody configured.
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} {
		t.Setenv(name, "") // so that it is set again
		require.NoError(t, os.Unsetenv(name))
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir = t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=n", "-c", "user.email=e"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "main")
	for _, name := range files {
		writeFile(t, dir, name, name)
	}
	git("add", ".")
	git("commit", "-q", "-m", "first")
	return dir, git
}

func TestChanged(t *testing.T) {
	faults := []fault{
		{Name: "root", File: "a.go"},
		{Name: "round", File: "round/a.go"},
		{Name: "runs", File: "durable/a.go"},
		{Name: "elsewhere", File: "llm/a.go", Package: "./durable"},
		{Name: "llm", File: "llm/a.go"},
	}
	write := func(name string) func(string, func(...string) string) {
		return func(dir string, _ func(...string) string) { writeFile(t, dir, name, "new") }
	}
	for name, c := range map[string]struct {
		change func(dir string, git func(...string) string)
		want   []string
	}{
		"a file, not staged":    {write("round/a.go"), []string{"round"}},
		"a file of the root":    {write("a.go"), []string{"root"}},
		"a new file":            {write("round/new_test.go"), []string{"round"}},
		"a package of tests":    {write("durable/a_test.go"), []string{"runs", "elsewhere"}},
		"testdata":              {write("llm/testdata/x/new.txt"), []string{"elsewhere", "llm"}},
		"Go code in testdata":   {write("testdata/x/new.go"), []string{"root"}},
		"no Go":                 {write("round/new.md"), nil},
		"ignored":               {write("round/out.go"), nil},
		"a package of no fault": {write("fsm/a.go"), nil},
		"nothing":               {func(string, func(...string) string) {}, nil},
		"removed":               {func(_ string, git func(...string) string) { git("rm", "-q", "round/a.go") }, []string{"round"}},
		"moved and committed": {func(_ string, git func(...string) string) {
			git("mv", "round/a.go", "llm/b.go")
			git("commit", "-q", "-m", "moved")
		}, []string{"round", "elsewhere", "llm"}},
		"after the base went on": {func(dir string, git func(...string) string) {
			git("checkout", "-q", "base")
			writeFile(t, dir, "round/a.go", "theirs")
			git("commit", "-q", "-a", "-m", "theirs")
			git("checkout", "-q", "main")
			writeFile(t, dir, "llm/a.go", "mine")
			git("commit", "-q", "-a", "-m", "mine")
		}, []string{"elsewhere", "llm"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, git := repository(t, "a.go", "round/a.go", "durable/a.go", "llm/a.go", ".gitignore")
			writeFile(t, dir, ".gitignore", "out.go\n")
			git("branch", "base")
			c.change(dir, git)
			names, out := chosen(t, selection{changed: "base"}, dir, faults)
			assert.Equal(t, c.want, names)
			assert.Equal(t, c.want == nil, strings.HasPrefix(out, "-changed: no package of a fault differs from base"), out)
		})
	}
}

// The module need not be the root of the repository, whose other files do not count.
func TestChangedBelowTheRoot(t *testing.T) {
	dir, _ := repository(t, "go/round/a.go", "round/a.go")
	writeFile(t, dir, "go/round/a.go", "new")
	packages, err := changedPackages(t.Context(), dir+"/go", "HEAD")
	require.NoError(t, err)
	assert.Equal(t, map[string]bool{"./round": true}, packages)
}

// Where nobody can say what changed nothing is planted, and that is no failure.
func TestChangedSinceNobodyKnows(t *testing.T) {
	dir, git := repository(t, "a.go")
	git("checkout", "-q", "--orphan", "other")
	git("commit", "-q", "-m", "of its own")
	outside := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(outside))
	faults := []fault{{Name: "root", File: "a.go"}}
	for _, c := range []struct{ dir, rev, says string }{
		{dir, "none", `there is no revision "none"`},
		{dir, "--all", `there is no revision "--all"`},
		{dir, "main", "HEAD and main have no commit in common"},
		{outside, "main", "this is no git repository"},
	} {
		names, out := chosen(t, selection{changed: c.rev, sample: 3}, c.dir, faults)
		assert.Empty(t, names)
		assert.Equal(t, "-changed: "+c.says+": no fault is planted\n", out)
	}
	t.Setenv("PATH", outside)
	_, out := chosen(t, selection{changed: "main"}, dir, faults)
	assert.Equal(t, "-changed: there is no git: no fault is planted\n", out)

	writeFile(t, outside, "faults.txt", minus)
	out, err := runIn(t, outside, "-changed", "main")
	require.NoError(t, err)
	assert.Equal(t, "-changed: there is no git: no fault is planted\n", out)
}

func TestSeedIsTheCommit(t *testing.T) {
	dir, git := repository(t, "a.go")
	commit := git("rev-parse", "HEAD")
	names, out := chosen(t, selection{sample: 10}, dir, hundred())
	assert.Equal(t, "seed "+commit+": 10 of 100 faults\n", out)
	same, _ := chosen(t, selection{sample: 10, seed: commit}, dir, hundred())
	assert.Equal(t, same, names)

	outside := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(outside))
	_, out = chosen(t, selection{sample: 10}, outside, hundred())
	assert.Equal(t, "seed no-commit: 10 of 100 faults\n", out, "a copy without git")
}
