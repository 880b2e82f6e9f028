package realpartstest

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// Need says that the test, or the benchmark, needs parts. All funcs of this package that
// start one or look for one say so, too; a test with work to do before that says it first.
// In `go test -short` the test is skipped. A name that begins neither with TestReal nor
// with BenchmarkReal makes it fail, because `make e2e` runs the tests of that name.
func Need(t testing.TB) {
	t.Helper()
	top, _, _ := strings.Cut(t.Name(), "/")
	if !strings.HasPrefix(top, "TestReal") && !strings.HasPrefix(top, "BenchmarkReal") {
		t.Fatalf("%s needs programs of others, so that its name has to begin with TestReal or BenchmarkReal", top)
	}
	if testing.Short() { // in CI make e2e runs it, and missing fails there
		t.Skip("needs programs of others, which -short leaves out: make e2e installs them and runs this test")
	}
}

// Desktop says that a test needs what `install.sh desktop` installs. Lacks says what is not
// there and is nil if all is: headless.Missing of adapters/linuxdesktop returns it.
func Desktop(t testing.TB, lacks error) {
	t.Helper()
	Need(t)
	if lacks != nil {
		missing(t, "%v: %s desktop", lacks, advice)
	}
}

// Runs is how often a test does what takes long: all times, or as often as AGENTFSM_RUNS says if that is less.
func Runs(all int) int {
	if n, err := strconv.Atoi(os.Getenv("AGENTFSM_RUNS")); err == nil && n > 0 {
		return min(n, all)
	}
	return all
}

// missing ends a test whose part is not there. Continuous integration must not pass
// without it; somebody's own machine may.
func missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf("NOT TESTED: "+format, args...)
}
