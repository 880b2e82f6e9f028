// Withmodel is the example linuxagent with a model that MODEL, OPENAI_BASE_URL and OPENAI_API_KEY name:
//
//	MODEL=qwen3 OPENAI_BASE_URL=http://127.0.0.1:11434/v1 go run ./linuxagent/withmodel -dir reports
package main

import (
	"github.com/agentfsm/agentfsm/examples/internal/realmodel"
	"github.com/agentfsm/agentfsm/examples/linuxagent/program"
)

func main() { realmodel.Main(program.Run) }
