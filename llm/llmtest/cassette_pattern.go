package llmtest

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// secretPattern finds a secret as it stands in a text: as it is, in JSON, in quotes, in a
// URL or in HTML, and in any of them inside of another. Writers do not agree on what
// they escape, nor on upper and lower case, so each character has all its forms, and the
// pattern is as long as the secret and no longer. Letters and digits of ASCII stand for
// themselves: nobody escapes them.
func secretPattern(secret string) *regexp.Regexp {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(secret, "\ufffd") {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			b.WriteRune(r)
			continue
		}
		b.WriteString("(?:" + strings.Join(characterForms(r), "|") + ")")
		if r == utf8.RuneError {
			b.WriteByte('+') // of several bytes that are no UTF-8 some make one of these, some as many
		}
	}
	return regexp.MustCompile(b.String()) // of quoted texts and numbers
}

// backslashes are those before an escape: each text in quotes inside of another
// doubles them.
const backslashes = `\\+`

// named are the characters that quotes have letters for, and those that HTML has
// names for.
var (
	quotedAs = map[rune]string{'\a': "a", '\b': "b", '\f': "f", '\n': "n", '\r': "r", '\t': "t", '\v': "v"}
	htmlAs   = map[rune]string{'<': "lt", '>': "gt", '&': "amp", '"': "quot", '\'': "apos", '\u00a0': "nbsp"}
)

// characterForms are patterns of what a character may be written as.
func characterForms(r rune) []string {
	itself := `\\*` + regexp.QuoteMeta(string(r)) // \" and \/ too
	if r == '\\' {
		itself = backslashes
	}
	forms := []string{itself}
	if r == ' ' {
		forms = append(forms, `\+|%(?:25)*2[bB]`) // in the query of a URL
	}

	// Backslashes: \n, \u003c, \xe9, \U0001f511, and two \u for what is beyond 16 bits.
	if letter, ok := quotedAs[r]; ok {
		forms = append(forms, backslashes+letter)
	}
	forms = append(forms, backslashes+fmt.Sprintf(`(?i:u%04x|U%08x)`, r, r))
	if r <= unicode.MaxLatin1 {
		forms = append(forms, backslashes+fmt.Sprintf(`(?i:x%02x)`, r))
	}
	if high, low := utf16.EncodeRune(r); high != unicode.ReplacementChar {
		forms = append(forms, fmt.Sprintf(`%s(?i:u%04x)%s(?i:u%04x)`, backslashes, high, backslashes, low))
	}

	// Per cent, byte by byte: %3c, and %253C inside of another URL.
	var percent, octets strings.Builder
	for _, c := range []byte(string(r)) {
		fmt.Fprintf(&percent, `%%(?:25)*(?i:%02x)`, c)
		fmt.Fprintf(&octets, `%s(?i:x%02x)`, backslashes, c) // as bytes in quotes
	}
	forms = append(forms, percent.String(), octets.String())

	// HTML: &lt; &#60; &#x3C; with an ampersand that may itself be escaped.
	name := fmt.Sprintf(`#0*%d|#[xX]0*(?i:%x)`, r, r)
	if known, ok := htmlAs[r]; ok {
		name += "|" + known
	}
	return append(forms, `(?:&|`+backslashes+`u0026|%26)(?:amp;)*(?:`+name+`);`)
}
