package section

import (
	"fmt"
	"unicode/utf8"
)

// Escape returns JSON in which no string has a mark of a chat template, such as <|im_start|>, </s> or [INST].
// Some servers take such a mark for the begin or the end of a turn, wherever it stands. The first letter of a
// mark is escaped, so the JSON means the same. JSON without marks is returned as it is.
//
// There are too many marks for a list. Each <, ◁ and ✿ counts that a name, a bar or a slash follows, and each bracket
// before capitals or a bar, also if they are wide. A comparison, an arrow and a list stay short.
func Escape(text []byte) []byte {
	return replace(text, func(out []byte, r rune) []byte { return fmt.Appendf(out, `\u%04x`, r) })
}

// Break puts a blank into each mark of a text that is no JSON, such as the description of a tool. It changes what the
// text says, so it is not for what must be repeated, such as an argument or a value of a schema: see [Escape].
func Break(text []byte) []byte {
	return replace(text, func(out []byte, r rune) []byte { return append(utf8.AppendRune(out, r), ' ') })
}

func replace(text []byte, first func(out []byte, r rune) []byte) (out []byte) {
	from := 0
	for i := range text {
		if c := text[i]; c != '<' && c != '[' && c != ']' && c != '~' && c < 0x80 {
			continue // no mark begins with it
		}
		if r, size := mark(text[i:]); size > 0 {
			out = first(append(out, text[from:i]...), r)
			from = i + size
		}
	}
	if from == 0 {
		return text
	}
	return append(out, text[from:]...)
}

// mark returns the first letter of the mark that may begin with a text, and its size, which is 0 without one.
// In JSON none of these letters stands outside of a string with such a letter behind it.
func mark(text []byte) (r rune, size int) {
	switch text[0] {
	case '<', '[', ']', '~':
		r, size = rune(text[0]), 1
	case "◁"[0], "＜"[0]: // ✿ begins like the former, ［ like the latter
		r, size = utf8.DecodeRune(text)
	}
	if size == 0 || len(text) <= size || !opens(r, text[size:]) {
		return 0, 0
	}
	return r, size
}

// opens reports whether a letter begins a mark before a text.
func opens(first rune, rest []byte) bool {
	next := rest[0]
	switch first {
	case '<', '＜', '◁', '✿':
		return letter(next) || next == '|' || next == '/' || next == '_' || next == '[' || next == ']' || next >= 0x80
	case '[', '［':
		if next == '/' || next >= 'a' { // [/INST], [gMASK], [|system|]
			rest = rest[1:]
		}
		return next == '|' || len(rest) > 1 && capital(rest[0]) && capital(rest[1])
	case ']':
		return next == '~'
	case '~':
		return next == '['
	}
	return false
}

func capital(c byte) bool { return 'A' <= c && c <= 'Z' }

func letter(c byte) bool { return capital(c &^ 0x20) }
