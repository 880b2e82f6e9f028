package loosejson

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/repair"
)

// closer returns what ends the string that begins here, "" when none does.
func closer(text string) string {
	switch {
	case text == "":
		return ""
	case text[0] == '"':
		return `"`
	case text[0] == '\'':
		return "'"
	case strings.HasPrefix(text, "“"), strings.HasPrefix(text, "”"):
		return "”"
	case strings.HasPrefix(text, "‘"), strings.HasPrefix(text, "’"):
		return "’"
	default:
		return ""
	}
}

// quoted reads a string in double, single or typographic quotes. Line breaks
// and tabs may stand in it as they are. An escape that JSON does not have is
// an error (a Windows path, a pattern, Markdown's \_ : each means something
// else), and so is half a surrogate pair.
func (p *parser) quoted() (string, error) {
	end := closer(p.text[p.pos:])
	open := p.pos
	switch {
	case len(end) > 1:
		p.notes.add(repair.Typographic, open)
	case end == "'":
		p.notes.add(repair.Single, open)
	}
	p.pos += len(end) // both are of one length
	start := p.pos
	defer func() { p.work += p.pos - open }()
	var built []byte // nil as long as the string stands in the text as it is
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == end[0] && strings.HasPrefix(p.text[p.pos:], end):
			s := p.text[start:p.pos]
			if end != `"` || strings.IndexByte(p.text[open:p.pos], '\n') >= 0 {
				p.part(open+len(end), p.pos)
			}
			p.pos += len(end)
			if built != nil {
				s = string(append(built, s...))
			}
			if !utf8.ValidString(s) {
				return "", &Error{Offset: open, Reason: "a string that is not UTF-8"}
			}
			return s, nil
		case c == '\\':
			if end == `"` && strings.HasPrefix(p.text[p.pos:], `\'`) {
				p.notes.add(repair.Escape, p.pos)
			}
			if built == nil {
				built = make([]byte, 0, p.pos-start+64)
			}
			built = append(built, p.text[start:p.pos]...)
			var err error
			if built, err = p.escape(built); err != nil {
				return "", err
			}
			start = p.pos
		default:
			if c < ' ' {
				p.notes.add(repair.Control, p.pos)
			}
			p.pos++
		}
	}
	return "", &Error{Offset: open, Reason: "a string is not closed"}
}

const (
	escapes  = `"\/bfnrt'`
	meanings = "\"\\/\b\f\n\r\t'"
)

func (p *parser) escape(dst []byte) ([]byte, error) {
	rest := p.text[p.pos:]
	if len(rest) < 2 {
		p.pos = len(p.text)
		return dst, p.fail("a string is not closed")
	}
	if i := strings.IndexByte(escapes, rest[1]); i >= 0 {
		p.pos += 2
		return append(dst, meanings[i]), nil
	}
	if rest[1] != 'u' {
		return dst, p.fail(`a backslash before something that JSON does not escape (a backslash itself is \\)`)
	}
	r, ok := codeUnit(rest)
	if !ok {
		return dst, p.fail(`\u without four hexadecimal digits`)
	}
	size := 6
	if utf16.IsSurrogate(r) {
		low, _ := codeUnit(rest[size:])
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			return dst, p.fail("half of a surrogate pair")
		}
		size = 12
	}
	p.pos += size
	return utf8.AppendRune(dst, r), nil
}

// codeUnit reads \uXXXX.
func codeUnit(text string) (rune, bool) {
	if len(text) < 6 || text[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:6], 16, 16)
	return rune(n), err == nil
}
