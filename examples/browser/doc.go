// Browser orders what a warehouse is short of from its supplier, in two real
// browsers, and writes a summary of it into a file.
//
//	internal/lab/realparts/install.sh              # once, in the root: Node's parts, and Chromium
//	go run . -confirm yes                      # in this folder
//	make browser                               # in the root: ten times, and once with a no
//
// A HostAgent splits the request into three parts and gives each to the AppAgent of
// one application: the warehouse, where one logs in and reads a table that goes over
// three pages; the supplier, where a basket is filled; a folder. Both sites are web
// pages that the program itself serves on loopback, and each is open in a browser of
// its own, Chromium, driven by a server of its own, @playwright/mcp. The folder
// belongs to @modelcontextprotocol/server-filesystem. None of the three was written
// here. Before the order is sent, a person is asked. At the end the supplier's
// database and the file must have the right order.
//
//   - internal/shop puts the parts together and has the Policy.
//   - internal/sites are the two sites.
//   - internal/rules is the model: a small server of the program's own, which speaks
//     the protocol of OpenAI and decides by rules.
//
// With OPENAI_BASE_URL or OPENAI_API_KEY, and -model, a model of yours is asked in
// place of the rules:
//
//	OPENAI_BASE_URL=http://127.0.0.1:11434/v1 go run . -model qwen3 -v
//
// # Flags
//
//	-seed N            makes the data of the first run: 1; each run after it takes the next
//	-runs N            how many runs, one after the other
//	-confirm ask|yes|no
//	                   whether an order may be sent; without a terminal ask means no
//	-hostile           the pages give orders to the agent
//	-gullible          the model of the program follows them
//	-headed            shows the browsers
//	-out DIR           where the summaries go, each into a new folder
//	-parts DIR         the folder with node_modules
//	-model NAME        the model of your own endpoint
//	-jsonl FILE        record each step and the ends as lines of JSON
//	-v                 print what the agents do
//
// The status is 0 when every run ended in FINISH with what it should have done, 1
// else and 2 for wrong flags. Whatever was started is stopped, after an interrupt,
// too.
package main
