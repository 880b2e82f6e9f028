package section

import (
	"bytes"
	"strings"
)

// appendLine appends JSON without line breaks, so that no reader sees one in it, and without marks (see [Escape]).
func appendLine(out, text []byte) []byte {
	text = Escape(text)
	for _, odd := range []string{"\u0085", "\u2028", "\u2029"} {
		if bytes.Contains(text, []byte(odd)) {
			return append(out, lineBreaks.Replace(string(text))...)
		}
	}
	return append(out, text...)
}

// Line returns a text and JSON behind it, without line breaks and marks.
func Line(before string, text []byte) string {
	return string(appendLine(append(make([]byte, 0, len(before)+len(text)), before...), text))
}

// lineBreaks escapes what JSON allows in a string as it is and other readers
// take for the end of a line.
var lineBreaks = strings.NewReplacer("\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`)
