// Withmodel is the example browser with a model that MODEL, OPENAI_BASE_URL and OPENAI_API_KEY name:
//
//	MODEL=qwen3 OPENAI_BASE_URL=http://127.0.0.1:11434/v1 go run ./browser/withmodel -v
package main

import (
	"github.com/agentfsm/agentfsm/examples/browser/internal/cli"
	"github.com/agentfsm/agentfsm/examples/internal/realmodel"
)

func main() { realmodel.Main(cli.Run) }
