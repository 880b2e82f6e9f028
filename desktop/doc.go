// Package desktop is what agents act with: commands, their results, the tools
// that a desktop offers, and the [Desktop] interface. A Desktop is a set of tools: of a
// screen, one application, a browser, MCP servers or a shell. [Join] makes one of several.
//
// # Using a desktop
//
// A command is a tool's name and its parameters. [Open] lists the tools and
// checks them; [Toolbox.Check] checks a command against its tool's schema before
// anything is sent; [Execute] sends it.
//
//	box, err := desktop.Open(ctx, d, nil)
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
// command had an effect. [Result.Err] turns the tool's no into an error, for code
// that treats both alike.
//
// # Well-known commands
//
// Agents of this module look and act through the commands that are listed as
// constants, with the parameters that [ToolNamed] describes. A desktop offers
// those that it can. [Windows], [AppWindow], [UITree] and [Screenshot] read the state of
// the desktop, and check what it returns; [Shell] makes the command for a command line.
//
// # What every call has
//
// [Execute] gives every call a deadline, 60 seconds unless [Timeout] says otherwise.
// A command without an id gets a UUID. Interceptors
// ([WithInterceptor]), such as a journal or a meter, see every call. Execute checks
// what came back: a result that has an unknown status, belongs to another call, or has
// broken JSON is a [*CallError], never a success.
//
// # Schemas
//
// The schema of a tool is JSON Schema, draft 2020-12. These keywords are checked:
//
//	any value    type, enum, const, allOf, anyOf, oneOf, true and false as schemas
//	numbers      minimum, maximum, exclusiveMinimum, exclusiveMaximum
//	strings      minLength, maxLength, and pattern if package regexp knows it
//	objects      properties, additionalProperties, propertyNames, required, minProperties,
//	             maxProperties
//	lists        items, minItems, maxItems
//	references   $ref to a place in the same schema, such as #/$defs/size
//
// Other keywords of JSON Schema that restrict a value, such as not, if, contains, prefixItems and
// patternProperties, are not checked. Neither is a $ref to anything else, nor an $id below the top.
// Open leaves out a tool whose schema has one of them, and keeps the others: [Toolbox.Unusable] says
// why. With a [Validator] the tool stays. The Validator of adapters/jsonschema checks all of draft
// 2020-12. Every other keyword, such as format, is an annotation and restricts nothing.
//
// # Windows
//
// A desktop that is also a [Scoper] can be narrowed to one window; commands then
// act on that window whatever has the focus. [Scope] narrows a Scoper, and returns any other
// Desktop as it is.
//
// An approval holds for one window (Window.ID) with the same dialog in front of it
// (Window.Dialog). Keys such as press_key name no control: for them the focus (Window.Focus)
// must be the same, too. get_app_window fills in Dialog and Focus if the desktop knows them.
//
// # Origins
//
// [Tool].Origin says where a tool is, such as the server that has it. [Join] puts the
// number of the desktop before it, such as "desktop 1: mail". For example, a person has approved
// send_mail of server A. If server B offers a tool of that name later, B never gets that
// command. Do not reorder the arguments of Join while approvals wait: if tools have no
// Origin of their own, an approved command would reach another desktop.
//
// # A desktop of Go funcs
//
// [Func] makes a tool of a func: the fields of its argument are the schema, what
// it returns is the result, its error is the tool saying no. [New] makes a Desktop
// of several such tools. [Screen] gives each of several Desktops a window, so that a HostAgent can
// choose among them: a HostAgent needs windows, and a Desktop of New has none.
//
//	sheet, err := desktop.New(
//		desktop.Func("set_cell", "Write a cell.", setCell, nil),
//		desktop.Func("get_cell", "Read a cell.", getCell, &desktop.Annotations{ReadOnlyHint: true}))
//	...
//	d, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "sheet"}, Desktop: sheet})
//
// These struct tags on the fields of the argument have an effect:
//
//   - json: the name; a field with omitempty or omitzero, or of a pointer type,
//     is not required. "-" leaves it out. The option ",string" is an error.
//   - desc: the description, which the model reads.
//   - enum: the allowed values, separated by commas; on a list, the allowed elements.
//   - type:"object": on a field of type json.RawMessage or any: the value must be an object.
//   - format: of a string, such as date-time, for the model; nothing checks it. A
//     string with the format password is a secret, see below.
//
// llm.SchemaOf reads the same tags, and two more that are for replies alone: alias and bare. A
// struct may contain itself.
//
// Names are case-sensitive: for the field "to" the argument "To" is an error, although
// encoding/json would accept it. Do not name a parameter "id" unless it holds the id of a control
// on the screen: an agent takes every "id" for a control's, and shows it so to the person who approves.
//
// What a func returns becomes the result:
//
//	string                      text
//	Image, *Image               an image
//	Content, []Content          content
//	Result                      itself
//	struct{}, nil               nothing
//	anything else               JSON
//
// An App may have a window of its own, as a browser has. When an agent narrows the [Screen] to
// that App, the Screen narrows the browser to its window, too. The browser's Desktop must be a
// [Scoper] and list exactly one window. If the browser is started again, it has a new window. The
// Screen sees that when a command finds the old one closed, or at the next get_app_window or Scope. It
// changes the Process of the App's window from "1" to "1.2", and get_app_window of the old window ends
// with [ErrWindowGone]. A HostAgent that looks again finds the new window.
//
// # Implementing a desktop
//
// Where funcs are not enough, the two methods of [Desktop] are all that is
// needed. [TextResult], [JSONResult] and [FailureResult] make
// results; a picture is a [Content] with an [Image]. The well-known commands are the constants of this
// package, such as [GetUITree], and [ToolNamed] describes each. [NewToolbox] checks a list of tools, and its LeaveToTool
// keeps a tool with schema keywords that only the tool checks. [Command.Decode] reads the parameters. Your methods must honour the context; Execute does
// deadlines, ids and checks. Package desktoptest has a
// desktop in memory for tests, and in desktoptest.Run the test that every
// implementation should pass.
//
// # Secrets
//
// A parameter whose schema says writeOnly, or format password, is a secret that only the tool
// may see. The mark counts anywhere in the schema, also under keywords that are not checked.
// [Toolbox.Mask] returns a copy of a command with *** in place of the secret. [Toolbox.Secrets]
// returns the secret values of a command, so that you can hide them in other texts. Problems
// that [Toolbox.Check] reports never quote a value.
package desktop
