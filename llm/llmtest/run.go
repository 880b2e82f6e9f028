package llmtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/llm"
)

// GoodReply is what a model of [Backend.Good] answers when its backend can be
// told what to say: JSON that fits the schema of every request that has one.
const GoodReply = `{"Answer": "` + told + ` \"42\" <&> é\n", "Count": 42, "Tags": ["a", "b"]}`

// told is how a text of a backend that was told what to say is known.
const told = "as told:"

// retryAfter is how long the backend of [Backend.RateLimited] asks to wait.
const retryAfter = 7 * time.Second

// Backend says how to make models for [Run]. Each func returns a model whose
// backend gives one certain answer to every call: mostly an adapter that talks to
// an httptest.Server. It is called several times, with the t of the subtest, whose
// Cleanup may close what it opened. The first two are required; a check without its
// func is skipped, and says so.
type Backend struct {
	// Good answers with GoodReply, or as it likes in the schema that is asked for.
	Good func(t testing.TB) llm.Model
	// Slow never answers. An httptest handler must read the request's body first, or it is
	// never told that the client left, and closing the server waits for it in vain:
	//
	//	_, _ = io.Copy(io.Discard, r.Body)
	//	<-r.Context().Done()
	Slow func(t testing.TB) llm.Model

	Calls       func(t testing.TB) llm.Model // a call of the tool "answer", with GoodReply as its arguments
	RateLimited func(t testing.TB) llm.Model // 429 and "Retry-After: 7"
	ServerError func(t testing.TB) llm.Model // any 5xx
	Rejected    func(t testing.TB) llm.Model // 400 or 401, best with ErrorMessage(Key) as the message
	Unavailable func(t testing.TB) llm.Model // no connection, or one that breaks off
	Refusal     func(t testing.TB) llm.Model // the model or its filter declines
	Empty       func(t testing.TB) llm.Model // success, without a text
	Cut         func(t testing.TB) llm.Model // stopped by the length limit, in the middle of a text

	Key      string // the credential that the models are made with, of four bytes at least: no error may show it
	NoImages bool   // the model takes no images
}

// ErrorMessage is an unkind error message for [Backend.Rejected]: 64 KiB, in
// several lines, with the key in it.
func ErrorMessage(key string) string {
	const more = "You can find your key in the settings of your account.\n"
	return fmt.Sprintf("Incorrect API key provided: %s.\n", key) + strings.Repeat(more, (64<<10)/len(more))
}

// shortestSecret is the length of a key that a text without it does not have by chance.
const shortestSecret = 4

// patience is how long a call may take that should be over. It is long, so that
// a busy machine fails nothing, and is spent only where something is broken.
const patience = 2 * time.Minute

// tidying is how long the Cleanup funcs of a Backend may take.
const tidying = 2 * time.Minute

// adviceTidy is what a test dies of whose Cleanup does not return: nothing else ends one
// before go test gives up, ten minutes later, and says no more than where it waited.
const adviceTidy = "llmtest: a Cleanup of the Backend did not return within %v: " +
	"does a handler of an httptest.Server wait for <-r.Context().Done() before it has read the request's body? " +
	"Until then it is not told that the client left, and Server.Close waits for it"

// Run checks a model, each property in a subtest of its own. See the package
// comment for what is checked. Run the test with -race as well: some of what a
// model must not do shows only then.
func Run(t *testing.T, b Backend) {
	t.Helper()
	run(b, patience, inSubtests(t, b))
}

// inSubtests makes each check in a subtest.
func inSubtests(t *testing.T, b Backend) func(check, func(testing.TB) []string) bool {
	t.Helper()
	return func(c check, find func(testing.TB) []string) bool {
		return t.Run(c.name, func(t *testing.T) {
			t.Helper()
			if c.missing(b) {
				t.Skipf("not checked: Backend.%s", c.part)
			}
			defer watchCleanups(t, tidying, func() { panic(fmt.Sprintf(adviceTidy, tidying)) })()
			for _, p := range find(t) {
				t.Error(c.message(p))
			}
		})
	}
}

// watchCleanups calls late when the Cleanups that are registered between its own call
// and that of the func it returns do not return in time. The last one registered is the
// first to run.
func watchCleanups(t testing.TB, limit time.Duration, late func()) (end func()) {
	var timer *time.Timer
	t.Cleanup(func() { timer.Stop() })
	return func() {
		t.Cleanup(func() { timer = time.AfterFunc(limit, late) })
	}
}

// check is one property of a model.
type check struct {
	name string
	why  string
	find func(*subject) []string // what is wrong, a sentence each
	base bool                    // the checks behind it make no sense when it fails
	part string                  // what of the Backend it needs besides Good and Slow
}

// message says why a problem matters, if the problem does not have its own reason.
func (c check) message(problem string) string {
	if strings.Contains(problem, whyItMatters) {
		return problem
	}
	return problem + whyItMatters + c.why
}

const whyItMatters = "\n\twhy it matters: "

// missing reports whether the check cannot be made.
func (c check) missing(b Backend) bool {
	switch c.part {
	case partImages:
		return b.NoImages
	case partCalls:
		return b.Calls == nil
	}
	for _, f := range failures {
		if c.part == f.part {
			return f.model(b) == nil
		}
	}
	return false
}

const partImages = "NoImages"

func checks() []check {
	list := []check{
		{name: "backend", find: findBackend, base: true,
			why: "the checks need a model that answers and one that does not"},
		{name: "answer", find: findAnswer, base: true,
			why: "an agent uses the response when there is no error, and nothing of it otherwise; one that is not there is a crash"},
		{name: "usage", find: findUsage,
			why: "a Round counts tokens and cost from it; a call that costs nothing is never stopped by a budget"},
		{name: "schema", find: findSchema,
			why: "an agent asks in vain, again and again, when the reply cannot be decoded into what it asked for"},
		{name: "images", find: findImages, part: partImages,
			why: "an agent sends screenshots; a model that fails on them works in tests only"},
		{name: "calls", find: findCalls, part: partCalls,
			why: "an agent acts by them, and tells the model what was wrong; a provider refuses a call without its result"},
		{name: "no messages", find: findNoMessages,
			why: "a mistake in a program must fail the same way every time, and must not be tried again"},
		{name: "unchanged", find: findChanged,
			why: "the caller sends the same request again, to this model after an error or to another one"},
		{name: "not kept", find: findKept,
			why: "the caller changes the request for its next call; whoever still has it reads while it is written"},
		{name: "own response", find: findShared,
			why: "the caller may change a response, and adds up its usage; with one that others have too, a run reads or pays for what is not its own"},
		{name: "concurrent", find: findSerial,
			why: "one model serves many runs; they must not wait for each other, nor get what another asked for"},
		{name: "ended before", find: findDeafBefore,
			why: "a run that was stopped must not pay for another call"},
		{name: "ended during", find: findDeafDuring,
			why: "cancel, and every limit of time, works only as fast as the model returns"},
		{name: "goroutines", find: findLeaks,
			why: "what a call leaves behind is there for every call of a program that runs for months"},
	}
	for _, f := range failures {
		list = append(list, check{name: f.name, part: f.part, why: f.why, find: f.find})
	}
	return list
}

// subject is what is checked, in one check.
type subject struct {
	Backend
	wire     Protocol // of RunHTTP
	t        testing.TB
	patience time.Duration
}

// run makes the checks. Each is made inside report, which has the test it
// belongs to.
func run(b Backend, patience time.Duration, report func(check, func(testing.TB) []string) bool) {
	runChecks(checks(), subject{Backend: b, patience: patience}, report)
}

func runChecks(list []check, of subject, report func(check, func(testing.TB) []string) bool) {
	for _, c := range list {
		ok := report(c, func(t testing.TB) []string {
			t.Helper()
			s := of
			s.t = t
			return s.guard(c.find)
		})
		if !ok && c.base {
			return
		}
	}
}

// guard makes a panic of a constructor a finding.
func (s *subject) guard(find func(*subject) []string) (problems []string) {
	s.t.Helper()
	defer func() {
		if v := recover(); v != nil {
			of := "Backend"
			if s.wire.Model != nil {
				of = "Protocol"
			}
			problems = append(problems, fmt.Sprintf("a func of the %s panics: %v", of, v))
		}
	}()
	return find(s)
}

func findBackend(s *subject) (problems []string) {
	for _, f := range []struct {
		name     string
		newModel func(testing.TB) llm.Model
	}{{"Good", s.Good}, {"Slow", s.Slow}} {
		switch {
		case f.newModel == nil:
			problems = append(problems, "Backend."+f.name+" is nil, and is required")
		case nilcheck.IsNil(f.newModel(s.t)):
			problems = append(problems, "Backend."+f.name+" returns nil")
		}
	}
	if s.Key != "" && len(s.Key) < shortestSecret {
		problems = append(problems, fmt.Sprintf("Backend.Key has fewer than %d bytes: it would be found in every text", shortestSecret))
	}
	return problems
}
