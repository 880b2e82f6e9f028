// Package realmodel runs the examples with a model of OpenAI's protocol, which MODEL, OPENAI_BASE_URL and OPENAI_API_KEY
// name.
package realmodel

import (
	"fmt"
	"os"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/llm"
)

// Main runs a program with the model and exits.
func Main(program person.Program) {
	model, err := New()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	person.Main(program, model, "The model is "+os.Getenv("MODEL")+".")
}

// New returns the model.
func New() (llm.Model, error) {
	model, err := openai.New(openai.Config{Model: os.Getenv("MODEL")})
	return llm.Retry(model, nil), err
}
