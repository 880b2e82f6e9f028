// Withmodel is the example service with a model that MODEL, OPENAI_BASE_URL and OPENAI_API_KEY name:
//
//	MODEL=qwen3 OPENAI_BASE_URL=http://127.0.0.1:11434/v1 go run ./service/withmodel
package main

import (
	"github.com/agentfsm/agentfsm/examples/internal/realmodel"
	"github.com/agentfsm/agentfsm/examples/service/program"
)

func main() { realmodel.Main(program.Run) }
