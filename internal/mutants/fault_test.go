package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseFaults(t *testing.T) {
	faults, err := parseFaults(strings.NewReader(`# a comment

== act-before-confirm
file: appagent/act.go
test: TestScenario22_Rejected
why:  executed without approval: bad
-	if confirmed {
-		act()
+	{
+		act()

== result-dropped
file: a.go
package: ./durable/store
test: TestTorn/at_3
why: lost
- = result
`), "x.txt")
	require.NoError(t, err)
	assert.Equal(t, []fault{{
		Name: "act-before-confirm", File: "appagent/act.go", Test: "TestScenario22_Rejected",
		Why: "executed without approval: bad", Pos: "x.txt:3",
		Old: "\tif confirmed {\n\t\tact()", New: "\t{\n\t\tact()",
	}, {
		Name: "result-dropped", File: "a.go", Package: "./durable/store", Test: "TestTorn/at_3", Why: "lost", Pos: "x.txt:12",
		Old: " = result",
	}}, faults)
	assert.Equal(t, "^TestTorn$/^at_3$", faults[1].pattern())
}

func TestParseFaultsRefuses(t *testing.T) {
	const good = "== a\nfile: a.go\ntest: TestScenario01_X\nwhy: w\n-old\n+new\n"
	_, err := parseFaults(strings.NewReader(good), "x.txt")
	require.NoError(t, err)

	for name, c := range map[string]struct{ text, want string }{
		"bad name":          {strings.Replace(good, "== a", "== A b", 1), "small letters"},
		"no file":           {strings.Replace(good, "file: a.go\n", "", 1), "not a Go file"},
		"outside":           {strings.Replace(good, "a.go", "../a.go", 1), "not a Go file"},
		"a test":            {strings.Replace(good, "a.go", "a_test.go", 1), "not into a test"},
		"package of file":   {strings.Replace(good, "a.go", "round/a.go", 1) + "package: ./round\n", "leave it out"},
		"no such package":   {good + "package: round\n", "not ./ and a folder"},
		"package outside":   {good + "package: ./../x\n", "not ./ and a folder"},
		"no test":           {strings.Replace(good, "TestScenario01_X", "FuzzX", 1) + "package: ./round\n", "not the name of a test"},
		"no reason":         {strings.Replace(good, "why: w\n", "", 1), "why is missing"},
		"no old text":       {strings.Replace(good, "-old\n", "", 1), "no old text"},
		"no change":         {strings.Replace(good, "+new", "+old", 1), "is the old text"},
		"unknown field":     {good + "who: me\n", `x.txt:7: unknown field "who"`},
		"field twice":       {good + "why: again\n", "why is given twice"},
		"wrong order":       {good + "-more\n", "after a + line"},
		"outside any fault": {"-old\n" + good, "x.txt:1: \"-old\" is not part of a fault"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseFaults(strings.NewReader(c.text), "x.txt")
			require.ErrorContains(t, err, c.want)
			assert.True(t, strings.HasPrefix(err.Error(), "mutants: x.txt:"), err)
		})
	}
}

func TestLoadFaultsFindsDoubles(t *testing.T) {
	dir := t.TempDir()
	const text = "== a\nfile: a.go\ntest: TestScenario01_X\nwhy: w\n-old\n+new\n"
	for _, name := range []string{"1.txt", "2.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	_, err := loadFaults(filepath.Join(dir, "*.txt"))
	require.ErrorContains(t, err, "2.txt:1: a is also at 1.txt:1")
}

func TestApply(t *testing.T) {
	f := fault{File: "a.go", Old: "x > 0", New: "true"}
	got, err := f.apply("if x > 0 {}")
	require.NoError(t, err)
	assert.Equal(t, "if true {}", got)

	_, err = f.apply("if x < 0 {}")
	require.ErrorContains(t, err, "occurs 0 times in a.go")
	_, err = f.apply("if x > 0 && x > 0 {}")
	require.ErrorContains(t, err, "occurs 2 times in a.go")
}

// The faults of this repository must fit its code at any time, which is found
// out here long before somebody runs them.
func TestFaultsApply(t *testing.T) {
	faults, err := loadFaults("testdata/*.txt")
	require.NoError(t, err)
	for _, f := range faults {
		source, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(f.File)))
		if assert.NoError(t, err, f.Pos) {
			_, err = f.apply(string(source))
			assert.NoError(t, err, f.Pos)
		}
		top, _, _ := strings.Cut(f.Test, "/")
		assert.True(t, declared(t, filepath.Join("..", "..", filepath.FromSlash(f.tests())), top), "%s: %s has no %s", f.Pos, f.tests(), top)
	}
}

// declared reports whether a file of the folder has that test.
func declared(t *testing.T, folder, test string) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	require.NoError(t, err)
	for _, name := range names {
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.Contains(string(source), "func "+test+"(t *testing.T)") {
			return true
		}
	}
	return false
}
