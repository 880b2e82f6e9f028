// Package jsonschema checks values against the schemas of tools. It supports the subset of JSON
// Schema, draft 2020-12, that the comment of package desktop lists. [Schema.Unchecked] names a
// keyword that restricts values and is not in the subset: package desktop leaves such a tool out, or
// a Validator checks it. Keywords that JSON Schema does not define are annotations.
//
// A schema marks a secret with writeOnly or with the format password. [Schema.Hide] finds
// secrets, and rather too many than too few. If a document has such a mark, these are secret, too:
// a value under a reference that the package cannot follow, a value under a keyword that it does
// not check, if that has a mark or a reference, and a property whose name differs from that of a
// secret only in the case of letters.
//
// A format restricts nothing. [Schema.Place] returns the formats of each schema that may apply to
// a place. One under a keyword that is not checked counts for the value beside it and for all
// values inside that. If there is a reference in it, all formats of the document count.
//
// A schema does not compile if it is longer than 1 MiB, nested deeper than 200, or applies itself to
// the same value. A value that takes too much work is a problem. Problems never quote the value.
package jsonschema
