// Package openai asks models that are served by the chat completions protocol of
// OpenAI, on the official SDK (github.com/openai/openai-go/v3): OpenAI's own, and
// those of servers such as vLLM, llama.cpp, Ollama, LM Studio or a gateway.
//
// # A model
//
// [New] makes an llm.Model. A Config with the model's name alone takes
// OPENAI_BASE_URL and OPENAI_API_KEY from the environment:
//
//	model, err := openai.New(openai.Config{Model: "gpt-5-mini"})
//	…
//	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop}})
//
// A server on this machine is a BaseURL, and mostly wants no key:
//
//	model, err := openai.New(openai.Config{Model: "qwen3-vl", BaseURL: "http://127.0.0.1:11434/v1"})
//
// The key of the environment is never sent to a BaseURL of the Config. The SDK's other
// variables are not read. Each call is one HTTP request to the host of the base URL, and one or two more
// if the server refuses a form; redirects are not followed. It carries all of a prompt, texts and
// screenshots. The SDK's own retries are off, llm.Retry makes them.
//
// # A request
//
// A message is one text; a user's message with images is a list of parts, with data URLs. Images of others,
// and images that are none, are llm.ErrRejected. MaxTokens is
// max_completion_tokens, or max_tokens with [Config].OldMaxTokens.
//
// A closed schema (Schema.Strict) is sent as a strict json_schema: the server holds the
// model to it. An open one is sent as not strict. If the server refuses the form, the request is sent again in the next
// one: strict, not strict, the schema in the system message. What a later form proves is remembered
// as long as the model lives, for one closed schema or for all. Response.Repairs say in which form a schema went.
//
// A refusal has the status 400, 404, 422 or 501 and words about the format, the schema, the choice or the tools. An error
// about length, rate, quota, key or content is none. An error that
// mentions a schema, and was no refusal, names [Config].SchemaInPrompt.
//
// Servers but OpenAI's get a closed schema in which a reference is spelt {"$reference": …}:
// the grammars of llama.cpp fail on a property called $ref.
//
// The tools of a request are functions, and tool_choice is required; a closed form
// (Tool.Strict) is sent as strict. What the server refuses of that is left out once more, and remembered. A
// name that does not fit the protocol is written in another way and read back. The Reasoning of a response is what
// models want to be shown again: reasoning_content, reasoning_details, extra_content.
//
// # A reply
//
// It is the text of the first choice, with the finish reason and the model's name
// in the server's words. Cached tokens are part of the input and thoughts part of the output; some servers count
// thoughts in the total alone.
//
// # Errors
//
// The error is that of the context if it is done. Otherwise it is an *llm.CallError: by the status
// (llm.StatusError, with Retry-After), also of an error inside of an answer with status 200, except a used-up quota
// (llm.ErrRejected) and the verdict of a content filter (llm.ErrRefused). A broken connection, an answer that is no JSON, or one of
// more than 32 MiB is llm.ErrUnavailable, a deadline of the HTTP client llm.ErrSlow, an answer
// without a choice llm.ErrEmpty. An answer that says that the model's own words could not be used is a malformed reply.
//
// No error shows the APIKey, the message of a 401 or 403, a page of HTML, or a message that quotes the
// request. A key in Options is not known here.
//
// A model may be used by any number of goroutines. It keeps nothing of a request.
package openai
