// Package openai asks models that are served by the chat completions protocol of
// OpenAI, on the official SDK (github.com/openai/openai-go/v3): OpenAI's own, and
// those of every server that speaks it, such as vLLM, llama.cpp, Ollama, LM Studio,
// or a gateway.
//
// # A model
//
// [New] makes an llm.Model. With a Config of the model's name alone, the
// environment says where it is and what the key is, OPENAI_BASE_URL and
// OPENAI_API_KEY:
//
//	model, err := openai.New(openai.Config{Model: "gpt-5-mini"})
//	…
//	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop}})
//
// A server on this machine is a BaseURL, and mostly wants no key:
//
//	model, err := openai.New(openai.Config{Model: "qwen3-vl", BaseURL: "http://127.0.0.1:11434/v1"})
//
// The key of the environment is never sent to a BaseURL of the Config. Of the
// variables that the SDK knows, no other is read. HTTP_PROXY, HTTPS_PROXY and
// NO_PROXY count, as everywhere with http.DefaultClient.
//
// # What it needs, and what it can do
//
//   - It needs a server that speaks the protocol, a model's name and, mostly, a key.
//   - It does nothing to the machine: it starts no program, and opens no file. It makes
//     one HTTP request for each call, and one or two more where a response format is
//     refused, to the host of the base URL and to no other: redirects are not
//     followed. Headers of the SDK tell that host the operating system, the
//     architecture and the versions of Go and the SDK.
//   - What is sent is all of a prompt: texts and screenshots of what agents work on. A
//     base URL of http:// sends it, and the key, for everybody on the way to read.
//   - It spends money with each call. Bounds of a Round (MaxTokens, MaxCost) count what
//     the server says it used, and are checked before a call and each attempt to
//     repeat it: the last one may pass them. Request.MaxTokens bounds a reply. A server that says
//     nothing of what it used is bounded by MaxSteps and MaxDuration only.
//   - What a model answers is data. It does nothing until an agent makes a command of
//     it, which goes through the Policy.
//
// # A request
//
// The texts of a message are joined as they stand, see llm.Message: every server
// understands one text. A user's message with images is a list of parts, the
// images as data URLs in it; the protocol has no place for images of anybody
// else, and such a request is rejected before it is sent, as is what is no image.
// Which types and sizes of images there may be is for the server to say. MaxTokens is
// max_completion_tokens, or max_tokens with [Config].OldMaxTokens: servers that do not
// know the new name may ignore it, without a word, and then a reply has no limit. A
// Temperature is sent as it is; models that reason mostly refuse one, which is
// llm.ErrRejected.
//
// # Structured output
//
// The schema of a reply becomes a response format of the type json_schema. A closed one
// (Schema.Strict), as the built-in agents have it, is sent as strict: the server holds the
// model to it. An open one is sent as not strict: a model is shown it and may stray from it.
// What it writes is read by llm.Decode, which forgives much and guesses nothing. Many servers
// hold every reply to the schema, strict or not.
//
// A server that refuses the form is asked once more in the next one: strict, then without that
// word, then with the schema written into the system message. When that succeeds, the model
// remembers, as long as it lives, and begins there. A server that takes schemas, and refuses this
// one, is asked the same way: of a closed schema it is remembered, for that one alone. What its
// model made of a schema is not remembered. Response.Repairs say in which form a schema went.
//
// An answer is a refusal by its status and its words, in JSON or in a short plain text. The status
// is 400, 404, 422 or 501. These words are about
//
//   - a format: response_format, json_schema, structured output, and strict alone;
//   - this schema: invalid, unsupported or unrecognized schema, schema conversion, schema
//     contains, schema is too, too many states, grammar;
//   - a choice: tool_choice, forced tool, tool_config, function calling config or mode;
//   - strict tools: strict, schema, grammar, additionalProperties, too complex.
//
// Case does not count, nor do blanks, _ and - between words. Nothing is asked twice after an error
// about the length of a prompt, a rate limit, a quota, a key or a content policy, whatever else it
// mentions. An error that mentions a schema, and was no refusal, names [Config].SchemaInPrompt.
//
// Servers but OpenAI's get a closed schema in which a reference is spelt {"$reference": …}:
// the grammars of llama.cpp fail on a property called $ref.
//
// # Tools
//
// The tools of a request are functions, and tool_choice is required. A server that
// refuses that is asked once more without it, which the model remembers when it helps, and
// Response.Repairs say; one that refuses the tools is llm.ErrRejected, with words that say so. A tool with a
// closed form (Tool.Strict) is sent in it, as strict. A server that refuses that is asked
// once more with the open form, and remembered, as with schemas. A name that is not of letters, digits, _ and -, or is longer than 64, is written in another way
// and read back. Arguments that are no JSON are a text in the Args of their call.
//
// What reasoning models want to be shown again with their calls, reasoning_content,
// reasoning_details and the extra_content of a call, is the Reasoning of the response.
//
// # A reply
//
// It is the text of the first choice, with the finish reason and the model's name
// in the server's words. llm.Complete makes errors of those that are no replies.
//
// Of the field usage these are read:
//
//   - prompt_tokens is the input, cached tokens included;
//   - prompt_tokens_details.cached_tokens and cache_write_tokens are those that came out of a cache
//     and went into one;
//   - completion_tokens is the output, thoughts included;
//   - total_tokens less the input is the output where that is more: some servers count thoughts there only.
//
// # What a failed call means
//
// The error is that of the context when it is done. Otherwise it is an
// *llm.CallError, so that llm.Retry and llm.Fallback know what to do:
//
//   - a status that is no success is what llm.StatusError says, with Retry-After,
//     except a used-up quota, which is llm.ErrRejected, and the verdict of a content
//     filter, which is llm.ErrRefused;
//   - a redirect is llm.ErrRejected: it mostly means a wrong base URL;
//   - an error inside of an answer with status 200, or of a choice, as routers send it,
//     counts by its code in the same way, and a finish reason that is error is
//     llm.ErrUnavailable;
//   - a broken connection, an answer that is no JSON, or one of more than 32 MiB is
//     llm.ErrUnavailable;
//   - a deadline of the HTTP client is llm.ErrSlow;
//   - an answer without a choice is llm.ErrEmpty;
//   - a message with a refusal and no text is llm.ErrRefused, with the words of the
//     refusal;
//   - everything else, such as an option that the SDK refuses, has no kind, and is
//     not tried again.
//
// The text has the server's code and message, or a short plain text, never a page of HTML, and not
// the message of a 401 or 403. APIKey is taken out of it; a key that is put into
// Options is not known here. A message that quotes the request is left out. A Config
// and a model that are printed do not show the key.
//
// The SDK's own retries are off: they would multiply with those of llm.Retry, and
// nobody could see them.
//
// # Concurrency
//
// A model may be used by any number of goroutines. It keeps nothing of a request.
package openai
