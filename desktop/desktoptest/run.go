package desktoptest

import (
	"fmt"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
)

// Options tell [Run] what it cannot find out about a desktop. The zero value
// leaves out what needs to be told.
type Options struct {
	// Safe is a command that succeeds and changes nothing. Zero: a tool that says
	// it only reads and takes no parameters; without one, that is reported.
	Safe desktop.Command
	// Failing is a command to which its tool says no. Zero: not checked.
	Failing desktop.Command
	// Slow is a command that takes longer than Grace unless its context ends.
	// Zero: that a running command can be cancelled is not checked.
	Slow desktop.Command
	// Effect is a command that changes something, and Effects counts how often it
	// did on that desktop. Nil Effects: not checked.
	Effect  desktop.Command
	Effects func(d desktop.Desktop) int
	// Window is the id of a window to which the desktop can be narrowed, besides
	// those that it lists. "": there is none.
	Window string
	// Grace is how long an answer may take where nothing is to be waited for. 0:
	// 5 seconds.
	Grace time.Duration
}

// Run checks a desktop, each property in a subtest of its own. newDesktop
// returns another desktop at every call, whose state no other shares; what must
// be ended is ended with t.Cleanup. opts may be nil. See the package comment for
// what is checked.
//
// Goroutines are counted: do not run other tests of the package in parallel
// with it.
func Run(t *testing.T, newDesktop func(t testing.TB) desktop.Desktop, opts *Options) {
	t.Helper()
	run(t, newDesktop, opts, func(c check, problems []string) {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			for _, p := range problems {
				t.Error(c.message(p))
			}
		})
	})
}

// check is one property of a desktop.
type check struct {
	name string
	why  string
	find func(*subject) []string // what is wrong, a sentence each
	base bool                    // the checks behind it make no sense when it fails
}

func (c check) message(problem string) string {
	return problem + "\n\twhy it matters: " + c.why
}

var checks = []check{
	{"tools", "an agent checks every command against this list and shows it to the model; what is wrong with it ends every round", findTools, true},
	{"call", "an agent believes a result only when it is one: the status, the call id and the content decide what the model is told", findCall, true},
	{"wellknown", "agents send the well-known commands as desktop.ToolNamed describes them, and policies go by what their tools say of themselves", findWellKnown, false},
	{"failure", "a tool that says no is something that the model reads and works around; an error is a broken transport and ends the round", findFailure, false},
	{"unknown", "a model invents tools; that must not end the round, and must never pass for success", findUnknown, false},
	{"arguments", "what does not fit must be refused by the one who would have to act on it, and must not end the program", findArguments, false},
	{"parameters", "a command is recorded, shown and compared with what was approved after it was executed; who changes it falsifies that", findParameters, false},
	{"results", "a result is kept in a journal and in the agent's memory; one that changes later tells of something that never was", findResults, false},
	{"effect", "an approval is of one execution; a command that works twice, or not at all, is what nobody approved", findEffect, false},
	{"cancel", "a person who stops a run waits for it to stop, and nothing may happen behind their back afterwards", findUncancelled, false},
	{"concurrent", "several agents and sessions use one desktop at the same time", findMixedUp, false},
	{"windows", "a HostAgent chooses an application from this list; an AppAgent is told by it which window it acts on", findWindows, false},
	{"pictures", "a provider refuses the whole prompt because of a picture that cannot be read", findPictures, false},
	{"scope", "an AppAgent relies on it that its commands act in its own window and in no other", findScope, false},
	{"close", "whoever closes a desktop twice, or uses a closed one, must get an answer and not a panic", findClose, false},
	{"goroutines", "a process that runs for weeks ends when every call leaves something behind", findLeaks, false},
}

// subject is what is checked.
type subject struct {
	t          testing.TB
	newDesktop func(testing.TB) desktop.Desktop
	opts       Options
	grace      time.Duration
	safe       desktop.Command // set by findCall
}

// run makes the checks and reports on each.
func run(t testing.TB, newDesktop func(testing.TB) desktop.Desktop, opts *Options, report func(check, []string)) {
	s := &subject{t: t, newDesktop: newDesktop, grace: 5 * time.Second}
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Grace > 0 {
		s.grace = s.opts.Grace
	}
	failed := false
	for _, c := range checks {
		if failed && !c.base {
			return
		}
		problems := guard(func() []string { return c.find(s) })
		failed = failed || c.base && len(problems) > 0
		report(c, problems)
	}
}

// guard turns a panic outside of a call into a problem.
func guard(f func() []string) (problems []string) {
	defer func() {
		if v := recover(); v != nil {
			problems = append(problems, fmt.Sprintf("the code under test panicked: %v", v))
		}
	}()
	return f()
}

// problems collects what a check finds.
type problems []string

func (p *problems) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

// put adds a sentence unless it is empty, and reports whether it did.
func (p *problems) put(problem string) bool {
	if problem != "" {
		*p = append(*p, problem)
	}
	return problem != ""
}
