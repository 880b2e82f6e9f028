// Browser orders what a warehouse is short of from its supplier, in two real browsers, and writes a summary into a
// file. A HostAgent gives each part to the AppAgent of one application: the warehouse, the supplier, a folder. The
// sites are served by the program itself; the browsers are Chromium, driven by @playwright/mcp; the folder belongs to
// @modelcontextprotocol/server-filesystem. A person approves the order. At the end the supplier's database and the file must
// have the right one.
//
//	make browser                                         # in the root: ten runs, and one with a no
//	go run ./browser -parts folder-with-node_modules -v  # in examples
//
// Rules play the model (internal/rules). Program withmodel beside this file is the same with a real one.
package main

import (
	"github.com/agentfsm/agentfsm/examples/browser/internal/cli"
	"github.com/agentfsm/agentfsm/examples/internal/person"
)

func main() {
	person.Main(cli.Run, nil, "Rules play the model here. MODEL=name go run ./browser/withmodel asks a real one.")
}
