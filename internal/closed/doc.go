// Package closed makes of a JSON Schema one that providers can hold a model to: every object
// is closed, everything has a type, every property is required, and one that may be left out
// takes null. For example, of the parameters of a click,
//
//	{"type": "object", "properties": {"id": {"type": "string", "pattern": "^c"}, "twice": {"type": "boolean"}}, "required": ["id"]}
//
// id becomes a string and twice a boolean or null. Each argument also takes a reference to the
// blackboard, {"$ref": "subtask_result_1.data"}. [Opened] leads back.
//
// The closed form says less than the schema does: patterns, bounds and conditions are not in
// it, because some provider refuses each of them. Whoever takes a call checks it against the
// schema all the same. What a schema does not mention, nobody can say in the closed form.
//
// # What has no closed form
//
//   - an object with names that the schema does not have: additionalProperties that is not
//     false, patternProperties, or no properties at all
//   - a value without a type, and a list without one schema for its elements
//   - a schema that contains itself, or is nested deeper than [maxDepth]
//   - a reference that leads out of the schema, or nowhere
//   - a choice between two objects that begin with the same name: OpenAI's strict mode
//     refuses it
//   - several schemas that must all fit, where one is more than a restriction
//   - a property that is called $ref
//
// Such a tool is offered openly in [Calls]: its Args are an object in a text.
//
// # Shared parts
//
// [Share] writes what is there several times once, under $defs. OpenAI and Anthropic take
// that, and so do the grammars of llama.cpp, xgrammar and llguidance.
package closed
