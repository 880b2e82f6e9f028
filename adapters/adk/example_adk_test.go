package adk_test

import (
	"context"
	"fmt"
	"iter"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/adapters/adk"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/round"
)

// parrot is a model of the ADK that always says the same.
type parrot string

func (p parrot) Name() string { return "parrot" }

func (p parrot) GenerateContent(context.Context, *model.LLMRequest, bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		yield(&model.LLMResponse{
			Content:       genai.NewContentFromText(string(p), genai.RoleModel),
			UsageMetadata: &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: 7, CandidatesTokenCount: 3, TotalTokenCount: 10},
			FinishReason:  genai.FinishReasonStop,
		}, nil)
	}
}

// A model of the ADK answers a request of agentfsm. Here it is a parrot.
func ExampleModel() {
	model, err := adk.Model(parrot("forty-two"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := llm.Complete(context.Background(), model, &llm.Request{
		Messages: []llm.Message{llm.Text(llm.User, "What is six times seven?")},
	})
	if err != nil {
		fmt.Println(err, llm.Retryable(err))
		return
	}
	fmt.Println(resp.Text, resp.Usage.Total())
	// Output: forty-two 10
}

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
