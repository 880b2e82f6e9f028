// Package loosejson reads JSON as language models write it.
//
// It accepts what has one meaning only: comments (//, /* */, #), a comma behind
// the last element, single or typographic quotes, names without quotes, line
// breaks inside strings, Python's True, False and None. It refuses what could
// mean two things: a quote in a string that is not escaped, an escape that JSON
// does not have, a missing comma or brace, a name that is there twice with
// different values. It never guesses.
//
// [Parse] reads a text that is one value, [Find] the one object in a reply with
// prose and fences around it. Both take time linear in the text, each byte is
// read once, and nesting is bounded by [MaxDepth]: a text may come from anyone.
package loosejson
