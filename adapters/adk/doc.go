// Package adk joins agentfsm and the Agent Development Kit for Go
// (google.golang.org/adk/v2), both ways: a model of the ADK thinks for agents of
// agentfsm, and an agent of the ADK hands tasks to a Session of agentfsm.
//
// # Their model, our agents
//
// [Model] turns a model.LLM into an llm.Model:
//
//	gemini, err := gemini.NewModel(ctx, "gemini-2.5-flash", nil)
//	…
//	model, err := adk.Model(gemini, nil)
//	…
//	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop}})
//
// System messages become the system instruction, images inline data. The schema
// of a reply becomes the response schema, or a part of the prompt with
// [ModelOptions].SchemaInPrompt. Thoughts are not part of the reply, but their
// tokens are counted.
//
// The tools of a request become function declarations, of which the model must call one
// (mode ANY). A provider that refuses that is asked once more in mode AUTO, which is
// remembered when it helps, and Response.Repairs say. Where parts of a reply have thought signatures, they are the Reasoning of
// the response, and come back with its calls.
//
// # What a failed call means
//
// The error is that of the context when it is done. Otherwise it is an
// *llm.CallError, so that llm.Retry and llm.Fallback know what to do:
//
//   - an *llm.CallError stays what it is;
//   - [ModelOptions].Classify is asked;
//   - a genai.APIError, and an error with a field StatusCode or HTTPStatusCode as
//     clients of other providers have, is what llm.StatusError says;
//   - a deadline of the model's own client is llm.ErrSlow, a broken connection
//     llm.ErrUnavailable;
//   - everything else has no kind, and is not tried again.
//
// A prompt that was blocked is llm.ErrRefused. A response with an error code, or
// of a model that was interrupted, makes the call fail, whatever came before or
// after it; pieces after which neither the whole nor a finish reason comes are
// llm.ErrUnavailable. A reply that ended by a filter or for its length is an error
// when it is asked for with llm.Complete.
//
// A model that does not look at its context cannot be made to: the call returns
// when the model does. With [ModelOptions].Stream it is left between two pieces.
//
// # Our session, their tool
//
// [Tool] is a tool of an llmagent. The outer model writes a request in plain
// words; a Session does it, however many steps, agents and applications that
// takes; the outer model gets the result:
//
//	tool, err := adk.Tool(func(ctx context.Context) (*round.Session, error) {
//		host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop, User: user}})
//		if err != nil {
//			return nil, err
//		}
//		return round.NewSession(host, nil)
//	}, nil)
//	…
//	agent, err := llmagent.New(llmagent.Config{Name: "assistant", Model: gemini, Tools: []tool.Tool{tool}})
//
// Only FINISH is a result. For everything else (a task that failed, a fault, a
// bound, a suspension, a cancelled context) the tool returns a *runtask.Error,
// which the ADK shows to its model under the name error, with the reason and
// what became of the sub-tasks. An OnToolErrorCallback of the llmagent finds
// the Result in it by errors.As. Package round/runtask of agentfsm has the details.
//
// # Approvals and progress
//
// What needs a person's yes is asked of the Session's User, in the middle of the
// call. The ADK can ask, too, before the tool is called at all:
// tool.WithConfirmation does that, and knows only the request. Both can be used
// together.
//
// A tool of the ADK has no way to report progress. The func that opens the
// Session sets round.Options.Observe, which is called with each step.
//
// # Concurrency
//
// The ADK calls tools at the same time when its model asks for several. [Tool]
// has a session for each call; with [SessionTool], which has one for all, they
// wait for one another. A desktop with one screen wants SessionTool.
//
// # Requirements
//
// This is a module of its own, because the ADK requires many others and a newer
// Go than the core does (go.mod has the versions). Nothing of either is
// started before it is used.
package adk
