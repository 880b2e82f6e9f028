// Package llmtest has models for tests, and a test for models: a script that is
// played, a suite that checks what every [llm.Model] must do, and one for those that
// speak HTTP.
//
// # A script
//
// A conversation is written down as its replies, one for each call:
//
//	model := llmtest.Script(t,
//		`{"Status": "CONTINUE", "Function": "texts"}`,       // as a model writes it
//		map[string]any{"Status": "FINISH", "Result": "42"}, // anything with a JSON form
//		errors.New("connection reset"),                     // a broken transport
//	)
//
// [Reply] has more to say: what the request must look like, the usage, a
// channel to wait for. At the end of the test every reply must have been used.
//
// # What was asked
//
// [Model.Requests] are deep copies of the requests, in order. [Section] decodes
// a section of one:
//
//	request := llmtest.Section[string](t, model.Last(), "request")
//
// # A suite
//
// [Run] checks a model that somebody else wrote, mostly an adapter for a provider.
// The implementer says how to make one whose backend gives a certain answer, with
// an httptest.Server for most of them:
//
//	func TestConforms(t *testing.T) {
//		llmtest.Run(t, llmtest.Backend{
//			Good:        func(t testing.TB) llm.Model { return served(t, 200, `{"choices": …}`) },
//			Slow:        func(t testing.TB) llm.Model { … },
//			RateLimited: func(t testing.TB) llm.Model { return served(t, 429, "slow down") },
//		})
//	}
//
// Each of these is a subtest, and a failure says what is wrong and why it matters.
//
//   - backend, answer: there is a response, or else an error; the text is what the
//     backend said, and a good reply does not count as a bad one. A call that failed may
//     return both, as [llm.Model] says: of that response only what was used counts.
//   - usage: tokens are counted, and never negative.
//   - schema: the reply fits the schema of the request.
//   - images: a request may have them.
//   - calls: a call of a tool is in the response with its arguments, and what came of it
//     can be told.
//   - no messages: a mistake of the caller fails the same way each time, or never.
//   - unchanged, not kept: the request belongs to the caller. It is as it was after the
//     call, and nothing refers to it any more.
//   - own response: each call has a response of its own, which its caller may change.
//   - concurrent: several calls at a time get their answers, and none waits for
//     another.
//   - ended before, ended during: the call returns when its context ends, with the
//     context's error, which is not to be tried again.
//   - goroutines: calls leave none behind, whether they succeed or are cancelled.
//   - rate limited, server error, rejected, unavailable, refusal, empty, cut: the error that
//     [llm.Complete] returns is an [llm.CallError] of that kind, with Status and
//     RetryAfter, is retryable or not as its kind says, and shows neither key nor
//     request nor a page of HTML.
//
// A check whose func is not in the [Backend] is skipped, which go test -v shows. Run
// it with -race too: a model that reads a request later is then found even where it
// forgets it in the end.
//
// Not checked is what only the provider knows: that the schema, the options and the
// roles reach it as they should.
//
// # A suite for HTTP
//
// [RunHTTP] checks an adapter against what goes wrong on the way to its provider. The
// implementer says how to make a model for a URL, and how the provider writes a reply
// and an error; the servers are the suite's:
//
//	func TestHTTP(t *testing.T) {
//		llmtest.RunHTTP(t, llmtest.Protocol{
//			Model:   func(t testing.TB, url string) llm.Model { return acme.New(url, "the-key") },
//			Reply:   func(text string) string { return acmeReply(text) },
//			Failure: func(status int, message string) string { return acmeError(message) },
//			Key:     "the-key",
//		})
//	}
//
// It takes about a second, and asks for nothing but the loopback address. Where a call
// does not return, or leaves its connection open, a check waits for up to half a minute
// before it says so.
//
//   - protocol: the server is asked once, with the prompt and the key, and its reply is
//     the text.
//   - forms: a reply is read also with another media type or none, in pieces,
//     compressed, or between empty lines.
//   - statuses: each status, with a body of the provider's own, a page of HTML, none, half a
//     one or one of somebody else, is what [llm.StatusError] makes of it, without the page.
//   - retry after: RetryAfter is what [llm.RetryAfter] reads, seconds and dates.
//   - once: a call that fails asks once. Trying again is for [llm.Retry], whose attempts
//     are seen and counted.
//   - discreet: an error shows neither the key nor the request, whatever the provider
//     repeats of them.
//   - broken, no reply: connections that break anywhere, and answers of success that are
//     no reply, are [llm.ErrUnavailable] or [llm.ErrEmpty], and half a reply is none.
//   - endless: what is read has a bound, below 128 MiB, and the connection is given back.
//   - slow body: a call ends with its context also where the answer has begun.
//   - redirects: nobody else is asked. A redirect is [llm.ErrRejected], with its status.
package llmtest
