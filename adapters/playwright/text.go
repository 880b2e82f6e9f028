package playwright

import (
	"regexp"
	"strings"
	"unicode"
)

// How long pieces of a page may be in what is shown, in bytes.
const (
	maxName  = 1000 // the server leaves longer names of elements out
	maxValue = 500
	maxURL   = 200
	maxText  = 32 << 10 // of the tool texts
)

// cut shortens a text where a character ends.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// oneLine makes one blank of each run of blanks and control characters.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// reason is why the server refused: the first line of its answer, and what it waited for last.
func reason(answer string) string {
	answer = strings.TrimPrefix(colours.ReplaceAllString(answer, ""), "### Error\n")
	answer, log, _ := strings.Cut(answer, "\nCall log:\n")
	answer = oneLine(firstLine(answer))
	for _, prefix := range []string{"Error: ", "TimeoutError: ", "browserBackend.callTool: ", "Error: "} {
		answer = strings.TrimPrefix(answer, prefix)
	}
	for line := range strings.SplitSeq(log, "\n") {
		line = strings.TrimPrefix(oneLine(line), "- ")
		if strings.HasPrefix(line, "element is ") || strings.Contains(line, "intercepts pointer events") {
			answer += " " + line
			break
		}
	}
	return cut(answer, maxValue)
}
