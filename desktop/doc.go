// Package desktop is what agents act with: commands, their results, the tools
// that a desktop offers, and the [Desktop] interface, which hides the real
// thing. A desktop may be a screen, one application, a browser, a set of MCP
// servers, a shell, or several of those under one ([Join]).
//
// # Using a desktop
//
// A command is a tool's name and its parameters. [Open] lists the tools and
// checks them; [Toolbox.Check] checks a command against its tool's schema before
// anything is sent; [Execute] sends it.
//
//	box, err := desktop.Open(ctx, d)
//	...
//	cmd := desktop.Command{ToolName: desktop.ClickInput, Parameters: map[string]any{"id": "7", "name": "Save"}}
//	if err := box.Check(cmd); err != nil {
//		... // ErrUnknownTool or ErrParameters: say so to the model
//	}
//	res, err := desktop.Execute(ctx, d, cmd)
//
// A call can fail in two ways. When the tool says no, [Execute] returns a
// [Result] with status failure: the agent reads why and does something else.
// When the call broke, it returns a [*CallError]: nobody knows whether the
// command had an effect. [Result.Err] makes an error of the first, for code
// that does not go on either way.
//
// # Well-known commands
//
// Agents of this module look and act through the commands that are listed as
// constants, with the parameters that [ToolNamed] describes. A desktop offers
// those that it can. [Windows], [AppWindow], [UITree] and [Screenshot] look, and
// check what they return; [Shell] makes the command for a command line.
//
// # What every call has
//
// A deadline, 60 seconds unless [Timeout] says otherwise. An id, a UUID unless
// the command has one. Interceptors ([WithInterceptor]), through which a journal
// or a meter sees every call. A check of what came back: a result with an
// unknown status, of another call, or with broken JSON is a [*CallError], never
// a success.
//
// # Windows
//
// A desktop that is also a [Scoper] can be narrowed to one window; commands then
// act on that window whatever has the focus. [Scope] does so where it can.
//
// What an approval is of is a window by its ID, with the Dialog in front of it and, for
// keys that name no control (keyboard_input without an id, and tools called press_key,
// type_text and the like), the Focus. get_app_window fills them in where the desktop can
// tell.
//
// # Origins
//
// [Tool].Origin says where a tool is, such as the server that has it. [Join] adds
// which desktop: "desktop 1" for the first, "desktop 1: mail" for its server mail.
// A [Command] for a tool of one origin is not executed by another one that has the
// name by then. When joined desktops change places between two releases, approvals
// that wait go to another desktop, where those say no origin of their own.
//
// # A desktop of Go funcs
//
// [Func] makes a tool of a func: the fields of its argument are the schema, what
// it returns is the result, its error is the tool saying no. [New] makes a Desktop
// of several. [Screen] gives each of several Desktops a window, so that a
// HostAgent can choose among them; one that has a window itself, such as a browser,
// makes the screen's another when it was closed.
//
//	sheet, err := desktop.New(
//		desktop.Func("set_cell", "Write a cell.", setCell, nil),
//		desktop.Func("get_cell", "Read a cell.", getCell, &desktop.FuncOptions{Annotations: desktop.Annotations{ReadOnlyHint: true}}))
//	...
//	d, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "sheet"}, Desktop: sheet})
//
// These tags of a parameter count:
//
//   - json: the name; a field with omitempty or omitzero, or of a pointer type,
//     is not required. "-" leaves it out. The option string is refused.
//   - desc: the description, which the model reads.
//   - enum: the only values, separated by commas; of a list, the only elements.
//   - format: of a string, such as date-time. What has the format password is a
//     secret, see below.
//
// A name in another case, which encoding/json would take for that of a field and
// a schema would not, is refused. What a func returns becomes the result: a string
// a text, an [Image] or a pointer to one an image, [Content] or a list of it
// content, a [Result] itself, a struct{} or nil nothing, anything else JSON.
//
// A Desktop on a [Screen] that is a [Scoper] and lists exactly one window is
// narrowed to that one when its App's window is. When it shows another instead, a
// browser that was closed for instance, the App's window becomes another, too: its
// Process changes from "1" to "1.2", so that an AppAgent of the old one notices and
// a HostAgent that looks again finds the new one. The screen sees that when an
// agent asks for get_app_window, or narrows; listing asks no App. A Scoper with
// more windows, or none, is not narrowed.
//
// # Implementing a desktop
//
// Where funcs are not enough, the two methods of [Desktop] are all that is
// needed. [TextResult], [JSONResult] and [FailureResult] make
// results, [ToolNamed] gives the description of a well-known command,
// [Command.Decode] reads the parameters. Deadlines, ids and checks are not the
// implementation's affair; honouring the context is. Package desktoptest has a
// desktop in memory for tests, and in desktoptest.Run the test that every
// implementation should pass.
//
// # Secrets
//
// A parameter whose schema says writeOnly, or format password, is for the tool
// alone. [Toolbox.Mask] returns a copy of a command without it,
// [Toolbox.Secrets] its values, so that they can be found elsewhere. Problems
// that [Toolbox.Check] reports never quote a value.
package desktop
