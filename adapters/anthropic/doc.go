// Package anthropic asks models that are served by the messages protocol of
// Anthropic, on the official SDK (github.com/anthropics/anthropic-sdk-go):
// Anthropic's own, and those of other servers, such as a gateway.
//
// # A model
//
// [New] makes an llm.Model. A Config with the model's name alone takes
// ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY from the environment:
//
//	model, err := anthropic.New(anthropic.Config{Model: "claude-sonnet-4-5"})
//	…
//	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop}})
//
// Another server is a BaseURL, without the /v1 of the protocol's path:
//
//	model, err := anthropic.New(anthropic.Config{Model: "qwen3-vl", BaseURL: "http://127.0.0.1:4000"})
//
// The key of the environment is never sent to a BaseURL of the Config. The SDK's other
// variables and its profiles are not used. Each call is one HTTP request to the host of the base URL, and one or two more
// if the server refuses a form; redirects are not followed. It carries all of a prompt, texts and
// screenshots. The SDK's own retries are off, llm.Retry makes them; so are its traces.
//
// # A request
//
// The system messages become the system parameter. Messages of one role that follow one another
// are one message, with an empty line between their texts. White space alone is
// left out: the protocol refuses it. Images are base64 blocks of a user's message; images of others, and images that are
// none, are llm.ErrRejected.
//
// Breakpoints of a prompt (llm.Part) become cache_control: the first two and the last one. The server keeps the prompt up to
// there for five minutes. A server that refuses cache_control is asked once more without it, which is remembered.
//
// The protocol wants a limit for every reply: that of the request, else
// [Config].MaxTokens, else [DefaultMaxTokens]. A call lasts an hour at most.
//
// A schema becomes the output format, to which the server holds the model. The protocol takes closed objects with types,
// without bounds, with at most 24 optional properties and 16 choices. A schema that does
// not fit, or that the server refuses, is written into the system parameter instead. What a later
// request proves is remembered as long as the model lives, for one closed schema or for all. Response.Repairs say when a
// schema went as a text.
//
// A refusal has the status 400, 404, 422 or 501 and words about the format, the schema, the cache, the choice or the tools.
// An error about length, rate, quota, key or content is none. An error that
// mentions a schema, and was no refusal, names [Config].SchemaInPrompt.
//
// Tools are those of the protocol, and tool_choice is any; closed forms (Tool.Strict) are sent as strict
// if all of them are within the limits. What the server refuses of that, as with extended
// thinking, is left out once more, and remembered. A name that does not fit the protocol is written in another way and
// read back. The thoughts before calls are the Reasoning of the response: the protocol wants them back.
//
// # A reply
//
// It is the text of all text blocks, with the stop reason and the model's name in
// the server's words. The input counts cached tokens, the output counts thoughts.
//
// # Errors
//
// The error is that of the context if it is done. Otherwise it is an *llm.CallError: by the status
// (llm.StatusError, with Retry-After), also of an error inside of an answer with status 200, except billing
// (llm.ErrRejected) and an overloaded server (llm.ErrOverloaded). A broken connection, an answer that is no JSON, or one of
// more than 32 MiB is llm.ErrUnavailable, a deadline of the HTTP client llm.ErrSlow, an answer
// without content llm.ErrEmpty, a refusal whose stop details say why llm.ErrRefused.
//
// No error shows the APIKey, the message of a 401 or 403, a page of HTML, or a message that quotes the
// request. A key in Options is not known here.
//
// A model may be used by any number of goroutines. It keeps nothing of a request.
package anthropic
