package desktoptest

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
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

// Run checks a desktop, each property in a subtest of its own. newDesktop
// returns another desktop at every call, whose state no other shares; what must
// be ended is ended with t.Cleanup. opts may be nil. See the package comment for
// what is checked. A check whose option is nil is skipped, and says so.
//
// Goroutines are counted: do not run other tests of the package in parallel
// with it.
func Run(t *testing.T, newDesktop func(t testing.TB) desktop.Desktop, opts *Options) {
	t.Helper()
	if opts == nil {
		opts = &Options{}
	}
	run(t, newDesktop, opts, func(c check, problems []string) {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			if c.lacks(opts) {
				t.Skipf("not checked: Options.%s is nil", c.option) // the desktop may have no such thing; a pass would say that it was tried
			}
			for _, p := range problems {
				t.Errorf("%s\n\twhy it matters: %s", p, c.why)
			}
		})
	})
}

// check is one property of a desktop.
type check struct {
	name   string
	option string // without which there is nothing to look at; "": none
	base   bool   // the checks behind it make no sense when it fails
	find   func(s *subject)
	why    string
}

func (c check) lacks(opts *Options) bool {
	return c.option != "" && reflect.ValueOf(opts).Elem().FieldByName(c.option).IsZero()
}

var checks = []check{
	{"tools", "", true, on(findTools), "an agent checks every command against this list and shows it to the model; what is wrong with it ends every round"},
	{"call", "", true, on(findCall), "an agent believes a result only when it is one: the status, the call id and the content decide what the model is told"},
	{"wellknown", "", false, on(findWellKnown), "agents send the well-known commands as desktop.ToolNamed describes them, and policies go by what their tools say of themselves"},
	{"failure", "", false, on(findFailure), "a tool that says no is something that the model reads and works around; an error is a broken transport and ends the round"},
	{"unknown", "", false, on(findUnknown), "a model invents tools; that must not end the round, and must never pass for success"},
	{"arguments", "", false, on(findArguments), "what does not fit must be refused by the one who would have to act on it, and must not end the program"},
	{"parameters", "", false, on(findParameters), "a command is recorded, shown and compared with what was approved after it was executed; who changes it falsifies that"},
	{"results", "", false, on(findResults), "a result is kept in a journal and in the agent's memory; one that changes later tells of something that never was"},
	{"effect", "Effects", false, on(findEffect), "an approval is of one execution; a command that works twice, or not at all, is what nobody approved"},
	{"cancel", "", false, on(findUncancelled), "a person who stops a run waits for it to stop, and nothing may happen behind their back afterwards"},
	{"concurrent", "", false, on(findMixedUp), "several agents and sessions use one desktop at the same time"},
	{"close", "", false, on(findClose), "whoever closes a desktop twice, or uses a closed one, must get an answer and not a panic"},
	{"goroutines", "", false, findLeaks, "a process that runs for weeks ends when every call leaves something behind"},
	{"windows", "", true, on(findWindows), "a HostAgent chooses an application from this list; an AppAgent is told by it which window it acts on"},
	{"scope", "", true, on(findScope), "an AppAgent relies on it that its commands act in its own window and in no other"},
	{"pictures", "", false, on(findPictures), "a provider refuses the whole prompt because of a picture that cannot be read"},
	{"ids", "", false, on(findIDs), "a model reads an id in one look and acts on it in the next; if it is another control's by then, that one is clicked"},
	{"gone", "CloseWindow", false, findGone, "an AppAgent whose window is closed must learn that; else it goes on in another window, or tries the same again and again"},
	{"dialog", "OpenDialog", false, on(findDialog), "an AppAgent that does not see the dialog in front of its window acts on controls that take no input, and does not know what the dialog asks"},
	{"second", "OpenSecond", false, on(findSecond), "two documents of a program are often two windows of one process; who takes one for the other edits the wrong document"},
	{"moves", "MoveControl", false, on(findMoved), "a control that moves while an agent thinks is still the one it means; by an old place or id it would act on something else"},
	{"large", "LargeWindow", false, on(findLarge), "tables and web pages have thousands of controls; an agent waits for them at every look, and acts on the wrong one where two have one id"},
}

// on is a check of one desktop.
func on(find func(s *subject, d desktop.Desktop)) func(s *subject) {
	return func(s *subject) { s.with(func(d desktop.Desktop) { find(s, d) }) }
}

// run makes the checks and reports on each.
func run(t testing.TB, newDesktop func(testing.TB) desktop.Desktop, opts *Options, report func(c check, problems []string)) {
	s := &subject{t: t, newDesktop: newDesktop, opts: *opts, grace: 2 * time.Minute}
	if opts.Grace > 0 {
		s.grace = opts.Grace
	}
	for _, c := range checks {
		s.problems = nil
		if !c.lacks(opts) {
			s.attempt(func() { c.find(s) })
		}
		report(c, s.problems)
		if c.base && len(s.problems) > 0 {
			return
		}
	}
}

// subject is what is checked.
type subject struct {
	t          testing.TB
	newDesktop func(testing.TB) desktop.Desktop
	opts       Options
	grace      time.Duration
	safe       desktop.Command // set by findCall

	mu       sync.Mutex
	problems []string // of this check
	when     string   // begins each problem
}

func (s *subject) add(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.when + fmt.Sprintf(format, args...); !slices.Contains(s.problems, p) {
		s.problems = append(s.problems, p)
	}
}

// stop adds a problem and ends the check.
func (s *subject) stop(format string, args ...any) {
	s.add(format, args...)
	panic(stopped{})
}

// stopped is the panic of [subject.stop].
type stopped struct{}

// attempt calls f until it stops. Another panic is a problem.
func (s *subject) attempt(f func()) {
	defer func() {
		switch v := recover().(type) {
		case nil, stopped:
		default:
			s.add("the code under test panicked: %v", v)
		}
	}()
	f()
}

// during calls f. What is wrong in it begins with these words.
func (s *subject) during(f func(), format string, args ...any) {
	defer func(when string) { s.when = when }(s.when)
	s.when += fmt.Sprintf(format, args...)
	f()
}
