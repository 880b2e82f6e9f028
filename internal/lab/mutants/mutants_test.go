package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/archive"
)

// The faults of this repository fit its code at any time.
func TestFaultsFit(t *testing.T) {
	const root = "../../.."
	faults, err := loadFaults("testdata")
	require.NoError(t, err)
	assert.LessOrEqual(t, len(faults), 250, "a new fault takes the place of one that guards less")
	for _, f := range faults {
		_, _, err := f.plant(root)
		assert.NoError(t, err, "%s: %s", f.Pos, f.Name)
		assert.True(t, declaresTest(t, filepath.Join(root, f.tests()), f.Test), "%s: %s has no %s", f.Pos, f.tests(), f.Test)
	}
}

var (
	promiseRow  = regexp.MustCompile(`(?m)^\| (.+) \| (.+) \|$`)
	promiseTest = regexp.MustCompile("`(Test\\w+)(…?)`")
	scenario    = regexp.MustCompile(`\[([\d, ]+)\]\(`)
)

// Each promise has a fault that one of its tests notices.
func TestPromisesHaveFaults(t *testing.T) {
	faults, err := loadFaults("testdata")
	require.NoError(t, err)
	text, err := os.ReadFile("../../../docs/guides/promises.md")
	require.NoError(t, err)
	rows := promiseRow.FindAllStringSubmatch(string(text), -1)
	assert.Greater(t, len(rows), 70)
	for _, row := range rows {
		if row[1] == "promise" {
			continue
		}
		var tests []string // how the names of the tests begin
		for _, named := range promiseTest.FindAllStringSubmatch(row[2], -1) {
			tests = append(tests, named[1])
		}
		for _, numbers := range scenario.FindAllStringSubmatch(row[2], -1) {
			for number := range strings.SplitSeq(numbers[1], ", ") {
				tests = append(tests, fmt.Sprintf("TestScenario%02s_", number))
			}
		}
		assert.True(t, slices.ContainsFunc(faults, func(f fault) bool {
			return slices.ContainsFunc(tests, func(test string) bool { return strings.HasPrefix(f.Test, test) })
		}), "no fault for: %s", row[1])
	}
}

func declaresTest(t *testing.T, folder, test string) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	require.NoError(t, err)
	test, _, _ = strings.Cut(test, "/")
	for _, name := range names {
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.Contains(string(source), "func "+test+"(t *testing.T)") {
			return true
		}
	}
	return false
}

const fits = "== a\nin: round Round.Run\ntest: TestX\nwhy: w\n-old\n+new\n"

func TestParseFaults(t *testing.T) {
	faults, err := parseFaults("# a comment\n\n"+fits+"package: durable\n", "x.txt")
	require.NoError(t, err)
	assert.Equal(t, []fault{{
		Name: "a", Folder: "round", Decl: "Round.Run", Package: "durable", Test: "TestX", Why: "w", Old: "old\n", New: "new\n", Pos: "x.txt:3",
	}}, faults)
	for name, c := range map[string]struct{ text, says string }{
		"bad name":      {strings.Replace(fits, "== a", "== A b", 1), "small letters"},
		"outside":       {strings.Replace(fits, "round ", "../round ", 1), "a folder of the repository"},
		"no function":   {strings.Replace(fits, " Round.Run", "", 1), "a folder of the repository"},
		"no test":       {strings.Replace(fits, "TestX", "FuzzX", 1), "not the name of a test"},
		"no reason":     {strings.Replace(fits, "why: w\n", "", 1), "why is missing"},
		"no old code":   {strings.Replace(fits, "-old\n", "", 1), "no change"},
		"no change":     {strings.Replace(fits, "+new", "+old", 1), "no change"},
		"unknown field": {fits + "who: me\n", `x.txt:7: unexpected "who: me"`},
		"twice":         {fits + "why: again\n", `x.txt:7: unexpected`},
		"wrong order":   {fits + "-more\n", `x.txt:7: unexpected`},
		"of no fault":   {"-old\n" + fits, `x.txt:1: unexpected "-old"`},
	} {
		_, err := parseFaults(c.text, "x.txt")
		assert.ErrorContains(t, err, c.says, name)
	}
	dir := t.TempDir()
	for _, name := range []string{"1.txt", "2.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(fits), 0o600))
	}
	_, err = loadFaults(dir)
	require.ErrorContains(t, err, "2.txt:1: a is also at 1.txt:1")
}

// Code is found wherever it stands in a function, however it is laid out.
func TestPlant(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte(`package p

var limit, other = 3, 4

type list[T any] struct{ items []T }

func (l *list[T]) add(v T) {
	if len(l.items) < // a comment
		limit {
		l.items = append(l.items, v)
		return
	}
	panic("full") // another one
}

func (l list[T]) first() T { return l.items[0] }
`), 0o600))
	for name, c := range map[string]struct{ decl, old, now, want string }{
		"expression": {"list.add", "len(l.items)<limit", "true", "if true {"},
		"statements": {"list.add", "l.items = append(l.items, v)\nreturn", "return", "limit {\n\t\treturn\n\t}"},
		"removed":    {"list.add", `panic("full")`, "", "}\n\t // another one"},
		"variable":   {"limit", "3", "5", "limit, other = 5, 4"},
		"value":      {"list.first", "l.items[0]", "*new(T)", "return *new(T) }"},
	} {
		f := fault{Folder: ".", Decl: c.decl, Old: c.old, New: c.now}
		file, changed, err := f.plant(dir)
		require.NoError(t, err, name)
		assert.Equal(t, filepath.Join(dir, "a.go"), file, name)
		assert.Contains(t, changed, c.want, name)
	}
	for name, c := range map[string]struct{ decl, old, says string }{
		"no function":  {"list.last", "x", "declares no list.last"},
		"other code":   {"list.first", "limit", "occurs 0 times in list.first"},
		"half of code": {"list.add", "(l.items)", "occurs 0 times"},
		"twice":        {"list.add", "l.items", "occurs 3 times"},
	} {
		f := fault{Folder: ".", Decl: c.decl, Old: c.old}
		_, _, err := f.plant(dir)
		assert.ErrorContains(t, err, c.says, name)
	}
}

// calc is a repository with a module, and faults that end in each way.
func calc(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range archive.Files("testdata/calc/module.txt") {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func runIn(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := command(t.Context(), append([]string{"-root", dir, "-faults", filepath.Join(dir, "faults")}, args...), &out)
	return out.String(), err
}

func TestVerdicts(t *testing.T) {
	out, err := runIn(t, calc(t), "-v", "-timeout", "5s")
	require.EqualError(t, err, "mutants: 5 of 7 faults not caught")
	verdicts := map[string]string{}
	for _, found := range regexp.MustCompile(`(?m)^(\w+) +[\d.]+s  ([a-z-]+): `).FindAllStringSubmatch(out, -1) {
		verdicts[found[2]] = found[1]
	}
	assert.Equal(t, map[string]string{
		"minus": "caught", "elsewhere": "caught", "unseen": "SURVIVED", "no-such-code": "ERROR", "no-go": "ERROR", "no-test": "ERROR", "skipped": "ERROR",
	}, verdicts)
	assert.Contains(t, out, "wrong sum", "-v shows why a test failed")
	assert.Contains(t, out, "the old code occurs 0 times in Add of .")
	assert.Contains(t, out, "without the fault its test fails, is skipped or does not exist")
}

func TestSelection(t *testing.T) {
	dir := calc(t)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"-min", "8"}, "7 faults, at least 8 wanted"},
		{[]string{"-run", "nothing"}, `no fault matches "nothing"`},
		{[]string{"-run", "("}, "-run:"},
	} {
		_, err := runIn(t, dir, c.args...)
		require.ErrorContains(t, err, c.says)
	}
	out, err := runIn(t, dir, "-budget", "1ns", "-seed", "x")
	require.NoError(t, err)
	assert.Contains(t, out, "seed x: 7 faults\n0 of 7 faults planted")
	out, err = runIn(t, dir, "-changed", "none")
	require.NoError(t, err)
	assert.Contains(t, out, "no fault is planted: it is unknown what changed since none")

	faults := make([]fault, 100)
	for i := range faults {
		faults[i].Name = strings.Repeat("x", i)
	}
	assert.Equal(t, shuffled(faults, "a"), shuffled(faults, "a"))
	assert.NotEqual(t, shuffled(faults, "a")[:5], shuffled(faults, "b")[:5])
}

func TestChangedPackages(t *testing.T) {
	dir := calc(t)
	do := func(args ...string) {
		_, err := git(t.Context(), dir, append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
		require.NoError(t, err)
	}
	do("init", "-q", "-b", "main")
	do("add", ".")
	do("commit", "-q", "-m", "first")
	do("branch", "base")
	for name, text := range map[string]string{"other/new.go": "package other", "deep/testdata/x/y.txt": "x", "docs/a.md": "x"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	do("rm", "-q", "calc.go")
	packages, err := changedPackages(t.Context(), dir, "base")
	require.NoError(t, err)
	assert.Equal(t, map[string]bool{".": true, "other": true, "deep": true}, packages)
}
