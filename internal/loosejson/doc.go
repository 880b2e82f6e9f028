// Package loosejson reads JSON as language models write it.
//
// It accepts what has one meaning only: comments (//, /* */, #), a comma behind
// the last element, single or typographic quotes, names without quotes, line
// breaks inside strings, \' in double quotes, spaces and invisible marks that JSON
// does not know, the wide colon and comma, Python's True, False and None. It
// refuses what could mean two things: a quote in a string that is not escaped, an escape that JSON
// does not have, a missing comma or brace, a name that is there twice with
// different values. It never guesses.
//
// [Parse] reads a text that is one value, [Find] the one object in a reply with
// prose, fences and thoughts around it. All take time linear in the text, each byte is read a few
// times at most, and nesting is bounded by [MaxDepth]: a text may come from
// anyone.
package loosejson
