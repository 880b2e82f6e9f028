package section

import (
	"bytes"
	"strings"
)

// AppendLine appends JSON without line breaks, so that no reader sees one in it, and without marks (see [Escape]).
func AppendLine(out, text []byte) []byte {
	text = Escape(text)
	if !odd(text) { // mostly
		return append(out, text...)
	}
	return append(out, lineBreaks.Replace(string(text))...)
}

// Line is AppendLine behind a text, as a string.
func Line(before string, text []byte) string {
	text = Escape(text)
	if odd(text) {
		return before + lineBreaks.Replace(string(text))
	}
	var line strings.Builder
	line.Grow(len(before) + len(text))
	line.WriteString(before)
	line.Write(text)
	return line.String()
}

func odd(text []byte) bool {
	return bytes.Contains(text, []byte("\u0085")) || bytes.Contains(text, []byte("\u2028")) || bytes.Contains(text, []byte("\u2029"))
}

// lineBreaks escapes what JSON allows in a string as it is and other readers
// take for the end of a line.
var lineBreaks = strings.NewReplacer("\u0085", `\u0085`, "\u2028", `\u2028`, "\u2029", `\u2029`)
