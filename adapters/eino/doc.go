// Package eino joins agentfsm and Eino (github.com/cloudwego/eino), both ways: a
// chat model of Eino thinks for agents of agentfsm, and an agent of Eino hands
// tasks to a Session of agentfsm.
//
// # Their model, our agents
//
// [Model] turns a model.BaseChatModel, which a ToolCallingChatModel is, into an
// llm.Model:
//
//	chat, err := openai.NewChatModel(ctx, &openai.ChatModelConfig{…})
//	…
//	model, err := eino.Model(chat, nil)
//	…
//	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop}})
//
// Messages of texts alone become one text each; those with images become
// multi-part content. Eino has no option for the schema of a reply that all
// providers know, so that it is written into the system message, unless
// [ModelOptions].Schema turns it into options of one provider. Reasoning is not part of
// the reply, but its tokens are counted. The tools of a request are given to a
// ToolCallingChatModel, which must call one of them; another chat model rejects such a
// request. A provider that refuses a forced call is asked once more without it, which is
// remembered when it helps, and Response.Repairs say.
//
// # What a failed call means
//
// The error is that of the context when it is done. Otherwise it is an
// *llm.CallError, so that llm.Retry and llm.Fallback know what to do:
//
//   - an *llm.CallError stays what it is;
//   - [ModelOptions].Classify is asked;
//   - an error with a field HTTPStatusCode, StatusCode or Code that holds a status of
//     HTTP, as the providers' clients have, is what llm.StatusError says;
//   - a deadline of the model's own client is llm.ErrSlow, a broken connection
//     llm.ErrUnavailable;
//   - everything else has no kind, and is not tried again.
//
// A reply that ended by a filter or for its length is an error when it is asked
// for with llm.Complete.
//
// A model that does not look at its context cannot be made to: the call returns
// when the model does. With [ModelOptions].Stream it is left between two pieces.
//
// # Our session, their tool
//
// [Tool] is a tool of a ChatModelAgent, or of a ToolsNode in a graph. The outer
// model writes a request in plain words; a Session does it, however many
// steps, agents and applications that takes; the outer model gets the result:
//
//	task, err := eino.Tool(func(ctx context.Context) (*round.Session, error) {
//		host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: desktop, User: user}})
//		if err != nil {
//			return nil, err
//		}
//		return round.NewSession(host, nil)
//	}, nil)
//	…
//	agent, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
//		Name:  "assistant",
//		Model: chat,
//		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{
//			utils.WrapInvokableToolWithErrorHandler(task, eino.FailureText),
//		}}},
//	})
//
// Only FINISH is a result. For everything else (a task that failed, a fault, a
// bound, a suspension, a cancelled context) the tool returns a *runtask.Error, of
// which package round/runtask of agentfsm has the details. In Eino an error of a tool
// ends the run of the agent, and reaches its caller. Wrapped with [FailureText], as
// above, it is told to the outer model instead, which can then do something else.
//
// # Approvals and progress
//
// What needs a person's yes is asked of the Session's User, in the middle of the
// call.
//
// The func that opens the Session sets round.Options.Observe, which is called with
// each step. In a ChatModelAgent its ctx takes events, so that who reads the
// agent's events sees the steps among them:
//
//	Observe: func(s round.Step) {
//		_ = adk.SendEvent(ctx, &adk.AgentEvent{Output: &adk.AgentOutput{CustomizedOutput: s}})
//	}
//
// # Concurrency
//
// Eino calls tools at the same time when its model asks for several. [Tool] has
// a session for each call; with [SessionTool], which has one for all, they wait for
// one another. A desktop with one screen wants SessionTool.
//
// # Requirements
//
// This is a module of its own, because Eino requires many others (go.mod has the
// versions). Nothing of either is started before it is used.
package eino
