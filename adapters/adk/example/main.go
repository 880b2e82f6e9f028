// Example is an agent of the ADK that hands a task to an agent of agentfsm, without
// a network, a display or a model service: a script plays the model, and a mail and a calendar are in memory.
//
//	go run ./example
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/adapters/adk"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/round"
)

const request = "Put the meeting that Ada wrote about into my calendar."

func main() {
	fmt.Println("A script plays the model.")
	if err := run(context.Background(), os.Stdout, newScript()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, thinker model.LLM) error {
	type event struct {
		Title string `json:"title"`
		Day   string `json:"day" format:"date"`
	}
	desk, err := desktop.New(
		desktop.Func("read_mail", "reads the mail that is open", func(context.Context, struct{}) (string, error) {
			return "Shall we meet for lunch on the 3rd of May, 2027? Ada", nil
		}, &desktop.Annotations{ReadOnlyHint: true}),
		desktop.Func("add_event", "adds an event to the calendar", func(_ context.Context, e event) (string, error) {
			return "added " + e.Title + " on " + e.Day, nil
		}, nil))
	if err != nil {
		return err
	}
	inner, err := adk.Model(thinker, nil) // one model thinks for both agents
	if err != nil {
		return err
	}
	task, err := adk.Tool(func(context.Context) (*round.Session, error) {
		clerk, err := appagent.New(appagent.Config{Name: "Clerk", Model: inner, Desktop: desk})
		if err != nil {
			return nil, err
		}
		return round.NewSession(clerk, &round.Options{Observe: func(s round.Step) { fmt.Fprintln(out, " ", s) }})
	}, nil)
	if err != nil {
		return err
	}
	assistant, err := llmagent.New(llmagent.Config{
		Name: "assistant", Model: thinker, Tools: []tool.Tool{task}, Instruction: "Use run_task for whatever has to be done in an application."})
	if err != nil {
		return err
	}
	runs, err := runner.NewInMemory("example", assistant)
	if err != nil {
		return err
	}
	for event, err := range runs.Run(ctx, "user", "session", genai.NewContentFromText(request, genai.RoleUser), agent.RunConfig{}) {
		if err != nil {
			return err
		}
		if part := event.Content.Parts[0]; event.IsFinalResponse() {
			fmt.Fprintln(out, "assistant:", part.Text)
		} else if reply := part.FunctionResponse; reply != nil && reply.Response["outcome"] != string(round.Finished) {
			return fmt.Errorf("example: %v", reply.Response["error"])
		}
	}
	return nil
}

// script plays the model. The outer agent, which has the tool, uses it and tells what came of it; the inner one gets the replies.
type script struct{ replies []string }

func newScript() *script {
	return &script{[]string{
		`{"Status": "CONTINUE", "Function": "read_mail"}`,
		`{"Status": "CONTINUE", "Function": "add_event", "Args": {"title": "Lunch with Ada", "day": "2027-05-03"}}`,
		`{"Status": "FINISH", "Result": "Lunch with Ada is in the calendar, on the 3rd of May, 2027."}`,
	}}
}

func (s *script) Name() string { return "script" }

func (s *script) GenerateContent(_ context.Context, req *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		said := req.Contents[len(req.Contents)-1].Parts[0]
		switch {
		case len(req.Tools) == 0 && len(s.replies) == 0:
			yield(nil, errors.New("example: the script has no reply left"))
			return
		case len(req.Tools) == 0:
			said, s.replies = genai.NewPartFromText(s.replies[0]), s.replies[1:]
		case said.FunctionResponse == nil:
			said = genai.NewPartFromFunctionCall("run_task", map[string]any{"request": said.Text})
		default:
			said = genai.NewPartFromText(fmt.Sprint("Done. ", said.FunctionResponse.Response["answer"]))
		}
		yield(&model.LLMResponse{Content: &genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{said}}, FinishReason: genai.FinishReasonStop}, nil)
	}
}
