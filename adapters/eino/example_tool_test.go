package eino_test

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/agentfsm/agentfsm/adapters/eino"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

// An agent of Eino hands a task to a HostAgent. The thoughts of both are scripts
// here: the outer agent calls the tool with what it was asked, the HostAgent
// reads a window and answers.
func ExampleTool() {
	thinker, err := eino.Model(script(
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "read the note"}`,
		`{"Status": "FINISH", "Function": "read_note", "Result": "buy milk"}`,
		`{"Status": "FINISH", "Result": "The note says: buy milk."}`,
	), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	runTask, err := eino.Tool(func(context.Context) (*round.Session, error) {
		desk, err := notes()
		if err != nil {
			return nil, err
		}
		host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: thinker, Desktop: desk}})
		if err != nil {
			return nil, err
		}
		return round.NewSession(host, &round.Options{Observe: func(s round.Step) { fmt.Println(s) }})
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	assistant, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "assistant", Description: "answers", Model: outer("what does my note say?"),
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{
			utils.WrapInvokableToolWithErrorHandler(runTask, eino.FailureText), // a failure is told to the model
		}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: assistant}).Query(ctx, "what does my note say?")
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		if event.Err != nil {
			fmt.Println(event.Err)
			return
		}
		message, err := event.Output.MessageOutput.GetMessage()
		if err != nil {
			fmt.Println(err)
			return
		}
		if message.Role == schema.Assistant && len(message.ToolCalls) == 0 {
			fmt.Println("assistant:", message.Content)
		}
	}
	// Output:
	// HostAgent:CONTINUE -> HostAgent:ASSIGN (model)
	// HostAgent:ASSIGN -> AppAgent/notes/1:CONTINUE (system)
	// AppAgent/notes/1:CONTINUE -> AppAgent/notes/1:FINISH (model)
	// AppAgent/notes/1:FINISH -> HostAgent:CONTINUE (system)
	// HostAgent:CONTINUE -> HostAgent:FINISH (model)
	// assistant: ok
}

// notes has a window with a tool that is a Go func.
func notes() (desktop.Desktop, error) {
	tools, err := desktop.New(desktop.Func("read_note", "reads the note",
		func(context.Context, struct{}) (string, error) { return "buy milk", nil },
		&desktop.Annotations{ReadOnlyHint: true}))
	if err != nil {
		return nil, err
	}
	return desktop.Screen(desktop.App{Window: desktop.Window{Root: "notes"}, Desktop: tools})
}
