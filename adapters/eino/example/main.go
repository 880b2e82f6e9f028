// Example is an agent of Eino that hands a task to agents of agentfsm, without a
// network, a display or a model service.
//
//	go run ./example
//
// One chat model of Eino thinks for all of them. The outer agent, a
// ChatModelAgent run by Eino's runner, calls the tool run_task. In it a HostAgent
// splits the request, an AppAgent adds up a sheet, another one sends a mail, for
// which it needs a person's yes, and what they answer goes back to the outer
// agent. Three parts are made for this program alone: the model follows a script, the
// desktop is in memory, and the person says yes.
//
// Each position is printed as it is taken, then the answer. The status is 0 when
// the task ended in FINISH, and 1 otherwise.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/agentfsm/agentfsm/adapters/eino"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

const request = "Write to Ada what our expenses are, all together."

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, newScript())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) //nolint:forbidigo // a program ends with a status
	}
}

// run is the program.
func run(ctx context.Context, out io.Writer, thinker model.BaseChatModel) error {
	p := &printer{out: out}
	runTask, err := taskTool(thinker, p)
	if err != nil {
		return err
	}
	assistant, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name:        "assistant",
		Description: "answers a person, and works in the applications of a desktop",
		Instruction: "Use run_task for whatever has to be done in an application.",
		Model:       thinker,
		// Not wrapped with eino.FailureText: a task that fails ends the program.
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{runTask}}},
	})
	if err != nil {
		return fmt.Errorf("example: the agent: %w", err)
	}
	p.line("user: %s", request)
	var last *schema.Message
	var failed error
	done := false
	events := adk.NewRunner(ctx, adk.RunnerConfig{Agent: assistant}).Query(ctx, request)
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		switch {
		case event.Err != nil:
			failed = errors.Join(failed, fmt.Errorf("example: the agent: %w", event.Err))
		case event.Output != nil && event.Output.MessageOutput != nil:
			if last, err = event.Output.MessageOutput.GetMessage(); err != nil {
				return fmt.Errorf("example: a message: %w", err)
			}
			done = done || last.Role == schema.Tool
		}
	}
	switch {
	case failed != nil:
		return failed
	case !done:
		return errors.New("example: the task was not run")
	}
	p.line("assistant: %s", last.Content)
	return p.err
}

// taskTool is a Session as a tool: a HostAgent that thinks with the same model as
// the agent that calls it.
func taskTool(thinker model.BaseChatModel, p *printer) (tool.InvokableTool, error) {
	inner, err := eino.Model(thinker, nil)
	if err != nil {
		return nil, err
	}
	return eino.Tool(func(context.Context) (*round.Session, error) {
		desk, err := newDesktop()
		if err != nil {
			return nil, err
		}
		host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: inner, Desktop: desk, User: person{p}}})
		if err != nil {
			return nil, err
		}
		return round.NewSession(host, &round.Options{
			Observe: func(s round.Step) { p.line("  %s", s) },
		})
	}, nil)
}

// person approves what it is asked.
type person struct{ p *printer }

func (u person) Ask(_ context.Context, q people.Question) (people.Answer, error) {
	u.p.line("  approved: %s", q.Text)
	return people.Answer{Approved: q.Command != nil}, nil
}

// printer keeps the first error of its writer.
type printer struct {
	out io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format+"\n", args...)
	}
}
