// Withmodel is the example quickstart with a model that MODEL, OPENAI_BASE_URL and OPENAI_API_KEY name:
//
//	MODEL=qwen3 OPENAI_BASE_URL=http://127.0.0.1:11434/v1 go run ./quickstart/withmodel -in report.docx
package main

import (
	"github.com/agentfsm/agentfsm/examples/internal/realmodel"
	"github.com/agentfsm/agentfsm/examples/quickstart/program"
)

func main() { realmodel.Main(program.Run) }
