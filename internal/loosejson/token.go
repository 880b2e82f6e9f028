package loosejson

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/internal/repair"
)

// space skips white space and comments.
func (p *parser) space() error {
	for p.pos < len(p.text) {
		rest := p.text[p.pos:]
		p.work++
		switch c := rest[0]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			p.pos++
		case c == '#' || strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			p.notes.add(repair.Comment, p.pos)
			p.part(p.pos, p.pos+end)
			p.pos += end
			p.work += end
			p.lineEnd = p.pos
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				err := p.fail("a comment is not closed")
				p.pos, p.named = len(p.text), p.named || p.inner > 0
				p.work += len(rest)
				return err
			}
			p.notes.add(repair.Comment, p.pos)
			p.part(p.pos, p.pos+2+end)
			p.pos += 2 + end + 2
			p.work += end
		case c == '\\' && len(rest) > 1 && strings.IndexByte("nrt", rest[1]) >= 0:
			p.notes.add(repair.Space, p.pos)
			p.pos += 2
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(rest)
			switch {
			case r == bom && p.pos == 0:
				p.notes.add(repair.BOM, 0)
			case unicode.IsSpace(r) || invisible(r):
				p.notes.add(repair.Space, p.pos)
			default:
				return nil
			}
			p.pos += size
		default:
			return nil
		}
	}
	return nil
}

// part remembers a stretch that may have an object in it.
func (p *parser) part(start, end int) {
	p.work += end - start
	if raw := p.text[start:end]; strings.IndexByte(raw, '{') >= 0 || strings.Contains(raw, wideOpen) {
		p.parts = append(p.parts, stretch{start, end})
	}
}

const (
	wideOpen  = "｛"
	wideClose = "｝"
)

const bom = '\ufeff'

// invisible reports whether a character has no width and no meaning between
// the parts of JSON: joiners, marks of direction, byte order marks.
func invisible(r rune) bool {
	return '\u200b' <= r && r <= '\u200f' || '\u202a' <= r && r <= '\u202e' || '\u2060' <= r && r <= '\u2069' || r == bom
}

// name reads the name of a member: a string or a bare identifier.
func (p *parser) name() (string, error) {
	if closer(p.text[p.pos:]) != "" {
		p.named = true
		s, err := p.quoted()
		if p.pos >= len(p.text) {
			p.certain = true
		}
		return s, err
	}
	start := p.pos
	for i, r := range p.text[start:] {
		if !unicode.IsLetter(r) && r != '_' && r != '$' && (i == 0 || !unicode.IsDigit(r) && r != '-') {
			break
		}
		p.pos += utf8.RuneLen(r)
	}
	if p.pos == start {
		return "", p.unexpected("where a name should be")
	}
	p.work += p.pos - start
	p.notes.add(repair.BareName, start)
	return p.text[start:p.pos], nil
}

// word reads true, false and null, also in Python's spelling.
func (p *parser) word() (Value, error) {
	end := p.pos
	for end < len(p.text) && end-p.pos < 6 && ('a' <= p.text[end]|0x20 && p.text[end]|0x20 <= 'z') {
		end++
	}
	var v Value
	switch w := p.text[p.pos:end]; {
	case strings.EqualFold(w, "true"):
		v = Value{Kind: Bool, Text: "true"}
	case strings.EqualFold(w, "false"):
		v = Value{Kind: Bool, Text: "false"}
	case strings.EqualFold(w, "null") || w == "None":
	default:
		return v, p.unexpected("where a value should be")
	}
	if w := p.text[p.pos:end]; w != "true" && w != "false" && w != "null" {
		p.notes.add(repair.Literal, p.pos)
	}
	p.pos = end
	return v, nil
}

// number reads a number as JSON has it. A point without the 0 before it has one meaning, too; anything else, such as 007
// or 1_000, has several.
func (p *parser) number() (Value, error) {
	start, rest := p.pos, p.text[p.pos:]
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "+-.0123456789eE"))]
	p.pos += len(digits)
	p.work += len(digits)
	text := digits
	if strings.HasPrefix(strings.TrimPrefix(digits, "-"), ".") {
		p.notes.add(repair.Fraction, start)
		text = strings.Replace(digits, ".", "0.", 1)
	}
	if !json.Valid([]byte(text)) || text != digits && strings.ContainsAny(text, "eE") { // .5e3 may be a name
		return Value{}, &Error{Offset: start, Reason: "a number that is not written as JSON wants it"}
	}
	return Value{Kind: Number, Text: text}, nil
}
