// Package adk joins agentfsm and the Agent Development Kit for Go
// (google.golang.org/adk/v2), both ways.
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
// System messages become the system instruction, images inline data, the schema
// of a reply the response schema, or a part of the prompt with
// [ModelOptions].SchemaInPrompt. Thoughts are not part of the reply, but their
// tokens are counted. The model must call one of the tools of a request (mode ANY). A provider that
// refuses that is asked once more in mode AUTO, which is remembered. Parts with thought signatures are the Reasoning of
// the response, and come back with its calls.
//
// The error is that of the context if it is done. Otherwise it is an
// *llm.CallError: that of the LLM, or by a genai.APIError, or by a field StatusCode or HTTPStatusCode of the
// error; a deadline of the model's own client is llm.ErrSlow, a broken connection
// llm.ErrUnavailable, a blocked prompt llm.ErrRefused. A response with an error code makes the call fail, whatever came
// with it.
//
// A call returns when the model does. The model is not asked for a stream.
//
// # Our session, their tool
//
// [Tool] is a tool of an llmagent. The outer model writes a request in plain
// words, a Session does it, and the outer model gets the result:
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
// Only FINISH is a result. Any other end is a *runtask.Error,
// which the ADK shows to its model under the name error. An OnToolErrorCallback of the llmagent finds
// the Result in it by errors.As.
//
// Approvals are asked of the Session's User. The func that opens the Session sets round.Options.Observe for progress.
// [Tool] has a session for each call; calls of a [SessionTool] have one, and wait for one another. A desktop with one
// screen wants SessionTool.
package adk
