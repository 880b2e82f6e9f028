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

// A module small enough to see which fault must end how.
var module = map[string]string{
	"go.mod": "module example.org/calc\n\ngo 1.26.0\n",
	"calc.go": `package calc

func Add(a, b int) int { return a + b }

func Half(n int) int {
	for n > 10 {
		n -= 10
	}
	return n / 2
}

func Unseen(n int) int { return n * 3 }
`,
	"scenarios/calc_test.go": `package scenarios_test

import (
	"testing"

	"example.org/calc"
)

func TestScenario01_Add(t *testing.T) {
	if calc.Add(2, 3) != 5 {
		t.Error("wrong sum")
	}
}

func TestScenario02_Half(t *testing.T) {
	if calc.Half(24) != 2 {
		t.Error("wrong half")
	}
}

// A fault that names a skipped test must be refused.
func TestScenario03_Skipped(t *testing.T) { t.Skip() } // in the laboratory, not a test of this package
`,
	"other/other_test.go": `package other_test

import (
	"os"
	"testing"

	"example.org/calc"
)

func TestUnseen(t *testing.T) {
	t.Run("three times", func(t *testing.T) {
		if calc.Unseen(2) != 6 {
			t.Error("wrong product")
		}
	})
	t.Run("rest", func(t *testing.T) {
		if os.Getenv("MUTANTS_REST") == "" {
			t.Error("it runs, and need not")
		}
	})
}
`,
}

func faultText(name, test, old, now string) string {
	return "== " + name + "\nfile: calc.go\ntest: " + test + "\nwhy: for the test\n-" + old + "\n+" + now + "\n"
}

func otherText(name, pkg, test, old, now string) string {
	return faultText(name, test, old, now) + "package: " + pkg + "\n"
}

func laboratory(t *testing.T, files map[string]string, faults ...string) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for name, text := range files {
		write(name, text)
	}
	write("faults.txt", strings.Join(faults, "\n"))
	return dir
}

func runIn(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := command(t.Context(), append([]string{"-root", dir, "-faults", "faults.txt", "-tests", "./scenarios"}, args...), &out)
	return out.String(), err
}

func TestEveryVerdict(t *testing.T) {
	dir := laboratory(t, module,
		faultText("minus", "TestScenario01_Add", "a + b", "a - b"),
		faultText("endless", "TestScenario02_Half", "n -= 10", "n -= 0"),
		faultText("wrong-test", "TestScenario02_Half", "a + b", "a * b"),
		faultText("unseen", "TestScenario01_Add", "n * 3", "n * 4"),
		faultText("no-such-text", "TestScenario01_Add", "a / b", "a - b"),
		faultText("not-go", "TestScenario01_Add", "a + b", "a +"),
	)
	out, err := runIn(t, dir, "-timeout", "2s")
	require.EqualError(t, err, "mutants: 4 of 6 faults not caught")

	verdicts := map[string]string{}
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[2] == "calc.go" {
			verdicts[fields[1]] = fields[0]
		}
	}
	assert.Equal(t, map[string]string{
		"minus": "caught", "endless": "caught", "wrong-test": "elsewhere",
		"unseen": "SURVIVED", "no-such-text": "ERROR", "not-go": "ERROR",
	}, verdicts)
	assert.Contains(t, out, "wrong-test: by TestScenario01_Add")
	assert.Contains(t, out, "--- FAIL: TestScenario01_Add")
	assert.NotContains(t, out, "=== RUN", "only what failed is shown")
	assert.Contains(t, out, "unseen: no test of the package fails")
	assert.Contains(t, out, "no-such-text: the old text occurs 0 times in calc.go")
	assert.Contains(t, out, "not-go: it does not compile")
	assert.Contains(t, out, "2 of 6 faults caught")

	source, err := os.ReadFile(filepath.Join(dir, "calc.go"))
	require.NoError(t, err)
	assert.Equal(t, module["calc.go"], string(source), "the module must stay as it is")
}

func TestAllCaught(t *testing.T) {
	dir := laboratory(t, module,
		faultText("minus", "TestScenario01_Add", "a + b", "a - b"),
		faultText("unseen", "TestScenario01_Add", "n * 3", "n * 4"),
	)
	out, err := runIn(t, dir, "-run", "^minus$", "-min", "2", "-v")
	require.NoError(t, err)
	assert.Contains(t, out, "1 of 1 faults caught")
	assert.Contains(t, out, "wrong sum", "-v shows why the test failed")
}

// A fault can name a package, and there one subtest that runs alone.
func TestOtherPackages(t *testing.T) {
	product := func(test string) string { return otherText("product", "./other", test, "n * 3", "n * 4") }
	scenario := faultText("minus", "TestScenario01_Add", "a + b", "a - b")
	dir := laboratory(t, module, scenario, product("TestUnseen/three_times"))
	out, err := runIn(t, dir, "-v")
	require.NoError(t, err, out)
	assert.Contains(t, out, "2 of 2 faults caught")
	assert.Contains(t, out, "wrong product")

	_, err = runIn(t, laboratory(t, module, scenario, product("TestUnseen")))
	require.ErrorContains(t, err, "the tests of ./other fail without any fault")
	_, err = runIn(t, laboratory(t, module, scenario, product("TestUnseen/four_times")))
	require.ErrorContains(t, err, "there is no test TestUnseen/four_times")
	_, err = runIn(t, laboratory(t, module, scenario, otherText("x", "./none", "TestUnseen", "n * 3", "n * 4")))
	require.ErrorContains(t, err, "the tests of ./none do not compile")
}

func TestBaselineMustPass(t *testing.T) {
	good := faultText("minus", "TestScenario01_Add", "a + b", "a - b")
	edit := func(old, now string) map[string]string {
		files := map[string]string{}
		for name, text := range module {
			files[name] = strings.ReplaceAll(text, old, now)
		}
		return files
	}
	for name, c := range map[string]struct {
		files map[string]string
		fault string
		want  string
	}{
		"failing test":     {edit("!= 5", "!= 6"), good, "tests of ./scenarios fail without any fault"},
		"does not compile": {edit("!= 5", "!= five"), good, "do not compile"},
		"unknown test":     {module, faultText("x", "TestScenario09_None", "a + b", "a"), "there is no test TestScenario09_None"},
		"skipped test":     {module, faultText("x", "TestScenario03_Skipped", "a + b", "a"), "did not run to its end"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := runIn(t, laboratory(t, c.files, c.fault))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestRefusesTooFew(t *testing.T) {
	dir := laboratory(t, module, faultText("minus", "TestScenario01_Add", "a + b", "a - b"))
	_, err := runIn(t, dir, "-min", "2")
	require.ErrorContains(t, err, "1 faults in faults.txt, at least 2 wanted")
	_, err = runIn(t, dir, "-run", "nothing")
	require.ErrorContains(t, err, `no fault matches "nothing"`)
	_, err = runIn(t, dir, "-run", "(")
	require.ErrorContains(t, err, "-run:")
}

func TestStopsWhenCancelled(t *testing.T) {
	dir := laboratory(t, module, faultText("minus", "TestScenario01_Add", "a + b", "a - b"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l := &lab{root: dir, tests: "./scenarios", scratch: t.TempDir()}
	faults, err := loadFaults(filepath.Join(dir, "faults.txt"))
	require.NoError(t, err)
	_, err = tryAll(ctx, l, faults, 1)
	require.ErrorIs(t, err, context.Canceled)
}
