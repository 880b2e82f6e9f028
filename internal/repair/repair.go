// Package repair has the names of what is repaired in a model's reply: the Kind of a
// llm.Repair. Package llm lists them for its users.
package repair

// What may be repaired.
const (
	// The text of a reply.
	Fence       = "fence"              // a Markdown fence, or backticks, around the object
	Tags        = "tags"               // <answer> or other tags around it
	Prose       = "prose"              // other text around it
	Thoughts    = "thoughts"           // <think>…</think>, dropped
	BOM         = "byte order mark"    // at the start
	Quoted      = "quoted reply"       // the whole object inside a JSON string
	Repeated    = "repeated object"    // the same object once more
	Space       = "odd space"          // white space that JSON does not know, or an invisible mark
	Comment     = "comment"            // //, /* */ or #
	Comma       = "trailing comma"     // behind the last element
	Single      = "single quotes"      // 'x' where "x" should be
	Typographic = "typographic quotes" // “x” or ‘x’
	FullWidth   = "full-width sign"    // ： for a colon, ， for a comma
	BareName    = "bare name"          // a name without quotes
	Control     = "raw control"        // a line break, or another control character, as it is in a string
	Escape      = "escape"             // \' in double quotes
	Literal     = "literal"            // True, False or None, or true, false or null in other letters
	NoComma     = "missing comma"      // at the end of a line, before a name
	Fraction    = "fraction"           // .5 for 0.5
	Listed      = "list of one"        // the object as the one element of a list
	SameName    = "same name"          // a name twice, or two names of one field, with the same value

	// How it fits the type that was asked for.
	Name       = "name"           // another spelling of a field's name
	Alias      = "alias"          // another name of a field
	Unknown    = "unknown name"   // a name that no field has; it is left out
	Text       = "text"           // a number where a string should be
	Number     = "number"         // a string that is a number, where a number should be
	Boolean    = "boolean"        // a string that is true or false, where a boolean should be
	List       = "list"           // one element without its list
	ListText   = "list in text"   // a list as a string with JSON in it
	ObjectText = "object in text" // an object as a string with JSON in it
	Empty      = "empty text"     // an empty string for an empty list or no object
	Null       = "null"           // null for nothing, where it should not be

	// How the schema went to a server that does not take it as it should go: adapters report these.
	NotStrict = "schema not strict"    // the model was shown a closed schema, or tools, and not held to it
	InPrompt  = "schema in the prompt" // it was a text of the prompt

	NotForced = "call not forced" // likewise: the model was let choose whether to call a tool

	NoCache = "no cache breakpoints" // likewise: the server was not told what to cache, since it refuses that

	// What an agent makes of it: llm.Decode does not report these.
	Wrapper  = "wrapper"   // the decision as the one value of another object
	Call     = "call"      // a call in another form, such as {"name": …, "arguments": …}
	Argument = "argument"  // arguments of a tool as other types, in other letters, or one object deeper
	Status   = "status"    // a full stop behind the status, or none beside a call
	Moved    = "moved"     // a call, or a status, in an action where the decision itself should have it
	Window   = "window"    // a part of a window's title, such as "Microsoft Word" for "Microsoft Word - Document1", or its name in other letters
	Tool     = "tool name" // another name of a tool, such as select_application
)
