// Withmodel is the office example with a model that OPENAI_BASE_URL, OPENAI_API_KEY and MODEL name.
package main

import (
	"fmt"
	"os"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/examples/office/internal/cli"
	"github.com/agentfsm/agentfsm/llm"
)

func main() {
	model, err := openai.New(openai.Config{Model: os.Getenv("MODEL")})
	if err != nil {
		fmt.Fprintln(os.Stderr, "office:", err)
		os.Exit(2)
	}
	cli.Main(llm.Retry(model, nil))
}
