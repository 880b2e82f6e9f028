// Package chatserver serves a func as a model, over the chat completions protocol of OpenAI, on
// loopback: the models of rules that the examples ask when they are not told of another.
//
//	s, err := chatserver.Start(chatserver.Options{Name: "rules", Decide: decide})
//	...
//	defer s.Close()
//	model, err := openai.New(openai.Config{Model: "rules", BaseURL: s.URL(), APIKey: s.Key()})
//
// It serves POST /v1/chat/completions and GET /v1/models, with the API key of [Server.Key].
// Requests are checked as OpenAI's own service checks them, unknown members included,
// and errors have its form. A reply fits the JSON Schema of the request, which is
// checked before it is sent. Streams, several choices, tools and strict schemas there are none,
// and the error says so. Usage is counted at four bytes a token.
package chatserver
