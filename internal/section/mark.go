package section

// Escape returns JSON in which no string has a mark of a chat template, such as <|im_start|>, </s> or [INST].
// Some servers take such a mark for the begin or the end of a turn, wherever it stands. The first letter of a
// mark is escaped, so the JSON means the same. JSON without marks is returned as it is.
//
// There are too many marks for a list. Each < counts that a name, a bar or a slash follows, and each bracket
// before capitals. A comparison, an arrow and a list stay short.
func Escape(text []byte) []byte {
	const hex = "0123456789abcdef"
	return replace(text, func(out []byte, c byte) []byte { return append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf]) })
}

// Break puts a blank into each mark of a text that a server reads without escapes, such as the description of a tool.
func Break(text []byte) []byte {
	return replace(text, func(out []byte, c byte) []byte { return append(out, c, ' ') })
}

func replace(text []byte, first func(out []byte, c byte) []byte) (out []byte) {
	from := 0
	for i, c := range text {
		if mark(text, i) {
			out = first(append(out, text[from:i]...), c)
			from = i + 1
		}
	}
	if from == 0 {
		return text
	}
	return append(out, text[from:]...)
}

// mark reports whether a mark may begin at a place. In JSON none of these letters stands outside of a string
// with such a letter behind it.
func mark(text []byte, at int) bool {
	rest := text[at+1:]
	if len(rest) == 0 {
		return false
	}
	next := rest[0]
	switch text[at] {
	case '<':
		return letter(next) || next == '|' || next == '/' || next == '_' || next == '[' || next == ']' || next >= 0x80
	case '[':
		if next == '/' || next >= 'a' { // [/INST], [gMASK]
			rest = rest[1:]
		}
		return len(rest) > 1 && capital(rest[0]) && capital(rest[1])
	case ']':
		return next == '~'
	case '~':
		return next == '['
	}
	return false
}

func capital(c byte) bool { return 'A' <= c && c <= 'Z' }

func letter(c byte) bool { return capital(c &^ 0x20) }
