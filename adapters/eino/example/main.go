// Example is an agent of Eino that hands a task to an agent of agentfsm, without a
// network, a display or a model service: a script plays the model, the person says yes, and a sheet and a mail
// program are in memory.
//
//	go run ./example
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/agentfsm/agentfsm/adapters/eino"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

const request = "Write to Ada what our expenses are, all together."

func main() {
	fmt.Println("A script plays the model.")
	if err := run(context.Background(), os.Stdout, newScript()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, thinker model.BaseChatModel) error {
	type letter struct{ To, Text string }
	desk, err := desktop.New(
		desktop.Func("read_sheet", "reads the expenses", func(context.Context, struct{}) ([]int, error) { return []int{900, 80, 20}, nil },
			&desktop.Annotations{ReadOnlyHint: true}),
		desktop.Func("send_mail", "sends a mail", func(_ context.Context, l letter) (string, error) { return "sent to " + l.To, nil },
			&desktop.Annotations{DestructiveHint: true})) // a mail cannot be taken back
	if err != nil {
		return err
	}
	inner, err := eino.Model(thinker, nil) // one model thinks for both agents
	if err != nil {
		return err
	}
	person := people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
		fmt.Fprintln(out, "  approved:", q.Text)
		return people.Answer{Approved: true}, nil
	})
	task, err := eino.Tool(func(context.Context) (*round.Session, error) {
		clerk, err := appagent.New(appagent.Config{Name: "Clerk", Model: inner, Desktop: desk, User: person})
		if err != nil {
			return nil, err
		}
		return round.NewSession(clerk, &round.Options{Observe: func(s round.Step) { fmt.Fprintln(out, " ", s) }})
	}, nil)
	if err != nil {
		return err
	}
	assistant, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "assistant", Description: "answers a person", Model: thinker, Instruction: "Use run_task for whatever has to be done in an application.",
		// Not wrapped with eino.FailureText: a task that fails ends the program.
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{task}}},
	})
	if err != nil {
		return err
	}
	events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: assistant}).Query(ctx, request)
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		if event.Err != nil {
			return event.Err
		}
		message, err := event.Output.MessageOutput.GetMessage()
		if err != nil {
			return err
		}
		if message.Role == schema.Assistant && message.Content != "" {
			fmt.Fprintln(out, "assistant:", message.Content)
		}
	}
	return nil
}

// script plays the model. The outer agent, which has the tool, uses it and tells what came of it; the inner one gets the replies.
type script struct{ replies []string }

func newScript() *script {
	return &script{[]string{
		`{"Status": "CONTINUE", "Function": "read_sheet"}`,
		`{"Status": "CONTINUE", "Function": "send_mail", "Args": {"to": "ada@example.com", "text": "Our expenses are 1000."}}`,
		`{"Status": "FINISH", "Result": "Ada knows that the expenses are 1000."}`,
	}}
}

func (s *script) Generate(_ context.Context, input []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	last := input[len(input)-1]
	if len(model.GetCommonOptions(nil, opts...).Tools) > 0 {
		if last.Role == schema.Tool {
			return schema.AssistantMessage("Done: "+last.Content, nil), nil
		}
		return schema.AssistantMessage("", []schema.ToolCall{{ID: "call-1", Function: schema.FunctionCall{Name: "run_task", Arguments: fmt.Sprintf(`{"request": %q}`, last.Content)}}}), nil
	}
	if len(s.replies) == 0 {
		return nil, errors.New("example: the script has no reply left")
	}
	text := s.replies[0]
	s.replies = s.replies[1:]
	return schema.AssistantMessage(text, nil), nil
}

func (s *script) Stream(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	message, err := s.Generate(ctx, input, opts...)
	return schema.StreamReaderFromArray([]*schema.Message{message}), err
}
