// Package jsonschema checks values against the schemas with which tools
// describe their parameters. It is a subset of JSON Schema, draft 2020-12, in
// the few hundred lines that this takes, so that the core needs no dependency
// for it. The comment of package desktop has the subset.
//
// A keyword that would restrict a value and is not in the subset is not passed over:
// [Schema.Unchecked] names it, and package desktop leaves the tool out, or has it checked
// by a Validator. Every other keyword is an annotation.
//
// Bounds are exact, never through floating point. Two habits of older drafts are in the
// subset, because libraries write them for lists of fixed length and records: items as a
// list, with additionalItems, and definitions. A pattern is one of package regexp, which
// may begin with look-aheads.
//
// # Secrets
//
// A schema marks what is to be kept from people with writeOnly, or with the
// format password in any case of letters. [Schema.Secrets] finds it, and where
// it cannot know, it takes too much rather than too little. In a document with
// at least one such mark, wherever that is, these are secret, too:
//
//   - a value under a reference that cannot be followed
//   - a value under a keyword that is not checked, or not known, when that holds a mark
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
// is not checked, or not known, counts for the value beside it and all values in that; where
// there is a reference in it, or one that cannot be followed, every format of the document
// does. One in another document is not seen.
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
