// Package jsonschema checks values against the schemas with which tools
// describe their parameters. It is a subset of JSON Schema, draft 2020-12, in
// the few hundred lines that this takes, so that the core needs no dependency
// for it.
//
// # What is checked
//
//   - type, enum, const
//   - minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf: exact,
//     never through floating point
//   - minLength, maxLength (in code points), pattern
//   - properties, patternProperties, additionalProperties, propertyNames,
//     required, minProperties, maxProperties, dependentRequired,
//     dependentSchemas
//   - prefixItems, items, minItems, maxItems, uniqueItems, contains,
//     minContains, maxContains
//   - allOf, anyOf, oneOf, not, if, then, else
//   - $ref to a place in the same document, recursion included: by pointer, by
//     $anchor, or by the $id of the document or of a part of it; $dynamicRef
//     where there is only one $dynamicAnchor of the name
//   - true and false as schemas
//
// Three habits of older drafts are understood, because tools in the wild have
// them: items as a list with additionalItems, a boolean exclusiveMinimum or
// exclusiveMaximum beside its bound, and an $id that is an anchor ("#name").
//
// # What is not
//
// Unknown keywords, and format, are annotations. Keywords that would restrict a
// value but are not supported here (a $ref out of the document or to a name
// that is not clear, $dynamicRef with a choice, $recursiveRef,
// unevaluatedProperties, unevaluatedItems, a pattern that needs look-around or
// back references) restrict nothing. A schema is then approximate: it may
// accept too much, and never refuses what the full standard accepts, because
// not, oneOf, if and maxContains draw no conclusion from what an approximate
// schema accepts. The tool itself has the last word.
//
// # Secrets
//
// A schema marks what is to be kept from people with writeOnly, or with the
// format password in any case of letters. [Schema.Secrets] finds it, and where
// it cannot know, it takes too much rather than too little. In a document with
// at least one such mark, wherever that is, these are secret, too:
//
//   - a value under a reference that cannot be followed
//   - a value under a keyword that is not understood (dependencies,
//     unevaluatedProperties, a word of somebody's own) when that holds a mark
//     or a reference
//   - a property whose name differs from that of a secret one in the case of letters
//     only, as encoding/json reads both
//   - every property that a pattern which is not supported may match, when its
//     schema is secret
//
// Definitions for references therefore belong under $defs or definitions: marks
// under another word hide the whole value beside it. A mark in another document
// is not seen, because nothing is fetched.
//
// # Formats
//
// A format restricts nothing, but says what a value is: [Schema.Place] has the formats
// of any schema that may apply to a place, however the schema puts it (combinations,
// references, patterns of names, items by their number). A format under a keyword that
// is not understood counts for the value beside it and all values in that. One in
// another document is not seen.
//
// # Bounds
//
// A schema of more than 1 MiB, or nested deeper than 200, does not compile; nor
// does one whose references lead back to themselves without a step into the
// value. A value that is nested deeper than 1,000, or takes too much work to
// check, is a problem of its own. Nothing is fetched.
//
// Problems name the place and what is wanted there. They never quote the value,
// which may be a secret.
package jsonschema
