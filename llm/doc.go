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
// Agents do not call the method themselves but [Complete], so that whoever runs
// them can see each call: a Round counts tokens that way, with
// [WithInterceptor].
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
// request, in the order of its fields, and [Schema.WithEnum] restricts a property
// to what is allowed now:
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
// # Concurrency
//
// All functions may be called concurrently. A Request belongs to its caller; a
// Model neither changes nor keeps it.
//
// # Testing
//
// Package llmtest has a scripted model that records what it is asked and fails
// the test when that is not what the script expects.
package llm
