// Package llmtest has a scripted model for tests of agents, and two test suites for models.
//
// # A script
//
// A script is the list of replies, one for each call:
//
//	model := llmtest.Script(t,
//		`{"Status": "CONTINUE", "Function": "texts"}`,       // as a model writes it
//		map[string]any{"Status": "FINISH", "Result": "42"}, // anything with a JSON form
//		errors.New("connection reset"),                     // a broken transport
//	)
//
// The test fails if a reply is missing or left over. [Model.Requests] returns copies of the
// requests, in order. [Section] decodes a section of one:
//
//	request := llmtest.Section[string](t, model.Last(), "request")
//
// # Suites
//
// [Run] checks a [llm.Model], mostly an adapter for a provider. The implementer makes models whose
// backend gives a certain answer, mostly with an httptest.Server:
//
//	llmtest.Run(t, llmtest.Backend{
//		Good:        func(t testing.TB) llm.Model { return served(t, 200, `{"choices": …}`) },
//		Slow:        func(t testing.TB) llm.Model { … },
//		RateLimited: func(t testing.TB) llm.Model { return served(t, 429, "slow down") },
//	})
//
// [RunHTTP] checks how an adapter takes what goes wrong on the way to its provider. It has
// its own servers; the implementer says how the provider writes replies and errors:
//
//	llmtest.RunHTTP(t, llmtest.Protocol{
//		Model:   func(t testing.TB, url string) llm.Model { return acme.New(url, "the-key") },
//		Reply:   func(text string) string { return acmeReply(text) },
//		Failure: func(status int, message string) string { return acmeError(message) },
//		Key:     "the-key",
//	})
//
// Each check is a subtest. A failure says what is wrong and why it matters. A check without its func in the [Backend]
// is skipped. Run the suites with -race, too: it finds a model that reads a request after its call.
//
// The suites do not check what only the provider knows: that the schema, the options and the roles arrive.
package llmtest
