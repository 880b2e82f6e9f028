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
// The server's own tools take a ref and the model's words for what that is. Here get_ui_tree returns the
// controls of the page, acts name them by their id, and policies learn what the page calls them
// ([policies.ControlOf]).
//
// # What is seen
//
// get_ui_tree returns one control of the type page, with the title as its name and the URL as its value. Its
// children are the controls of the page's accessibility tree: id is the server's ref ("e12", "f1e3" in a
// frame), type the role, value the text of a field and, in brackets, states ("[checked]", "[options: S | M |
// L]"). A row of a table, a paragraph, an item of a list is one control whose value is its text. A button in
// a row says which row. A long page has parts; show_part shows another one. Browser tabs are controls if
// there are several. While a dialog of the page is open, nothing else is seen.
//
// The content of a field whose name says that it is for a password is shown as ***. A picture shows it.
// The server types a secret of its flag --secrets into any field.
//
// # What is done
//
// The tools are click_input, set_edit_text, keyboard_input, select_option, navigate, go_back, select_tab,
// close_tab, accept_dialog, dismiss_dialog, and, changing nothing, wait, wait_for_text, show_part, texts.
//
// Right before each act the adapter looks at the page again. Its URL, the tab, role and name of the control,
// the row or list item around it, and the address of a link must be what get_ui_tree last returned to the
// same agent. Else the act fails, and nothing is clicked on. A button that means another row by now has
// another id ("e12v2"), so an approval of the old one is void. After that look the server waits up to 5
// seconds until the control can be clicked on: a page that wants to deceive can use that.
//
// keyboard_input writes text into the control. Keys in braces, and what follows them, go where the focus is
// by then. If another page or a dialog opens, the rest is not typed.
//
// # Your machine
//
// The browser runs what web pages bring along, inside its sandbox, and it has your network. Without
// --isolated it keeps its profile, with all logins. At each act the server writes a copy of the page into
// its --output-dir.
//
// # Origins
//
// With Options.Origins, navigate and acts on links refuse other addresses before anything is requested. The
// adapter leaves a page that is elsewhere for about:blank, and the act fails and says so. It does not show
// frames, or what scripts wrote into an empty page: the server does not say where that is from. Pictures
// show frames. This bounds what the agent sees and works in. It is no firewall: pages load from anywhere,
// and a page that a script opens has been requested by then. Run the browser behind a proxy with a list if
// you must be sure.
//
// # When the browser is gone
//
// After the browser was closed or crashed, the server starts it again at the next call, with an empty page.
// Commands then fail until a navigate. The window has another id and Process, and commands of the old one
// end with desktop.ErrWindowGone. A server that ended is an error. A command whose context ended may have
// happened. A page can keep the server from answering; commands then end with their deadline.
//
// The package knows @playwright/mcp 0.0.83. Another form of snapshot is a failure, not a guess. A server
// without the tools is [ErrServer].
package playwright
