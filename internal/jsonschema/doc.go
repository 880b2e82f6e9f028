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
//   - $ref to a place in the same document, recursion included
//   - true and false as schemas
//
// Two habits of older drafts are understood, because tools in the wild have
// them: items as a list with additionalItems, and a boolean exclusiveMinimum or
// exclusiveMaximum beside its bound.
//
// # What is not
//
// Unknown keywords, and format, are annotations. Keywords that would restrict a
// value but are not supported here (a $ref out of the document or to an anchor,
// $dynamicRef, unevaluatedProperties, unevaluatedItems, a pattern that needs
// look-around or back references) restrict nothing. A schema is then
// approximate: it may accept too much, and never refuses what the full
// standard accepts, because not, oneOf, if and maxContains draw no conclusion
// from what an approximate schema accepts. The tool itself has the last word.
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
