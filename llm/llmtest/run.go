package llmtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/llm"
)

// GoodReply is what a model of [Backend.Good] answers if its backend can be
// told what to say: JSON that fits the schema of every request that has one.
const GoodReply = `{"Answer": "` + told + ` \"42\" <&> é\n", "Count": 42, "Tags": ["a", "b"]}`

// told marks the text of a backend that was told what to say.
const told = "as told:"

// retryAfter is how long the backend of [Backend.RateLimited] asks to wait.
const retryAfter = 7 * time.Second

// Backend says how to make models for [Run]. Each func returns a model whose
// backend gives one certain answer to every call: mostly an adapter that talks to
// an httptest.Server. It is called several times, with the t of the subtest. Good and Slow are required; a check
// without its func is skipped.
type Backend struct {
	// Good answers with GoodReply, or as it likes in the schema that is asked for.
	Good func(t testing.TB) llm.Model
	// Slow never answers. An httptest handler must read the request's body first, or it does not
	// learn that the client left, and Server.Close never returns:
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

	Key string // the credential of the models, of four bytes at least: no error may show it
}

// ErrorMessage is an unkind error message for [Backend.Rejected]: 64 KiB, in
// several lines, with the key in it.
func ErrorMessage(key string) string {
	const more = "You can find your key in the settings of your account.\n"
	return fmt.Sprintf("Incorrect API key provided: %s.\n", key) + strings.Repeat(more, (64<<10)/len(more))
}

// shortestSecret is the shortest key that a text does not contain by chance.
const shortestSecret = 4

// patience limits a wait for what should come at once. It is long, so that a busy machine fails nothing.
const patience = 2 * time.Minute

// Run checks a model, each property in a subtest.
func Run(t *testing.T, b Backend) {
	t.Helper()
	runChecks(checks(b), subject{Backend: b, patience: patience}, inSubtests(t))
}

type reporter func(check, func(testing.TB) []string) (ok bool)

func inSubtests(t *testing.T) reporter {
	t.Helper()
	return func(c check, find func(testing.TB) []string) bool {
		return t.Run(c.name, func(t *testing.T) {
			t.Helper()
			if c.skip {
				t.Skip("the Backend has no func for it") // funcs are optional: not every backend can make such an answer
			}
			for _, p := range find(t) {
				t.Error(c.message(p))
			}
		})
	}
}

// check is one property of a model.
type check struct {
	name string
	why  string
	find func(*subject) []string // a sentence for each problem
	base bool                    // if it fails, the others do not run
	skip bool
}

const whyItMatters = "\n\twhy it matters: "

func (c check) message(problem string) string { return problem + whyItMatters + c.why }

func checks(b Backend) []check {
	list := []check{
		{name: "backend", find: findBackend, base: true, why: "the suite needs models to check"},
		{name: "answer", find: findAnswer, base: true, why: "agents need the text as the backend wrote it, in the schema that they asked for, also for screenshots"},
		{name: "usage", find: findUsage, why: "budgets of a run count tokens; what is not counted is spent without a bound"},
		{name: "calls", find: findCalls, skip: b.Calls == nil, why: "an agent acts by calls, and tells the model their results; a provider refuses a call without its result"},
		{name: "no messages", find: findNoMessages, why: "a mistake in a program must not be tried again"},
		{name: "not kept", find: findKept, why: "the caller changes the request for its next call, while the model may still read it"},
		{name: "own response", find: findShared, why: "the caller may change a response and adds up its usage: a shared one mixes two runs"},
		{name: "concurrent", find: findSerial, why: "one model serves many runs; they must not wait for each other"},
		{name: "ended before", find: findDeafBefore, why: "a run that was stopped must not pay for another call"},
		{name: "ended during", find: findDeafDuring, why: "cancel, and every limit of time, works only as fast as the model returns"},
		{name: "goroutines", find: findLeaks, why: "a program that runs for months collects what each call leaves behind"},
	}
	for _, f := range failures(b) {
		list = append(list, check{name: f.name, why: f.why, find: f.find, skip: f.model == nil})
	}
	return list
}

// subject is what one check looks at.
type subject struct {
	Backend
	wire     Protocol // of RunHTTP
	t        testing.TB
	patience time.Duration
}

func runChecks(list []check, of subject, report reporter) {
	for _, c := range list {
		ok := report(c, func(t testing.TB) (problems []string) {
			t.Helper()
			defer func() {
				if v := recover(); v != nil {
					problems = append(problems, fmt.Sprintf("a func of the implementer panics: %v", v))
				}
			}()
			s := of
			s.t = t
			return c.find(&s)
		})
		if !ok && c.base {
			return
		}
	}
}

func findBackend(s *subject) []string {
	switch {
	case s.Good == nil || s.Slow == nil:
		return []string{"Backend.Good or Backend.Slow is nil, and both are required"}
	case nilcheck.IsNil(s.Good(s.t)) || nilcheck.IsNil(s.Slow(s.t)):
		return []string{"Backend.Good or Backend.Slow returns nil"}
	case s.Key != "" && len(s.Key) < shortestSecret:
		return []string{fmt.Sprintf("Backend.Key has fewer than %d bytes: it would be found in every text", shortestSecret)}
	}
	return nil
}
