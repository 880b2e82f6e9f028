// Withmodel is the example office with a model that MODEL, OPENAI_BASE_URL and OPENAI_API_KEY name:
//
//	MODEL=qwen3 OPENAI_BASE_URL=http://127.0.0.1:11434/v1 go run ./office/withmodel -in report.docx -out sales.xlsx
package main

import (
	"github.com/agentfsm/agentfsm/examples/internal/realmodel"
	"github.com/agentfsm/agentfsm/examples/office/internal/cli"
)

func main() { realmodel.Main(cli.Run) }
