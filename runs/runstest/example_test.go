package runstest_test

import (
	"testing"

	"github.com/agentfsm/agentfsm/runs"
	"github.com/agentfsm/agentfsm/runs/runstest"
)

// An engine is done when the suite passes: in a test, t is its own.
func ExampleRunEngine() {
	var t *testing.T
	var newEngine func(database string) runs.Engine // of the package under test

	databases := map[runs.Engine]string{}
	runstest.RunEngine(t, runstest.Backend{
		New: func(t testing.TB) runs.Engine {
			dir := t.TempDir()
			e := newEngine(dir)
			databases[e] = dir
			return e
		},
		Another: func(_ testing.TB, e runs.Engine) runs.Engine { return newEngine(databases[e]) },
	})
}
