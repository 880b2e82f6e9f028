// Package eino joins agentfsm and Eino (github.com/cloudwego/eino), both ways.
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
// Messages with images become multi-part content, others one text. The schema of a reply is written
// into the system message, unless [ModelOptions].Schema makes options of one provider of it.
// Reasoning is not part of the reply, but its tokens are counted. A ToolCallingChatModel must call one of the tools of a
// request; another chat model rejects such a request. A provider that refuses a forced call is asked once more
// without it, which is remembered.
//
// The error is that of the context if it is done. Otherwise it is an
// *llm.CallError: that of the chat model, or by a field HTTPStatusCode, StatusCode or Code of the error with a status of
// HTTP; a deadline of the model's own client is llm.ErrSlow, a broken connection llm.ErrUnavailable.
//
// A call returns when the model does. The model is not asked for a stream.
//
// # Our session, their tool
//
// [Tool] is a tool of a ChatModelAgent, or of a ToolsNode in a graph. The outer
// model writes a request in plain words, a Session does it, and the outer model gets the result:
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
// Only FINISH is a result. Any other end is a *runtask.Error. In Eino an error of a tool
// ends the run of the agent; wrapped with [FailureText], it is told to the outer model instead.
//
// Approvals are asked of the Session's User. The func that opens the Session sets round.Options.Observe for progress. In a
// ChatModelAgent its ctx takes events:
//
//	Observe: func(s round.Step) {
//		_ = adk.SendEvent(ctx, &adk.AgentEvent{Output: &adk.AgentOutput{CustomizedOutput: s}})
//	}
//
// [Tool] has a session for each call; calls of a [SessionTool] have one, and wait for one another. A desktop with one
// screen wants SessionTool.
package eino
