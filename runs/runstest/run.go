package runstest

import (
	"cmp"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/runs"
)

// Backend makes the engines that [RunEngine] tests. Its funcs get the t of a subtest. Its Cleanup may close what they
// open.
type Backend struct {
	// New returns an engine that knows no run and has a storage of its own.
	New func(t testing.TB) runs.Engine
	// Another returns another engine of the storage of e, as another process has it. Nil: there is none.
	Another func(t testing.TB, e runs.Engine) runs.Engine
	// Quiet is how long a check waits for a drive that must not come: longer than the engine takes for one that must.
	// 0 is a second.
	Quiet time.Duration

	patience time.Duration // how long a check waits for a drive that must come; 0: long enough for a busy machine
}

// check is a subtest.
type check struct {
	name string
	test func(s *subject)
}

var checks = []check{
	{"woken", testWoken},
	{"woken meanwhile", testWokenMeanwhile},
	{"at a time", testAtATime},
	{"ended", testEnded},
	{"cancelled", testCancelled},
	{"one at a time", testOneAtATime},
	{"several at a time", testSeveralAtATime},
	{"over", testOver},
	{"ids", testIDs},
	{"waiting", testWaiting},
	{"another", testAnother},
}

// RunEngine tests an engine. The package comment lists its subtests. They count goroutines: do not run other tests in
// parallel.
func RunEngine(t *testing.T, b Backend) {
	t.Helper()
	for _, c := range checks {
		if c.name != "another" || b.Another != nil {
			t.Run(c.name, func(t *testing.T) { b.check(t, c.test) })
		}
	}
}

// check makes one check.
func (b Backend) check(t testing.TB, test func(*subject)) {
	b.Quiet = cmp.Or(b.Quiet, time.Second)
	b.patience = cmp.Or(b.patience, 2*time.Minute)
	test(&subject{TB: t, b: b, changed: make(chan struct{}), began: map[string][]time.Time{}, ended: map[string][]time.Time{}})
}
