// Package llmtest has a model for tests: it plays a script, records what it is
// asked, and fails the test when it is asked too often or too seldom.
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
package llmtest
