package llmtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/llm"
)

// Protocol says how the provider of an adapter is spoken to over HTTP, for [RunHTTP].
// All of it is required.
type Protocol struct {
	// Model makes a model that asks the server at a URL, such as http://127.0.0.1:40001,
	// with Key as its credential, and without a Retry around it. The path is the adapter's.
	Model func(t testing.TB, url string) llm.Model
	// Reply is the body of an answer with status 200 and this text.
	Reply func(text string) string
	// Failure is the body of an error with this status, in the form that the provider has
	// for it, with this message in it and no word that says more than the status does.
	Failure func(status int, message string) string
	// Key is the credential, of four bytes at least: a made-up one, that nothing else
	// in a request has in it.
	Key string
}

// RunHTTP checks an adapter against what goes wrong between it and its provider, each property in a subtest.
// An adapter that speaks HTTP passes [Run], too. The servers are on the loopback address: the model must not use a proxy.
func RunHTTP(t *testing.T, p Protocol) {
	t.Helper()
	runChecks(httpChecks, subject{Backend: Backend{Key: p.Key}, wire: p, patience: patience}, inSubtests(t))
}

const whyBroken = "a broken answer is worth another attempt, and must give neither half a reply nor a text that is none"

var httpChecks = []check{
	{name: "protocol", find: findProtocol, base: true, why: "the checks need an adapter that asks the server it is told to, and understands it"},
	{name: "forms", find: findForms, why: "servers and proxies write the same answer in many ways, and a reply that was paid for should not be lost"},
	{name: "statuses", find: findStatuses, why: whyRetry},
	{name: "retry after", find: findRetryAfter, why: "a program that asks again too early is locked out for longer"},
	{name: "broken", find: findBrokenOff, why: whyBroken},
	{name: "no reply", find: findNoReply, why: whyBroken},
	{name: "endless", find: findUnbounded, why: "a broken server must not fill the memory of a program that runs for months"},
	{name: "slow body", find: findDeafToBody, why: "cancel, and every limit of time, must also end a call whose answer has begun"},
	{name: "redirects", find: findRedirects, why: "another server gets the prompt, and perhaps the credential"},
}

func findProtocol(s *subject) []string {
	switch {
	case s.wire.Model == nil, s.wire.Reply == nil, s.wire.Failure == nil:
		return []string{"a func of the Protocol is nil, and all are required"}
	case len(s.wire.Key) < shortestSecret:
		return []string{fmt.Sprintf("Protocol.Key has fewer than %d bytes: it would be found in every text", shortestSecret)}
	}
	w := s.serve(answering(http.StatusOK, s.wire.Reply(GoodReply)))
	m := s.wire.Model(s.t, w.URL)
	if nilcheck.IsNil(m) {
		return []string{"Protocol.Model returns nil"}
	}
	resp, problem := s.answered(m, question(100))
	switch heard := w.all(); {
	case problem != "":
	case resp.Text != GoodReply:
		problem = "the text is not that of Protocol.Reply: " + short(resp.Text)
	case len(heard) != 1:
		problem = fmt.Sprintf("the server is asked %d times for one reply", len(heard))
	case !strings.Contains(heard[0], marker):
		problem = "the request to the server does not have the text of the question"
	case !strings.Contains(heard[0], s.Key):
		problem = "the request to the server does not have Protocol.Key: is the model made with it?"
	default:
		return nil
	}
	return []string{problem}
}
