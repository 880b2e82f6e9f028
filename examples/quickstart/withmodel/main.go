// Withmodel is the quickstart with a model that MODEL, OPENAI_BASE_URL and OPENAI_API_KEY name:
//
//	MODEL=qwen3 OPENAI_BASE_URL=http://127.0.0.1:11434/v1 go run ./quickstart/withmodel -in report.docx
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/quickstart/program"
	"github.com/agentfsm/agentfsm/llm"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], person.Standard())
	stop()
	os.Exit(status)
}

func run(ctx context.Context, args []string, c person.Console) int {
	model, err := openai.New(openai.Config{Model: os.Getenv("MODEL")})
	if err != nil {
		fmt.Fprintln(c.Err, "quickstart:", err)
		return 2
	}
	fmt.Fprintf(c.Out, "The model is %s.\n", os.Getenv("MODEL"))
	return program.Run(ctx, args, c, llm.Retry(model, nil))
}
