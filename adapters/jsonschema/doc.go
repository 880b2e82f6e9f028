// Package jsonschema has a [desktop.Validator] for all of JSON Schema, draft 2020-12. It is a
// module of its own, on [github.com/google/jsonschema-go].
//
//	agent, err := appagent.New(appagent.Config{
//		Model: model, Desktop: tools,
//		Validator: jsonschema.Validator,
//	})
//
// Package desktop checks the keywords that most tools use, and agents leave out a tool with
// another one that would restrict its parameters, such as if or unevaluatedProperties. With this
// Validator such a tool is offered, and what its schema refuses is not sent.
//
// # What is checked
//
// All of draft 2020-12, and draft 7 where $schema says so. As in package desktop, format is an
// annotation, and numbers are compared as float64. Refused, so that the tool is left out, are
// schemas of other drafts, keywords of the one draft in a schema of the other, references to
// other documents, since nothing is fetched, and patterns that package regexp does not know.
//
// # Problems
//
// A problem names the first place that does not fit, the keyword, and where in the schema that
// stands:
//
//	$.size.width: does not fit minimum of its schema (#/then/properties/width)
//
// The * in $.rows[*].name is an element or a property that the library does not name. No value is
// quoted.
//
// # Bounds
//
// Checking takes time that can double with each level of a value, where a schema refers to itself
// twice. So a value that would take more than 100,000 visits of a schema is refused, and so is any
// value where a schema refers to itself without end.
package jsonschema
