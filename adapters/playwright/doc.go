// Package playwright makes a Desktop of a browser that @playwright/mcp drives, an MCP server of the
// Playwright project.
//
//	servers, err := mcp.Open(ctx, mcp.Config{Servers: []mcp.Server{{
//		Name: "shop", Command: []string{"npx", "@playwright/mcp@0.0.83", "--isolated", "--headless"},
//	}}})
//	...
//	defer servers.Close()
//	browser, err := playwright.New(servers.Server("shop"), &playwright.Options{
//		Name: "shop", Home: "https://shop.example/", Origins: []string{"https://shop.example"},
//	})
//	...
//	pol, err := playwright.Policy(&playwright.PolicyOptions{Origins: []string{"https://shop.example"}})
//
// The server's own tools take a ref and the model's words for what that is. Here the controls of the page
// are what get_ui_tree returns, acts name them by their id, and policies are told what the page calls them
// ([policies.ControlOf]).
//
// # What is seen
//
// get_ui_tree returns one control of the type page, with the title as its name and the URL as its value,
// and in it the controls of the page's accessibility tree: id is the server's ref ("e12", "f1e3" in a
// frame), type the role, value what is in a field and, in brackets, states ("[checked]", "[options: S | M |
// L]"). A row of a table, a paragraph, an item of a list is one control whose value is its text; a button
// in a row says which row. Of a long page a part is shown (Options.MaxBytes); show_part shows others. With
// more than one browser tab, the tabs are controls, too. While a dialog of the page is open, it is all that
// is seen.
//
// What is in a field that calls itself a password is shown as ***. That goes by its name. The server types a
// secret of its flag --secrets into any field; a picture shows it all the same.
//
// # What is done
//
// The tools are click_input, set_edit_text, keyboard_input, select_option, navigate, go_back, select_tab,
// close_tab, accept_dialog, dismiss_dialog, and, changing nothing, wait, wait_for_text, show_part, texts.
//
// The page is looked at again right before each act: its URL, the tab, role and name of the control, the
// row or list item that it is in, and where a link leads must be what get_ui_tree last returned to the same
// agent. Else the act fails, and nothing is clicked on. A button that means another row by now is shown with
// another id ("e12v2"), so an approval of the old one is void. After that look the server waits until
// the control can be clicked on, 5 seconds at most: a page that wants to deceive can use that.
//
// keyboard_input writes text where the control is. Keys in braces, and what is behind them, go where the
// focus is by then; if a key opens another page or a dialog, the rest is not typed.
//
// # What it can do to your machine
//
// The browser runs what web pages bring along, inside its sandbox, and it has your network. Without
// --isolated it keeps its profile, with all logins. At each act the server writes a copy of the page into
// its --output-dir. Tools by which a model could run code, write files or read the network are offered only if
// Options.ServerTools names them; their acts are not compared with what was shown.
//
// # Origins
//
// With Options.Origins, navigate and acts on links refuse other addresses before anything is requested. A
// page that is elsewhere is left for about:blank, and the act fails and says so. What is inside frames, and
// what scripts wrote into an empty page, is not shown: the server does not say where that is from. Pictures
// show frames. This bounds what the agent sees and works in. It is no firewall: pages load from anywhere,
// and a page that a script opens has been requested by then. Run the browser behind a proxy with a list if
// you must be sure.
//
// # When the browser is gone
//
// The server starts a browser that was closed or crashed again at the next call, with an empty page. Commands
// then fail with "the browser was closed; the page is lost" until a navigate. The window has another id and
// Process, and commands of the old one end with desktop.ErrWindowGone. A server that ended is an error. A
// command whose context ended may have happened. A page can keep the server from answering; commands then
// end with their deadline.
//
// It was written for @playwright/mcp 0.0.83. A form of snapshot that it does not know is a failure, not a
// guess; a server without the tools is [ErrServer].
package playwright
