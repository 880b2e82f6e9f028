// Quickstart extracts a table from a Word document and draws a bar chart of it in Excel, without a display and offline:
//
//	go run ./quickstart -in report.docx -out sales.xlsx -request "a bar chart of the sales"
//
// Rules play the language model. With a real one, the same program is
//
//	MODEL=name go run ./quickstart/withmodel
//
// What cannot be done for certain ends in FAIL with a reason, and no file is written.
package main

import (
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/quickstart/program"
)

func main() {
	person.Main(program.Run, program.Rules, "Rules play the model here. MODEL=name make run asks a real one.")
}
