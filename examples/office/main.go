// Office takes a table from a document to a bar chart in a spreadsheet, in a real LibreOffice: Writer shows the document,
// Calc is filled, draws and saves. The agents see the windows through the accessibility tree and work with mouse and
// keyboard, on a screen of their own that nobody sees.
//
//	make office IN=report.odt OUT=costs.ods REQUEST="draw a bar chart of the costs"    # in the root
//	go run ./office -in report.docx -out sales.xlsx -v                                 # in examples
//
// It needs LibreOffice, Xvfb, openbox, dbus and at-spi2-core, and says which of them are not installed. Rules play the
// model (internal/rules). Program withmodel beside this file is the same with a real one.
package main

import (
	"github.com/agentfsm/agentfsm/examples/internal/person"
	"github.com/agentfsm/agentfsm/examples/office/internal/cli"
)

func main() {
	person.Main(cli.Run, nil, "Rules play the model here. MODEL=name make office asks a real one.")
}
