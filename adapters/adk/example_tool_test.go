package adk_test

import (
	"context"
	"fmt"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/adapters/adk"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

// An agent of the ADK hands a task to a HostAgent. The thoughts of both are
// scripts here: the outer agent calls the tool with what it was asked, the
// HostAgent reads a window and answers.
func ExampleTool() {
	thinker, err := adk.Model(script(
		`{"Status": "ASSIGN", "ControlLabel": "0", "CurrentSubTask": "read the note"}`,
		`{"Status": "FINISH", "Function": "read_note", "Result": "buy milk"}`,
		`{"Status": "FINISH", "Result": "The note says: buy milk."}`,
	), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	runTask, err := adk.Tool(func(context.Context) (*round.Session, error) {
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
	assistant, err := llmagent.New(llmagent.Config{
		Name: "assistant", Model: outer("what does my note say?"), Tools: []tool.Tool{runTask},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	runs, err := runner.NewInMemory("example", assistant)
	if err != nil {
		fmt.Println(err)
		return
	}
	question := genai.NewContentFromText("what does my note say?", genai.RoleUser)
	for event, err := range runs.Run(context.Background(), "user", "session", question, agent.RunConfig{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, part := range event.Content.Parts {
			if part.FunctionResponse != nil {
				fmt.Println(part.FunctionResponse.Response["outcome"], part.FunctionResponse.Response["answer"])
			}
		}
	}
	// Output:
	// HostAgent:CONTINUE -> HostAgent:ASSIGN (model)
	// HostAgent:ASSIGN -> AppAgent/notes/1:CONTINUE (system)
	// AppAgent/notes/1:CONTINUE -> AppAgent/notes/1:FINISH (model)
	// AppAgent/notes/1:FINISH -> HostAgent:CONTINUE (system)
	// HostAgent:CONTINUE -> HostAgent:FINISH (model)
	// FINISH The note says: buy milk.
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
