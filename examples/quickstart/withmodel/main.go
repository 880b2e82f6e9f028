// Withmodel is the quickstart with a real model. OPENAI_BASE_URL and OPENAI_API_KEY say where it is:
//
//	OPENAI_BASE_URL=http://127.0.0.1:11434/v1 go run ./quickstart/withmodel -model qwen3 -in report.docx
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/quickstart/program"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], person.Standard())
	stop()
	os.Exit(status)
}

// run takes the name of the model from the first two arguments. The others are flags of the quickstart.
func run(ctx context.Context, args []string, c person.Console) int {
	if len(args) < 2 || args[0] != "-model" {
		fmt.Fprintln(c.Err, "usage: withmodel -model NAME [flags of the quickstart]")
		return 2
	}
	model, err := openai.New(openai.Config{Model: args[1]})
	if err != nil {
		fmt.Fprintln(c.Err, err)
		return 2
	}
	fmt.Fprintf(c.Out, "The model is %s.\n", args[1])
	return program.Run(ctx, args[2:], c, model)
}
