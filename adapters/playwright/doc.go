// Package playwright makes a Desktop of a browser: one that @playwright/mcp drives,
// an MCP server of the Playwright project.
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
//	...
//	host, err := hostagent.New(hostagent.Config{Config: appagent.Config{Model: model, Desktop: browser, Policy: pol, User: user}})
//
// # Why not the server's tools
//
// They work with adapters/mcp alone: browser_click takes a ref of the page and the
// model's own words for what that is, so a policy and a person are shown those words.
// Here the page's controls are what get_ui_tree returns, acts name them by their id,
// and policies are told what the page calls them ([policies.ControlOf]).
//
// # What is seen
//
// get_ui_tree returns one control of the type page, with the title as its name and the
// URL as its value, and in it the controls of the page's accessibility tree: id is
// the ref that the server gives ("e12", "f1e3" in a frame), type the role, value what
// is in a field and, in brackets, states ("[checked]", "[disabled]", "[options: S | M
// | L]"). Boxes around boxes are left out. A row of a table, a paragraph, an item of
// a list is one control whose value is its text, with the controls inside it; a
// button in a row says which row. A label beside its field is left out. A row with
// a link and a button takes about 300 bytes.
//
// Of a long page a part is shown (Options.MaxBytes); show_part shows others. With more
// than one browser tab, the tabs are controls, too (tab0, tab1, …). While a dialog of
// the page is open (alert, confirm, prompt), it is all that is seen.
//
// texts reads one control, or all of the page with the id "page".
//
// What is in a field that calls itself a password is shown as ***. That goes by its
// name: a page can have others. A person logs in better than an agent, or
// the server's storage state has the login. With its flag --secrets the server types
// what the model gives the name of, into whichever field that is, and writes the name
// wherever a page shows it; a picture shows it all the same.
//
// # What is done
//
//   - click_input, set_edit_text, keyboard_input, select_option: on a control that was
//     shown.
//   - navigate, go_back, select_tab, close_tab.
//   - accept_dialog, dismiss_dialog: with the id "dialog".
//   - wait, wait_for_text, show_part: change nothing.
//   - upload_file: only with Options.Files, and only those.
//
// The page is looked at again right before each act, which takes 10 to 50 ms: its URL,
// the tab, role and name of the control, the row or item of a list that it is in, and
// where a link leads must be what get_ui_tree last returned to the same agent. Else the
// act fails and says what is there now, and nothing is clicked on. The server's refs
// alone would not do: they begin anew in each tab and in each browser, and pages that
// show a list anew, or turn by script, keep a button and mean another row by it. Such
// a button is shown with another id ("e12v2"), so an approval of the old one is void.
//
// What happens behind that look nobody sees. That is milliseconds, unless something
// lies over the control or it moves: then the server waits until it can be clicked on,
// 5 seconds at most (its flag --timeout-action), and clicks whatever it is called by
// then. A page that wants to deceive can use that. An approval is of a control, its
// row and the page's URL, not of all else that the page shows: what an order costs,
// for instance. A policy can look at that itself, as the one of examples/browser does.
//
// keyboard_input writes text where the control is. Keys in braces, and what is behind
// them, go where the focus is by then; when a key opens another page or a dialog, the
// rest is not typed. select_option looks afterwards what is chosen: the server takes
// a name for a value, too, and of options that are called like the values of others
// it chooses the first.
//
// # What it can do to your machine
//
// The server is a program that you start, see adapters/mcp. The browser runs what web
// pages bring along, inside its sandbox, unless it was told --no-sandbox. It has
// your network: pages of this machine and of networks that only you can reach are open
// to it, where Options.Origins does not say otherwise. Without --isolated it keeps its
// profile, with all logins. At each act the server writes a copy of the page
// into its --output-dir, and screenshots: what was on them stays there. Downloads
// go there, too.
//
// Not offered, unless Options.ServerTools names them, are tools by which a model could
// run code in the page (browser_evaluate), in the server (browser_run_code_unsafe,
// which is as much as a shell), write files (filename), read what was sent over the
// network, or drop files. Their acts are not compared with what was shown.
//
// # Origins
//
// With Options.Origins, navigate refuses other addresses, and so do acts on links that
// lead to one: nothing is requested. The page is checked whenever
// somebody looks, and right before and after each act: one that is elsewhere is left
// for about:blank, and the act fails and says so. What is inside frames is not shown,
// unless Options.Frames is set: the server does not say where that is from. Nor is
// what scripts wrote into an empty page (about:blank), nor the title of a tab that is
// elsewhere. Pictures show frames all the same.
//
// This bounds what the agent sees and works in. It is no firewall: a page that a button
// or a script opens has been requested by then, with what its address carries; pages
// load scripts and pictures from anywhere; a popup is open, if unseen, in another tab.
// The flags --allowed-origins and --blocked-origins of the server do no more (its
// documentation says that they are no security boundary). Whoever must be sure runs
// the browser in a container, behind a proxy with a list.
//
// # What Policy stops
//
// With the default policy every click and every address is allowed, and
// only accept_dialog and upload_file are asked about. [Policy] asks about buttons,
// the keys that send forms, addresses, and dialogs; it is made so that reading, filling
// in and following links need nobody. It goes by names and roles that the page wrote:
// a page that saves each change of a field, or sends a form when a field gets the
// focus, has done so before anybody is asked. Its documentation has the list. It
// composes with package policies:
//
//	policies.All(pol, policies.Tools("click_input", "set_edit_text", "texts", …))
//
// Everything on a page is untrusted, the title, names, and messages of dialogs
// included. Agents show it to the model as data. A page cannot write a control: the
// reader knows one form, the one in which the server quotes what pages say.
//
// # When the browser is gone
//
// A browser that was closed or crashed is started again by the server at the next
// call, with an empty page and perhaps without the login. That is noticed: commands
// fail with "the browser was closed; the page is lost" until somebody navigates. The
// window has another id and Process then, and commands of the old one end with
// desktop.ErrWindowGone. So an AppAgent of a host decides FAIL, and the host, which
// plans anew, finds a window whose page is Home again. On a desktop.Screen the
// screen's window becomes another in the same way. A page that goes
// to about:blank by itself is taken for a lost one.
//
// A server that ended is an error, that of the Desktop which New was given.
// A command whose context ended may have happened.
//
// A page can keep the server from answering, on purpose or not: with lists that are
// nested a hundred deep, or with a window that it opened and left at about:blank
// (seen with 0.0.83). Then commands end with their deadline, as errors.
//
// # Versions
//
// It was written for @playwright/mcp 0.0.83 and reads the schemas of tools for what
// changed before (target was ref). A form of snapshot that it does not know is a
// failure, not a guess; a server without the tools is [ErrServer].
package playwright
