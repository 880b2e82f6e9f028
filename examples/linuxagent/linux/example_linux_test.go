package linux_test

import (
	"context"
	"fmt"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/examples/linuxagent/linux"
	"github.com/agentfsm/agentfsm/fsm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// A LinuxAgent alone: a script plays the model, a func the shell. The line is not
// on any list, so a person is asked.
func Example() {
	type input struct {
		Line string `json:"bash_command"`
	}
	shell, err := desktop.New(desktop.Func(desktop.RunShell, "Run a command line.", func(_ context.Context, in input) (string, error) {
		fmt.Println("$", in.Line)
		return "  42 report.csv", nil
	}, nil))
	if err != nil {
		panic(err)
	}
	agent, err := linux.New(linux.Config{Config: appagent.Config{
		Model: llmtest.Script(nil,
			linux.Decision{Status: fsm.Continue, Bash: "wc -l report.csv"},
			linux.Decision{Status: fsm.Finish, Comment: "42 lines"},
		),
		Desktop: shell,
		User: people.UserFunc(func(_ context.Context, q people.Question) (people.Answer, error) {
			fmt.Println(q.Text, "yes")
			return people.Answer{Approved: true}, nil
		}),
	}})
	if err != nil {
		panic(err)
	}
	r, err := round.New(agent, "how long is the report?", nil)
	if err != nil {
		panic(err)
	}
	for step, err := range r.Steps(context.Background()) {
		if err != nil {
			panic(err)
		}
		fmt.Println(step)
	}
	fmt.Println(r.Result().Answer)
	// Output:
	// LinuxAgent:CONTINUE -> LinuxAgent:CONFIRM (system)
	// Allow run_shell {"bash_command":"wc -l report.csv"}? It needs approval because it is a shell command. yes
	// LinuxAgent:CONFIRM -> LinuxAgent:CONTINUE (user)
	// $ wc -l report.csv
	// LinuxAgent:CONTINUE -> LinuxAgent:FINISH (model)
	// 42 lines
}
