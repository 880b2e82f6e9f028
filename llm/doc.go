// Package llm is how agents talk to a language model: requests and replies,
// what a reply must look like, and reading what came back.
//
// # A model
//
// A [Model] has one method. An adapter for a provider implements it; a rule, a
// fake or a middleware is a [ModelFunc]:
//
//	model := llm.ModelFunc(func(ctx context.Context, req *llm.Request) (*llm.Response, error) {
//		return &llm.Response{Text: `{"Status": "FINISH"}`}, nil
//	})
//
// Agents call [Complete] and not the method, so that a Round sees each call and
// counts its tokens; it does that by [WithInterceptor].
//
// # A prompt
//
// A [Request] has messages of texts and images. What a program knows goes into
// it as sections: [Prompt] writes them, each a name with fenced JSON, and
// [FindSection] reads one back, as a model made of rules or a test does. Text
// of others (titles, documents, tool output) must go in as a section's value: it
// stays inside its JSON string and cannot pretend to be the prompt.
//
// # A reply
//
// A decision is a struct. [SchemaOf] makes the [Schema] that goes with the
// request, in the order of its fields:
//
//	type decision struct {
//		Thought string   `json:"Thought" desc:"why"`
//		Plan    []string `json:"Plan,omitempty"`
//		Status  string   `json:"Status"`
//	}
//
// [Decode] reads a reply into the struct. Models add prose and fences, spell
// names in their own way, leave a comma too many: Decode understands what has
// one meaning, and returns a [DecodeError] for everything else, whose Reason is
// to be shown to the model when it is asked again. It never guesses, since what
// it returns will be executed.
//
// It also says what it repaired, one [Repair] for each kind, with its
// place and no value: a Round puts them into its steps. A model that needs many
// may do better with another prompt, or with the provider's structured output.
//
// # Calls of tools
//
// A request with Tools asks for calls of them instead: Response.Calls, beside which the
// text is what the model thinks. A call is told what came of it by two more messages,
// one of the [Assistant] with the Calls and the Reasoning of the response, and a
// [ToolResult] for each of them. Text of others must be fenced there, too.
//
// # When a call fails
//
// A failed call is a [CallError], and errors.Is tells its kind: [ErrRateLimited],
// [ErrOverloaded], [ErrUnavailable], [ErrSlow] and [ErrEmpty] may pass when the
// request is sent again, which [Retryable] says; [ErrCut], [ErrMalformed],
// [ErrRefused] and [ErrRejected] do not. Adapters make these errors, with [StatusError] and
// [RetryAfter] where they speak HTTP. What a response itself says (its
// FinishReason, or no text) they may leave to [Complete], which checks it after
// the interceptors: such a reply was paid for.
//
// # Middleware
//
// A middleware is a func from Model to Model. Several are nested:
//
//	model := llm.Fallback(
//		llm.Retry(llm.Timeout(primary, 30*time.Second), nil),
//		llm.Retry(secondary, nil),
//	)
//
// [Timeout] bounds one attempt, [Retry] repeats it with back-off, [Fallback] goes
// on to the next model, [Limit] waits for a limiter, [Record] shows each call to a func. They keep no state
// between calls and start no goroutine. The built-in agents put a Retry around a model that has
// none. To a Round each attempt of a Retry or Fallback is a call. To others all attempts are
// one call, whose Usage is the sum of theirs; its Spent says which model used what,
// so that each has its own price. An empty reply is tried again by a Retry of yours, and what
// is still empty is fed back by the agent: set MaxAttempts with that in mind.
//
// When ctx ends while Retry waits, Retry returns the cause of ctx, and Fallback does not
// ask the next model. A Timeout around a Retry ends earlier, with [ErrSlow]: then Fallback
// asks the next model.
//
// # Concurrency
//
// All functions may be called concurrently. A Request belongs to its caller; a
// Model neither changes nor keeps it. So does the Response: each call returns
// one of its own.
//
// # Testing
//
// Package llmtest has a scripted model that records what it is asked and fails
// the test when that is not what the script expects.
//
// # What is repaired
//
// The Kind of a [Repair] is one of these. The last seven are not [Decode]'s own: the built-in
// agents and deciding.Ask report them.
//
//   - fence: a Markdown fence, or backticks, around the object
//   - tags: <answer> or other tags around it
//   - prose: other text around it
//   - thoughts: <think>…</think>, dropped
//   - byte order mark: at the start
//   - quoted reply: the whole object inside a JSON string
//   - repeated object: the same object once more
//   - odd space: white space that JSON does not know, or an invisible mark
//   - comment: //, /* */ or #
//   - trailing comma: after the last element
//   - single quotes: 'x' where "x" should be
//   - typographic quotes: “x” or ‘x’
//   - full-width sign: ： for a colon, ， for a comma
//   - bare name: a name without quotes
//   - raw control: a line break, or another control character, as it is in a string
//   - escape: \' in double quotes
//   - literal: True, False or None, or true, false or null in other letters
//   - missing comma: at the end of a line, before a name
//   - fraction: .5 for 0.5
//   - list of one: the object as the one element of a list
//   - same name: a name twice, or two names of one field, with the same value
//   - name: another spelling of a field's name
//   - alias: another name of a field
//   - unknown name: a name that no field has; it is left out
//   - text: a number where a string should be
//   - number: a string that is a number, where a number should be
//   - boolean: a string that is true or false, where a boolean should be
//   - list: one element without its list
//   - list in text: a list as a string with JSON in it
//   - object in text: an object as a string with JSON in it
//   - empty text: an empty string for an empty list or no object
//   - null: null for nothing, where it should not be
//   - wrapper: the decision as the one value of another object
//   - call: a call in another form, such as {"name": …, "arguments": …}
//   - argument: a number or boolean as a string, or a number for a string, in the arguments of a tool
//   - status: a full stop after the status, or no status beside a call
//   - moved: a call, or a status, in an action where the decision itself should have it
//   - tool name: another name of a tool, such as select_application
//   - window: a part of a window's title, or its name in other letters or spaces
//
// Four say what a server refused. Adapters write them into [Response].Repairs:
//
//   - no cache breakpoints: the server was not told what to cache
//   - call not forced: the model was let choose whether to call a tool
//   - schema not strict: the model was shown the schema, or the tools, and not held to it
//   - schema in the prompt: the schema was a text of the prompt
package llm
