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
// command had an effect. [Result.Err] makes an error of a tool's no, for code
// that stops on both.
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
// [Execute] gives every call a deadline, 60 seconds unless [Timeout] says otherwise.
// It gives every command an id, a UUID where the command has none. Interceptors
// ([WithInterceptor]), such as a journal or a meter, see every call. Execute checks
// what came back: a result with an unknown status, of another call, or with broken
// JSON is a [*CallError], never a success.
//
// # Schemas
//
// The schema of a tool is JSON Schema, draft 2020-12. These keywords are checked:
//
//	any value    type, enum, const, allOf, anyOf, oneOf, not, true and false as schemas
//	numbers      minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
//	strings      minLength, maxLength, pattern: Go's regexp, and look-aheads behind a first ^
//	objects      properties, patternProperties, additionalProperties, propertyNames,
//	             required, minProperties, maxProperties
//	lists        items (also a list, with additionalItems), prefixItems, minItems,
//	             maxItems, uniqueItems
//	references   $ref to a place in the same schema, such as #/$defs/size
//
// These would restrict a value and are not checked: contains, dependentRequired,
// dependentSchemas, dependencies, if, unevaluatedItems, unevaluatedProperties, $dynamicRef,
// $recursiveRef, $ref to anything else, $id below the top, a pattern that Go does not know,
// and exclusiveMinimum and exclusiveMaximum as booleans. A tool with one of them is left
// out, the others stay: see [Toolbox.Unusable]. With a [Validator] it is there; that of
// adapters/jsonschema checks all of draft 2020-12. Every other keyword, such as format, is an
// annotation and restricts nothing.
//
// # Windows
//
// A desktop that is also a [Scoper] can be narrowed to one window; commands then
// act on that window whatever has the focus. [Scope] does so where it can.
//
// A person approves a command on one window, by its ID, and on the Dialog in front of
// it. For keys that name no control, such as press_key, the approval is also of the
// Focus. get_app_window fills these in where the desktop can tell.
//
// # Origins
//
// [Tool].Origin says where a tool is, such as the server that has it. [Join] puts the
// number of the desktop before it, such as "desktop 1: mail". A person approves
// send_mail of server A: if server B offers send_mail later, B never gets that
// command. Do not reorder the arguments of Join while approvals wait: where tools have no
// Origin of their own, one would reach another desktop.
//
// # A desktop of Go funcs
//
// [Func] makes a tool of a func: the fields of its argument are the schema, what
// it returns is the result, its error is the tool saying no. [New] makes a Desktop
// of several. [Screen] gives each of several Desktops a window, so that a HostAgent can
// choose among them: a HostAgent needs windows, and a Desktop of New has none.
//
//	sheet, err := desktop.New(
//		desktop.Func("set_cell", "Write a cell.", setCell, nil),
//		desktop.Func("get_cell", "Read a cell.", getCell, &desktop.Annotations{ReadOnlyHint: true}))
//	...
//	d, err := desktop.Screen(desktop.App{Window: desktop.Window{Root: "sheet"}, Desktop: sheet})
//
// These tags of a parameter count:
//
//   - json: the name; a field with omitempty or omitzero, or of a pointer type,
//     is not required. "-" leaves it out. The option string is refused.
//   - desc: the description, which the model reads.
//   - enum: the only values, separated by commas; of a list, the only elements.
//   - type:"object": a json.RawMessage or any that must hold an object.
//   - format: of a string, such as date-time, for the model; nothing checks it. A
//     string with the format password is a secret, see below.
//
// They are those of llm.SchemaOf, without those for replies alone. A struct may contain itself.
//
// For the field "to" a parameter "To" is refused: encoding/json would take it, and the
// schema does not. Do not call a parameter id, unless it is that of a control on the
// screen: an agent takes it for one, and shows it as one to the person who approves.
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
// A browser is a Desktop with a window of its own. When an agent narrows the [Screen] to
// the browser's App, the Screen narrows the browser to its window, too; that needs a
// [Scoper] that lists exactly one window. When the browser was closed and shows another
// window, the App's window becomes another: its Process changes from "1" to "1.2", so
// that an AppAgent of the old one notices, and a HostAgent that looks again finds the new
// one. The Screen notices that when an agent asks for get_app_window, or narrows.
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
// alone, wherever in the schema that stands, in keywords that are not checked, too. [Toolbox.Mask] returns a copy of a command with *** in its place,
// [Toolbox.Secrets] its values, so that they can be found elsewhere. Problems
// that [Toolbox.Check] reports never quote a value.
package desktop
