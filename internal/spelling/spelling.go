// Package spelling takes the names of tools, parameters and controls apart, as people read them.
package spelling

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words splits a name as people write them (deleteFile, delete-file,
// DELETE_FILE, "Delete file…") into words in lower case.
func Words(name string) []string {
	var words []string
	for word := range Written(name) {
		words = append(words, strings.ToLower(word))
	}
	return words
}

// Written are the words with the letters as they are.
func Written(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		seen := strings.Map(halfWidth, Seen(name)) // a soft hyphen makes no two words
		start, before := -1, rune(0)
		for i, r := range seen {
			letter := unicode.IsLetter(r) || unicode.IsMark(r)
			// A new word begins at the U of deleteURL and at the F of URLFile.
			begins := unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsUpper(before) && beginsLower(seen[i+utf8.RuneLen(r):]))
			if start >= 0 && (begins || !letter) {
				if !yield(seen[start:i]) {
					return
				}
				start = -1
			}
			if letter && start < 0 {
				start = i
			}
			before = r
		}
		if start >= 0 {
			yield(seen[start:])
		}
	}
}

func beginsLower(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLower(r)
}

// Seen is a text without what takes no place on a screen, such as a soft hyphen or a
// blank of no width. Blanks stay, and so do ends of lines.
func Seen(text string) string { return without(text, -1) }

// Apart is a text with a blank for each letter that [Seen] leaves out.
func Apart(text string) string { return without(text, ' ') }

// halfWidth returns the usual form of a full-width sign.
func halfWidth(r rune) rune {
	if '！' <= r && r <= '～' {
		r -= '！' - '!'
	}
	return r
}

func without(text string, instead rune) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsControl(r) &&
			!unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			return r
		}
		return instead
	}, text)
}

// Fold is the form in which names are compared: letters and digits, in lower case.
func Fold(name string) string {
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return string(AppendFold(nil, name))
		}
	}
	return name
}

// AppendFold appends the Fold of a name. Who looks it up in a map makes no string of it.
func AppendFold(to []byte, name string) []byte {
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			to = utf8.AppendRune(to, unicode.ToLower(r))
		}
	}
	return to
}
