package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/archive"
)

// A module small enough to see which fault must end how, and to be compiled at once.
var module = archive.Files("testdata/calc/module.txt")

func faultText(name, test, old, now string) string {
	return "== " + name + "\nfile: calc.go\ntest: " + test + "\nwhy: for the test\n-" + old + "\n+" + now + "\n"
}

func otherText(name, pkg, test, old, now string) string {
	return faultText(name, test, old, now) + "package: " + pkg + "\n"
}

var minus = faultText("minus", "TestAdd", "a + b", "a - b")

func laboratory(t *testing.T, files map[string]string, faults ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		writeFile(t, dir, name, text)
	}
	writeFile(t, dir, "faults.txt", strings.Join(faults, "\n"))
	return dir
}

func writeFile(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func runIn(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	var out strings.Builder
	err := command(t.Context(), append([]string{"-root", dir, "-faults", "faults.txt"}, args...), &out)
	return out.String(), err
}

// verdicts is what the table says of each fault.
func verdicts(out string) map[string]string {
	list := map[string]string{}
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); len(fields) > 2 && fields[2] == "calc.go" {
			list[fields[1]] = fields[0]
		}
	}
	return list
}

// The short form has one fault of each verdict.
func TestEveryVerdict(t *testing.T) {
	faults := []string{
		minus,
		faultText("wrong-test", "TestHalf", "a + b", "a * b"),
		faultText("unseen", "TestAdd", "n * 3", "n * 4"),
		faultText("no-such-text", "TestAdd", "a / b", "a - b"),
	}
	want := map[string]string{"minus": "caught", "wrong-test": "elsewhere", "unseen": "SURVIVED", "no-such-text": "ERROR"}
	if !testing.Short() {
		faults = append(faults,
			faultText("endless", "TestHalf", "n -= 10", "n -= 0"),
			faultText("not-go", "TestAdd", "a + b", "a +"),
			faultText("no-test", "TestNone", "a + b", "a"),
			faultText("skipped", "TestSkipped", "a + b", "a"))
		want["endless"], want["not-go"], want["no-test"], want["skipped"] = "caught", "ERROR", "ERROR", "ERROR"
	}
	dir := laboratory(t, module, faults...)
	out, err := runIn(t, dir, "-v", "-timeout", "5s")
	require.ErrorContains(t, err, " faults not caught")
	assert.Equal(t, want, verdicts(out))
	assert.Contains(t, out, "wrong-test: by TestAdd")
	assert.Contains(t, out, "--- FAIL: TestAdd")
	assert.Contains(t, out, "wrong sum", "-v shows why the test failed")
	assert.NotContains(t, out, "=== RUN", "only what failed is shown")
	assert.Contains(t, out, "unseen: no test of . fails")
	assert.Contains(t, out, "no-such-text: the old text occurs 0 times in calc.go")
	if !testing.Short() {
		assert.Contains(t, out, "not-go: it does not compile")
		for _, test := range []string{"TestNone", "TestSkipped"} {
			assert.Contains(t, out, "without it, "+test+" of . fails, is skipped or does not exist")
		}
		assert.Contains(t, out, "2 of 8 faults caught")
	}

	source, err := os.ReadFile(filepath.Join(dir, "calc.go"))
	require.NoError(t, err)
	assert.Equal(t, module["calc.go"], string(source), "the module must stay as it is")
}

// Without -v nobody asks the other tests, which may take long.
func TestSurvived(t *testing.T) {
	out, err := runIn(t, laboratory(t, module, faultText("wrong-test", "TestHalf", "a + b", "a * b")))
	require.EqualError(t, err, "mutants: 1 of 1 faults not caught")
	assert.Equal(t, map[string]string{"wrong-test": "SURVIVED"}, verdicts(out))
	assert.Contains(t, out, "wrong-test: its test passes; with -v")
}

// A fault can name a package, and there one subtest that runs alone.
func TestOtherPackages(t *testing.T) {
	product := func(name, test string) string { return otherText(name, "./other", test, "n * 3", "n * 4") }
	faults := []string{product("part", "TestUnseen/three_times")}
	want := map[string]string{"part": "caught"}
	if !testing.Short() {
		faults = append(faults, minus, otherText("x", "./none", "TestUnseen", "n * 3", "n * 4"), product("none", "TestUnseen/four_times"))
		want["minus"], want["x"], want["none"] = "caught", "ERROR", "ERROR"
	}
	out, err := runIn(t, laboratory(t, module, faults...), "-v")
	assert.Equal(t, testing.Short(), err == nil, err)
	assert.Equal(t, want, verdicts(out))
	assert.Contains(t, out, "wrong product")
	if !testing.Short() {
		assert.Contains(t, out, "x: the tests of ./none do not compile without it")
	}
}

// A fault may be in a module that is nested in ours.
func TestNestedModules(t *testing.T) {
	files := map[string]string{"go.mod": module["go.mod"]}
	for _, name := range []string{"go.mod", "calc.go", "calc_test.go"} {
		files["nested/inner/"+name] = module[name]
	}
	files["nested/inner/deep/deep.go"] = strings.ReplaceAll(module["calc.go"], "package calc", "package deep")
	files["nested/inner/deep/deep_test.go"] = strings.ReplaceAll(module["calc_test.go"], "package calc", "package deep")
	out, err := runIn(t, laboratory(t, files,
		strings.ReplaceAll(minus, "calc.go", "nested/inner/calc.go"),
		strings.NewReplacer("calc.go", "nested/inner/deep/deep.go", "minus", "deep").Replace(minus)))
	require.NoError(t, err, out)
	assert.Contains(t, out, "2 of 2 faults caught")
}

// A test that fails without the fault proves nothing of it. Why it fails is shown once.
func TestBaselineMustPass(t *testing.T) {
	for name, c := range map[string]struct{ now, says, output string }{
		"failing test":     {"!= 6", "without it, TestAdd of . fails", "wrong sum"},
		"does not compile": {"!= five", "the tests of . do not compile without it", "undefined: five"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for file, text := range module {
				files[file] = strings.ReplaceAll(text, "!= 5", c.now)
			}
			out, err := runIn(t, laboratory(t, files, minus, faultText("again", "TestAdd", "a + b", "a")))
			require.EqualError(t, err, "mutants: 2 of 2 faults not caught")
			assert.Equal(t, map[string]string{"minus": "ERROR", "again": "ERROR"}, verdicts(out))
			assert.Equal(t, 2, strings.Count(out, c.says), out)
			assert.Equal(t, 1, strings.Count(out, c.output), out)
		})
	}
}

func TestRefuses(t *testing.T) {
	dir := laboratory(t, module, minus)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"-min", "2"}, "1 faults in faults.txt, at least 2 wanted"},
		{[]string{"-run", "nothing"}, `no fault matches "nothing"`},
		{[]string{"-run", "("}, "-run:"},
		{[]string{"-sample", "-1"}, "not negative"},
		{[]string{"-budget", "-1s"}, "not negative"},
		{[]string{"minus"}, "there are no arguments"},
	} {
		out, err := runIn(t, dir, c.args...)
		require.ErrorContains(t, err, c.says)
		assert.Empty(t, out)
	}
}

// What was not finished in time is no failure.
func TestBudget(t *testing.T) {
	dir := laboratory(t, module, minus)
	out, err := runIn(t, dir, "-budget", "1ns")
	require.NoError(t, err)
	assert.Contains(t, out, "\n0 of 1 faults planted in ")

	out, err = runIn(t, dir, "-budget", "10m", "-seed", "x")
	require.NoError(t, err)
	assert.Contains(t, out, "seed x: 1 of 1 faults\n")
	assert.Contains(t, out, "\n1 of 1 faults planted in ")
	assert.Contains(t, out, "1 of 1 faults caught")
}

// A fault that is being tried when the time is over is left out, whatever it did.
func TestBudgetEndsWhatRuns(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	f := fault{Name: "x", File: "calc.go", Test: "TestAdd"}
	l := &lab{baselines: map[string]func() *baseline{".": func() *baseline {
		cancel(errBudget)
		return &baseline{what: "killed"}
	}}}
	outcomes, err := tryAll(ctx, l, []fault{f, f}, 1)
	require.NoError(t, err)
	assert.Empty(t, outcomes)
}

func TestStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	limited, end := within(ctx, time.Hour)
	defer end()
	faults := []fault{{Name: "x", File: "calc.go", Test: "TestAdd"}}
	_, err := tryAll(limited, newLab(limited, t.TempDir(), t.TempDir(), faults), faults, 1)
	require.ErrorIs(t, err, context.Canceled)
}
