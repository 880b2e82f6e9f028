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

	// The funcs below bring something about, best not by a command of the desktop, and return
	// when it shows. Nil: not checked.
	//
	// Those that take a window id get that of a window which belongs to no other. One that
	// returns "" because it cannot do it there is called with the next. Of the ids that
	// MoveControl and LargeWindow return, "" is the window that commands act on anyhow; a
	// desktop without a Scope is asked about that window alone.

	// CloseWindow closes the window as a crash of its program does.
	CloseWindow func(d desktop.Desktop, windowID string)
	// OpenDialog opens a modal dialog of the window, with a control or more in it, and
	// returns the dialog's window id.
	OpenDialog func(d desktop.Desktop, windowID string) (dialogID string)
	// OpenSecond opens another window of the same process and returns its id.
	OpenSecond func(d desktop.Desktop, windowID string) (secondID string)
	// MoveControl moves a control within a window that showed before. It returns the ids that
	// both had before.
	MoveControl func(d desktop.Desktop) (windowID, controlID string)
	// LargeWindow opens a window with 2,000 controls or more and returns its id.
	LargeWindow func(d desktop.Desktop) (windowID string)

	// Grace is how long an answer may take where nothing is to be waited for. 0:
	// two minutes, so that a busy machine fails nothing.
	Grace time.Duration
}

// unset returns the option without which a check has nothing to look at; "": there is none, or it
// is set.
func (o *Options) unset(check string) string {
	if o == nil {
		o = &Options{}
	}
	needs := map[string]struct {
		option string
		set    bool
	}{
		"effect": {"Effects", o.Effects != nil},
		"gone":   {"CloseWindow", o.CloseWindow != nil},
		"dialog": {"OpenDialog", o.OpenDialog != nil},
		"second": {"OpenSecond", o.OpenSecond != nil},
		"moves":  {"MoveControl", o.MoveControl != nil},
		"large":  {"LargeWindow", o.LargeWindow != nil},
	}[check]
	if needs.set {
		return ""
	}
	return needs.option
}

// Run checks a desktop, each property in a subtest of its own. newDesktop
// returns another desktop at every call, whose state no other shares; what must
// be ended is ended with t.Cleanup. opts may be nil. See the package comment for
// what is checked. A check whose option is nil is skipped, and says so.
//
// Goroutines are counted: do not run other tests of the package in parallel
// with it.
func Run(t *testing.T, newDesktop func(t testing.TB) desktop.Desktop, opts *Options) {
	t.Helper()
	run(t, newDesktop, opts, func(c check, problems []string) {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			if option := opts.unset(c.name); option != "" {
				t.Skipf("not checked: Options.%s is nil", option) // the desktop may have no such thing; a pass would say that it was tried
			}
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
	{"ids", "a model reads an id in one look and acts on it in the next; if it is another control's by then, that one is clicked", findIDs, false},
	{"gone", "an AppAgent whose window is closed must learn that; else it goes on in another window, or tries the same again and again", findGone, false},
	{"dialog", "an AppAgent that does not see the dialog in front of its window acts on controls that take no input, and does not know what the dialog asks", findDialog, false},
	{"second", "two documents of a program are often two windows of one process; who takes one for the other edits the wrong document", findSecond, false},
	{"moves", "a control that moves while an agent thinks is still the one it means; by an old place or id it would act on something else", findMoved, false},
	{"large", "tables and web pages have thousands of controls; an agent waits for them at every look, and acts on the wrong one where two have one id", findLarge, false},
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
	s := &subject{t: t, newDesktop: newDesktop, grace: 2 * time.Minute}
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
