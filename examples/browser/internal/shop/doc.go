// Package shop puts the parts of the browser example together: two web sites, two
// browsers, a folder, a model, and a host with an agent for each application.
//
//	w, err := shop.Start(ctx, shop.Config{Seed: 1, User: person})
//	…
//	defer w.Close()
//	report, err := w.Run(ctx)
//
// # Parts
//
// [Start] starts three MCP servers by one call of adapters/mcp: @playwright/mcp with
// a Chromium of its own for each site, and @modelcontextprotocol/server-filesystem.
// adapters/playwright makes a desktop of each browser that stays on its site, and a
// desktop.Screen has the three as windows, from which the host chooses. The model is
// asked over HTTP in any case, through adapters/openai.
//
// # What the policy stops
//
// Each application has a list of what its job takes: these tools, on controls of
// this type and name, as the browser shows them and not as the model calls them, with
// these texts. All else is denied. So are keys, since {ENTER} presses whatever has the
// focus, and addresses but that of the site itself: a link may order something just
// by being opened. Of the folder one file may be written.
//
// One act needs a person's yes, the button that sends the order; a link of that name
// is not the button. The question has the order as the page shows it. A yes is for
// that order: before the button is pressed, the page is read once more, and one that
// shows something else is not sent.
//
// What text in a page tells the model to do therefore comes to nothing, even when the
// model does it. What it cannot stop is a person who says yes without reading.
//
// # The password
//
// The model never has it. It is in a file that only the browser of the warehouse
// reads, under the name WAREHOUSE_PASSWORD (the option --secrets of @playwright/mcp).
// The model types that name, the server puts the password in its place, and shows the
// name in place of the password, should a page show it. The policy allows that text in
// the field for the password and nowhere else. The file is gone when the world is
// closed.
//
// # Processes
//
// [World.Close] ends the servers, waits for the browsers, and kills what is left then
// (on Linux, where it can be seen). When the program itself is killed, the servers end
// because their standard input does, and the browsers with them.
//
// # When a part breaks
//
// A browser that ends is started again by its server; the page is lost, and the agent
// begins anew, after what it remembers. An order that was sent is never sent again
// without asking. A server of MCP or of the model that ends is an ERROR, with a typed
// reason: *mcp.ServerError, llm.ErrUnavailable.
//
// # Concurrency
//
// Worlds are independent of one another. One is run by one goroutine; the methods
// that only tell something may be called by others meanwhile.
package shop
