package linuxdesktop

import (
	"strings"
	"unicode"
)

// How much of one control a look shows, in characters.
const (
	maxName  = 200
	maxValue = 500
)

func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}

// oneLine makes one blank of each run of blanks, and leaves out what stands for an object in
// a text (U+FFFC) and what controls something.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ReplaceAll(s, "\ufffc", ""), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}
