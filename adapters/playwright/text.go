package playwright

import (
	"fmt"
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

// clip cuts a text where a character ends.
func clip(s string, limit int) string {
	if limit < 0 || len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// oneLine makes one blank of each run of blanks and of characters that control
// something.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// reason is why the server refused, from its answer: the first line, and what it
// waited for last.
func reason(answer string) string {
	answer = colours.ReplaceAllString(answer, "")
	answer = strings.TrimPrefix(answer, "### Error\n")
	answer, log, _ := strings.Cut(answer, "\nCall log:\n")
	answer = oneLine(firstLine(answer))
	for _, prefix := range []string{"Error: ", "TimeoutError: ", "browserBackend.callTool: ", "Error: "} {
		answer = strings.TrimPrefix(answer, prefix)
	}
	for line := range strings.SplitSeq(log, "\n") {
		line = strings.TrimPrefix(oneLine(line), "- ")
		if strings.HasPrefix(line, "element is ") || strings.Contains(line, "intercepts pointer events") {
			return clip(answer+" "+line, maxValue)
		}
	}
	return clip(answer, maxValue)
}

// brief is what a model wrote, for an error. Of a long text it says the length alone: half a secret would not be found again.
func brief(s string) string {
	if len(s) > 60 {
		return fmt.Sprintf("(%d bytes)", len(s))
	}
	return s
}
