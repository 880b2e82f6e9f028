package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/lab/suite"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
)

// Backend says how to make stores for [Run]. Its funcs are called several times,
// with the t of a subtest, whose Cleanup may close what they opened.
type Backend struct {
	// New returns a store whose storage is empty, and no other's: a folder of
	// t.TempDir, a database of its own.
	New func(t testing.TB) store.Store
	// Reopen returns another store of the storage that a store of New has, as another
	// process would open it. The first one is still in use then. Nil: nothing outlives
	// a store, and what needs this is skipped.
	Reopen func(t testing.TB, s store.Store) store.Store
}

// patience is how long a check may take. It is long, so that a busy machine fails nothing,
// and is spent only where something is broken.
const patience = 2 * time.Minute

// Run checks a store, each property in a subtest of its own. See the package comment
// for what is checked. Run the test with -race as well: what is shared between
// goroutines shows only then.
//
// Goroutines are counted: do not run other tests of the package in parallel with it.
func Run(t *testing.T, b Backend) {
	t.Helper()
	wait := lease
	if testing.Short() {
		wait = shortLease
	}
	runStore(t, b, patience, wait, func(c check, find func(testing.TB) []string) bool {
		return t.Run(c.name, func(t *testing.T) {
			t.Helper()
			if c.reopens && b.Reopen == nil {
				t.Skip("not checked: Backend.Reopen is nil") // a store in memory has no second one; a pass would say that it was tried
			}
			for _, p := range find(t) {
				t.Error(p + "\n\twhy it matters: " + c.why)
			}
		})
	})
}

// check is one property of a store.
type check struct {
	name    string
	why     string
	find    func(*subject) []string // what is wrong, a sentence each
	base    bool                    // the checks behind it make no sense when it fails
	reopens bool                    // it needs Backend.Reopen
	marks   bool                    // it needs a store.Index
}

func checks() []check {
	return []check{
		{name: "empty", find: findFull, base: true,
			why: "whether a run is new is found out by reading it; that is no error, and leaves nothing"},
		{name: "order", find: findDisorder, base: true,
			why: "a run is rebuilt from its records one by one; one that is missing, or out of its place, makes another run of it"},
		{name: "bytes", find: findChanged,
			why: "records have checksums and secrets in them, and are compared to the byte; a store that reads or mends them loses a run"},
		{name: "large", find: findSmall,
			why: "a record may have screenshots in it; where it is refused, or cut, the run cannot go on"},
		{name: "own bytes", find: findShared,
			why: "the caller uses its buffers again, and redacts what it has read; the journal must not change with them"},
		{name: "from", find: findElsewhere,
			why: "who follows a run reads on from the record after the last one it has seen, and must neither miss one nor see one twice"},
		{name: "break off", find: findStuck,
			why: "who has found what they looked for stops reading; a lock or a cursor that stays open stops everybody else"},
		{name: "conflict", find: findConfused,
			why: "of two processes that resume one run, one has to learn that it is too late, before it acts and without leaving a trace"},
		{name: "run ids", find: findMixed,
			why: "ids come from other systems; two runs that become one, or one that is not found again, are lost"},
		{name: "bad run ids", find: findLenient,
			why: "an id that only some stores take cannot move to another one, and one with a zero byte or a line feed deceives who reads a list of them"},
		{name: "context", find: findDeaf,
			why: "a run that was stopped must not write any more, and whoever stopped it does not wait for long"},
		{name: "one wins", find: findTie,
			why: "two workers that both believe that a run is theirs carry out its commands twice"},
		{name: "while writing", find: findHalves,
			why: "a page shows a run while it goes on; half an Append is a state in which the run never was"},
		{name: "reopened", find: findForgotten, reopens: true,
			why: "what Append has returned nil for is what a run is resumed from, by another process"},
		{name: "driven", find: findTwoDrivers,
			why: "two who drive one run rob each other of it for ever, and pay for each model call again and again"},
		{name: "taken over", find: findStubborn,
			why: "a process that hangs keeps its runs; who takes one over must have it to itself, and the other one must learn of it"},
		{name: "one drives", find: findManyDrivers,
			why: "two requests that arrive at once are the common case"},
		{name: "kept", find: findForgottenDriver,
			why: "a model call takes minutes; who drives a run has it meanwhile"},
		{name: "bad drives", find: findCareless,
			why: "an id that only some stores take cannot move to another one, and a program that ends begins nothing"},
		{name: "marks", find: findUnmarked, marks: true,
			why: "a page of runs and each answer go by the mark; one that is not that of the last record shows a run that is over"},
		{name: "late marks", find: findMarkedTooLate, marks: true,
			why: "who is too late knows less of the run than its mark does"},
		{name: "queries", find: findMisfiled, marks: true,
			why: "a run that is not found is never driven again, and one that is found too early is driven for nothing"},
		{name: "used while listed", find: findStuckMarks, marks: true,
			why: "who lists what is ready drives it meanwhile; a lock or a cursor that stays open stops everybody else"},
		{name: "one marks", find: findTornMarks, marks: true,
			why: "the mark of one process with the records of another one is that of no run"},
		{name: "deleted", find: findRemains,
			why: "documents and secrets that somebody has to delete must be gone, and what has the id later must not be taken for it"},
		{name: "not deleted", find: findRobbed,
			why: "who drives a run acts for it, and must not find, once it has acted, that the run has gone"},
		{name: "deleted while read", find: findMixture,
			why: "a page that shows half of one run and half of another, or says that a disk is broken, misleads people"},
		{name: "deleted while written", find: findRevived,
			why: "an answer that comes at the same moment must not bring back a run that was deleted"},
		{name: "bad deletes", find: findHasty,
			why: "an id that only some stores take cannot move to another one, and a program that ends begins nothing"},
		{name: "goroutines", find: findLeaks,
			why: "what a call leaves behind is there for every step of a program that runs for months"},
	}
}

// shortLease is what a short test waits in place of lease: it finds no lease that runs out.
const shortLease = 10 * time.Millisecond

// runStore makes the checks: report is called for each, and says whether it passed.
func runStore(t testing.TB, b Backend, limit, lease time.Duration, report func(check, func(testing.TB) []string) bool) {
	indexed := false
	if b.New != nil {
		_, indexed = b.New(t).(store.Index)
	}
	for _, c := range checks() {
		if c.marks && !indexed {
			continue
		}
		passed := report(c, func(t testing.TB) []string {
			if b.New == nil {
				return []string{"Backend.New is nil"}
			}
			return bounded(t, limit, func(s *subject) []string { s.b, s.lease = b, lease; return c.find(s) })
		})
		if c.base && !passed {
			return
		}
	}
}

// subject is what is checked.
type subject struct {
	t   testing.TB
	b   Backend
	ctx func() context.Context // one that ends when the check has taken too long

	lease time.Duration // how long the check of a hold that lasts has it
}

// bounded calls f, as [suite.Bounded] does.
func bounded(t testing.TB, limit time.Duration, f func(*subject) []string) []string {
	return suite.Bounded(t.Context(), "storetest", limit, func(ctx context.Context) []string {
		return f(&subject{t: t, ctx: func() context.Context { return ctx }})
	})
}

// open makes an empty store.
func (s *subject) open() store.Store {
	return sound(s.b.New(s.t), "New")
}

// reopen makes another store of the same storage, or returns the same store.
func (s *subject) reopen(st store.Store) store.Store {
	if s.b.Reopen == nil {
		return st
	}
	return sound(s.b.Reopen(s.t, st), "Reopen")
}

func sound(st store.Store, by string) store.Store {
	if nilcheck.IsNil(st) {
		panic("Backend." + by + " returned nil")
	}
	return st
}
