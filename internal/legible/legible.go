package legible

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Exact escapes what a terminal would obey or not show, such as marks that
// turn the direction of writing and letters that are blank: what is read must be
// what is executed.
func Exact(text string) string {
	return escape(text, func(r rune) bool { return !unicode.IsPrint(r) || blank(r) })
}

// Name is the name of a tool in a question. One that is none by the rules
// of most desktops, such as a sentence or letters that look like others, is
// quoted in ASCII, so that it cannot speak for the question around it.
func Name(name string) string {
	for _, r := range name {
		if r >= 0x80 || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./:", r) {
			return strconv.QuoteToASCII(name)
		}
	}
	return name
}

// Text escapes what would change how the rest of a text is shown: all control
// characters but line breaks and tabs, and marks that turn the direction of
// writing of what follows.
func Text(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return escape(text, func(r rune) bool {
		switch r {
		case '\n', '\t':
			return false
		case '\u200e', '\u200f', '\u061c': // marks on one place, as writers of Arabic and Hebrew need them
			return false
		}
		return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) || tag(r)
	})
}

// Blank reports whether a person would see nothing of a text.
func Blank(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !blank(r) }) < 0
}

// blank reports whether r is printable and cannot be seen.
func blank(r rune) bool {
	return r == '\u2800' || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// tag reports whether r is one of the tags, which spell a text that nobody sees.
func tag(r rune) bool { return 0xE0000 <= r && r <= 0xE007F }

func escape(text string, hidden func(rune) bool) string {
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if !hidden(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
