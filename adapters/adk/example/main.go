// Example is an agent of the ADK that hands a task to agents of agentfsm, without
// a network, a display or a model service.
//
//	go run ./example
//
// One model of the ADK thinks for all of them. The outer agent, an llmagent run
// by the ADK's runner, calls the tool run_task. In it a HostAgent splits
// the request, an AppAgent reads a mail, another one writes into a calendar, and what
// they answer goes back to the outer agent. Two parts are made for this program
// alone: the model follows a script, and the desktop is in memory.
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
	"strings"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/adapters/adk"
	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/hostagent"
	"github.com/agentfsm/agentfsm/round"
)

const request = "Put the meeting that Ada wrote about into my calendar."

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
func run(ctx context.Context, out io.Writer, thinker model.LLM) error {
	p := &printer{out: out}
	runTask, err := taskTool(thinker, p) //nolint:contextcheck // the tool gets the context of each call
	if err != nil {
		return err
	}
	assistant, err := llmagent.New(llmagent.Config{
		Name:        "assistant",
		Description: "answers a person, and works in the applications of a desktop",
		Instruction: "Use run_task for whatever has to be done in an application.",
		Model:       thinker,
		Tools:       []tool.Tool{runTask},
	})
	if err != nil {
		return fmt.Errorf("example: the agent: %w", err)
	}
	runs, err := runner.NewInMemory("example", assistant)
	if err != nil {
		return fmt.Errorf("example: the runner: %w", err)
	}
	p.line("user: %s", request)
	var answer strings.Builder
	outcome := errors.New("example: the task was not run")
	for event, err := range runs.Run(ctx, "user", "session", genai.NewContentFromText(request, genai.RoleUser), agent.RunConfig{}) {
		if err != nil {
			return fmt.Errorf("example: the agent: %w", err)
		}
		if event.Content == nil {
			continue
		}
		for _, part := range event.Content.Parts {
			if reply := part.FunctionResponse; reply != nil {
				outcome = finished(reply.Response)
			}
			if event.IsFinalResponse() {
				answer.WriteString(part.Text)
			}
		}
	}
	if outcome != nil {
		return outcome
	}
	p.line("%s: %s", assistant.Name(), &answer)
	return p.err
}

// finished is nil for a task that ended in FINISH.
func finished(result map[string]any) error {
	if result["outcome"] != string(round.Finished) {
		return fmt.Errorf("example: %v", result["error"])
	}
	return nil
}

// taskTool is a Session as a tool: a HostAgent that thinks with the same model as
// the agent that calls it.
func taskTool(thinker model.LLM, p *printer) (tool.Tool, error) {
	inner, err := adk.Model(thinker, nil)
	if err != nil {
		return nil, err
	}
	return adk.Tool(func(context.Context) (*round.Session, error) {
		desk, err := newDesktop()
		if err != nil {
			return nil, err
		}
		host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: inner, Desktop: desk}})
		if err != nil {
			return nil, err
		}
		return round.NewSession(host, &round.Options{
			Observe: func(s round.Step) { p.line("  %s", s) },
		})
	}, nil)
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
