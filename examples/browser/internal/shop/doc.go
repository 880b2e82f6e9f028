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
// is not the button. The question has the order that the page shows, in words of this
// program: articles, quantities and the reference must have their form, there must be one
// table of them, and the reference must be the user's. Of the page's own words only
// the names of articles are in it, in quotes and with all that cannot be seen written
// out. A page that can be read in two ways is not asked about. A yes is for that order:
// before the button is pressed, the page is read once more, and one that shows something
// else is not sent. Where the page asks once more in a dialog, so is the person.
//
// What text in a page tells the model to do therefore comes to nothing, even when the
// model does it. It cannot stop a person who says yes without reading. A site
// that sends something else than it shows is found afterwards, in the database:
// [ErrOtherOrder].
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
// begins anew, after what it remembers. The button is pressed once, by policy: where
// nobody can say whether an order arrived, since the browser ended in that moment, the
// run is a FAIL, the reason says so, and a person has to look. With an approval that was
// not used yet the person is asked again.
//
// A server of MCP that ends is an ERROR with a typed reason, *mcp.ServerError, and so is
// that of the model, llm.ErrUnavailable, when it does not come back while the call is
// tried again. A server that says nothing any more is bounded by Config.MaxCommand for
// each command, and by Config.MaxDuration for all.
//
// # Concurrency
//
// Worlds are independent of one another. One is run by one goroutine; the methods
// that only tell something may be called by others meanwhile.
package shop
