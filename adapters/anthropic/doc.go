// Package anthropic asks models that are served by the messages protocol of
// Anthropic, on the official SDK (github.com/anthropics/anthropic-sdk-go):
// Anthropic's own, and those of every server that speaks it, such as a gateway.
//
// # A model
//
// [New] makes an llm.Model. With a Config of the model's name alone, the
// environment says where it is and what the key is, ANTHROPIC_BASE_URL and
// ANTHROPIC_API_KEY:
//
//	model, err := anthropic.New(anthropic.Config{Model: "claude-sonnet-4-5"})
//	…
//	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop}})
//
// Another server is a BaseURL, without the /v1 of the protocol's path:
//
//	model, err := anthropic.New(anthropic.Config{Model: "qwen3-vl", BaseURL: "http://127.0.0.1:4000"})
//
// The key of the environment is never sent to a BaseURL of the Config. Of the
// variables that the SDK knows, and of its profiles, nothing else is used.
// HTTP_PROXY, HTTPS_PROXY and NO_PROXY count, as everywhere with http.DefaultClient.
//
// # What it needs, and what it can do
//
//   - It needs a server that speaks the protocol, a model's name and, mostly, a key.
//   - It does nothing to the machine: it starts no program, and opens no file. It makes
//     one HTTP request for each call, and a second one where an output format is
//     refused, to the host of the base URL and to no other: redirects are not
//     followed. Headers of the SDK tell that host the operating system, the
//     architecture and the versions of Go and the SDK.
//   - What is sent is all of a prompt: texts and screenshots of what agents work on. A
//     base URL of http:// sends it, and the key, for everybody on the way to read.
//   - It spends money with each call. Bounds of a Round (MaxTokens, MaxCost) count what
//     the server says it used, and are checked before a call and each attempt to
//     repeat it: the last one may pass them. MaxTokens of a request or the Config bounds a reply.
//     A server that says nothing of what it used is bounded by MaxSteps and MaxDuration
//     only.
//   - What a model answers is data. It does nothing until an agent makes a command of
//     it, which goes through the Policy.
//
// # A request
//
// The texts of all system messages become the system parameter, wherever they
// are. Messages of one role that follow one another are one message, since some
// servers want the roles to alternate. An empty line is between texts of two
// messages, and nothing between those of one, see llm.Message. Text that is only white space is left
// out; the protocol refuses it. A request without a message of the user or the
// assistant is rejected before it is sent. Images are base64 blocks of a user's
// message; the protocol has no place for images of anybody else, and such a
// request is rejected, too, as is what is no image. Which types and sizes of images
// there may be is for the server to say.
//
// Breakpoints of a prompt (llm.Part) become cache_control: the first two and the last one, as
// the protocol allows four, and one is left for the Options. The server then keeps the prompt up to there
// for five minutes. It asks more for what it writes into its cache, and much less for what it reads from it.
// A server that refuses cache_control is asked once more without it, which the model remembers when it
// helps, and Response.Repairs say.
// Prompts of less than about a thousand tokens it does not keep.
//
// The protocol wants a limit for every reply: that of the request, else
// [Config].MaxTokens, else [DefaultMaxTokens]. A reply that reaches it is
// llm.ErrCut. A call lasts an hour at most, which is llm.ErrSlow; mostly the
// context or llm.Timeout says less.
//
// # Structured output
//
// The schema of a reply becomes the output format, to which the server holds the
// model. The protocol takes a part of JSON Schema: every object must be closed,
// everything must have a type, numbers and texts may have no bounds, and there may be no more
// than 24 optional properties and 16 choices. The built-in agents' schemas are closed; those of
// many tools may have more choices. A schema that does
// not fit is written into the system parameter instead, and what the model writes
// is read by llm.Decode, which forgives much and guesses nothing.
//
// A server that refuses the output format is asked once more, with the schema in the system
// parameter. When that succeeds, the model remembers, as long as it lives, and
// writes later schemas into the prompt at once. A server that takes formats, and
// refuses this schema, is asked the same way: of a closed schema (Schema.Strict) it is
// remembered, for that one alone. Response.Repairs say when a schema went as a text.
//
// An answer is a refusal by its status and its words, in JSON or in a short plain text. The status
// is 400, 404, 422 or 501. These words are about
//
//   - a format: output_config, output_format, json_schema, structured output, and strict alone;
//   - this schema: format.schema, invalid schema, schema is too, schemas contain, grammar;
//   - the cache: cache_control, prompt caching;
//   - a choice: tool_choice, forced tool, tool_config, function calling config or mode;
//   - strict tools: strict, schema, grammar, additionalProperties, too complex.
//
// Case does not count, nor do blanks, _ and - between words. Nothing is asked twice after an error
// about the length of a prompt, a rate limit, a quota, a key or a content policy, whatever else it
// mentions. An error that mentions a schema, and was no refusal, names [Config].SchemaInPrompt.
//
// # Tools
//
// The tools of a request are those of the protocol, and tool_choice is any. A server
// that refuses that, as with extended thinking, is asked once more without it, which the
// model remembers when it helps, and Response.Repairs say; one that refuses the tools is llm.ErrRejected, with
// words that say so. Tools with a closed form (Tool.Strict) are sent in it, as strict, where
// all of them are within the protocol's limits: 20 strict tools, 24 optional properties and
// 16 choices. A server that refuses that is asked once more with the open forms, and
// remembered, as with schemas. A name that is not of letters, digits, _ and -, or is longer than
// 64, is written in another way and read back.
//
// The thoughts before calls, with their signatures, are the Reasoning of the response:
// the protocol wants them back with the results.
//
// # A reply
//
// It is the text of all text blocks, with the stop reason and the model's name in
// the server's words. Thoughts are not part of it.
// llm.Complete makes errors of those that are no replies.
//
// Of the field usage these are read:
//
//   - input_tokens, which has no cached tokens, and the next two are together the input;
//   - cache_read_input_tokens and cache_creation_input_tokens are those that came out of a cache and
//     went into one;
//   - output_tokens is the output, thoughts included.
//
// # What a failed call means
//
// The error is that of the context when it is done. Otherwise it is an
// *llm.CallError, so that llm.Retry and llm.Fallback know what to do:
//
//   - a status that is no success is what llm.StatusError says, with Retry-After,
//     except an error about billing, which is llm.ErrRejected, and an overloaded
//     server, which is llm.ErrOverloaded, whatever their statuses are;
//   - a redirect is llm.ErrRejected: it mostly means a wrong base URL;
//   - an error inside of an answer with status 200, as routers send it, counts by
//     its type or code in the same way;
//   - a broken connection, an answer that is no JSON, or one of more than 32 MiB is
//     llm.ErrUnavailable;
//   - a deadline of the HTTP client is llm.ErrSlow;
//   - an answer without content is llm.ErrEmpty;
//   - a refusal whose stop details say why is llm.ErrRefused, with their category and
//     their explanation;
//   - everything else, such as an option that the SDK refuses, has no kind, and is
//     not tried again.
//
// The text has the server's type of error and message, or a short plain text, never a page of
// HTML, and not the message of a 401 or 403. APIKey is taken out of it; a key that is put
// into Options is not known here. A message that quotes the request is left out. A
// Config and a model that are printed do not show the key.
//
// The SDK's own retries are off: they would multiply with those of llm.Retry, and
// nobody could see them. So are its traces, which may have prompts in them.
//
// # Concurrency
//
// A model may be used by any number of goroutines. It keeps nothing of a request.
package anthropic
