package runstest

import (
	"context"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/internal/lab/suite"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/runs"
)

// Backend says how to make engines for [RunEngine]. Its funcs are called several times, with the t of a subtest, whose
// Cleanup may close what they opened.
type Backend struct {
	// New returns an engine that knows no run, and whose storage is no other's.
	New func(t testing.TB) runs.Engine
	// Another returns an engine over the storage of one of New, as another process has it. Nil: nobody else can have it.
	Another func(t testing.TB, e runs.Engine) runs.Engine
	// Quiet is how long a check waits for a drive that must not come: longer than the engine takes for one that must.
	// 0 is a second.
	Quiet time.Duration
}

// patience is how long a check may take. It is long, so that a busy machine fails nothing, and is spent only where
// something is broken.
const patience = 2 * time.Minute

// RunEngine checks an engine, each property in a subtest of its own. See the package comment for what is checked.
//
// Goroutines are counted: do not run other tests of the package in parallel with it.
func RunEngine(t *testing.T, b Backend) {
	t.Helper()
	runEngine(b, patience, func(c check, find func(testing.TB) []string) {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			for _, p := range find(t) {
				t.Error(p + "\n\twhy it matters: " + c.why)
			}
		})
	})
}

// check is one property of an engine.
type check struct {
	name    string
	why     string
	find    func(*subject) []string // what is wrong, a sentence each
	another bool                    // it needs Backend.Another
}

func checks() []check {
	return []check{
		{name: "woken", find: findUnwoken,
			why: "a run that is not driven is one that somebody waits for; one that is driven twice costs twice"},
		{name: "woken before", find: findUnwokenBefore,
			why: "runs are started by processes that drive none"},
		{name: "woken meanwhile", find: findUnwokenMeanwhile,
			why: "an answer that comes while the step ends in which it was asked for must not be overlooked"},
		{name: "at a time", find: findUntimely,
			why: "a deadline that passes a day late was none"},
		{name: "woken early", find: findSleeper,
			why: "who answers a question does not wait until its deadline has passed"},
		{name: "ended", find: findUndead,
			why: "an engine that does not forget what has ended is full of it"},
		{name: "cancelled", find: findUncancelled,
			why: "who cancels a run wants nothing of it any more"},
		{name: "cancelled meanwhile", find: findDeaf,
			why: "a model call that nobody wants any more is paid for until it ends"},
		{name: "one at a time", find: findTwoDrives,
			why: "two who drive one run rob each other of it, and pay for each model call again and again"},
		{name: "several at a time", find: findOneByOne,
			why: "a run that waits for its model must not hold up all others"},
		{name: "refused", find: findRefused,
			why: "a process that is being replaced leaves its runs to the next one"},
		{name: "over", find: findUnended,
			why: "a program that ends must not leave anything that goes on without it"},
		{name: "ids", find: findMixed,
			why: "ids come from other systems; a run that is taken for another one is not driven"},
		{name: "waiting", find: findBusy,
			why: "most runs wait for people, for days"},
		{name: "another", find: findForgotten, another: true,
			why: "the process that started a run may have gone when it is to go on"},
	}
}

// runEngine makes the checks: report is called for each.
func runEngine(b Backend, limit time.Duration, report func(check, func(testing.TB) []string)) {
	if b.Quiet <= 0 {
		b.Quiet = time.Second
	}
	for _, c := range checks() {
		if c.another && b.Another == nil && b.New != nil {
			continue
		}
		report(c, func(t testing.TB) []string {
			if b.New == nil {
				return []string{"Backend.New is nil"}
			}
			return suite.Bounded(t.Context(), "runstest", limit, func(ctx context.Context) []string {
				s := &subject{t: t, b: b, ctx: func() context.Context { return ctx }}
				defer s.stopAll()
				return c.find(s)
			})
		})
	}
}

func sound(e runs.Engine, by string) runs.Engine {
	if nilcheck.IsNil(e) {
		panic("Backend." + by + " returned nil")
	}
	return e
}
