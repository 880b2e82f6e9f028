package loosejson

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	cut "github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/internal/repair"
)

// MaxDepth is how deeply arrays and objects may nest.
const MaxDepth = 128

// Error says what could not be read, and where.
type Error struct {
	Offset int // in bytes from the start of the text; -1: the whole
	Reason string
}

func (e *Error) Error() string {
	if e.Offset < 0 {
		return "loosejson: " + e.Reason
	}
	return fmt.Sprintf("loosejson: %s at byte %d", e.Reason, e.Offset)
}

// Parse reads a text that is one value and nothing else. The error is an
// [*Error].
func Parse(text string) (Value, error) {
	v, _, err := ParseNoting(text)
	return v, err
}

// ParseNoting is [Parse] and says what it repaired.
func ParseNoting(text string) (Value, Notes, error) {
	p := parser{text: text}
	v, err := p.whole()
	return v, p.notes, err
}

// whole reads a value and the end of the text.
func (p *parser) whole() (Value, error) {
	v, err := p.value(0)
	if err == nil {
		err = p.space()
	}
	if err == nil && p.pos < len(p.text) {
		err = p.unexpected("after the end of the value")
	}
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

// parser reads one value, from left to right and each byte once.
type parser struct {
	text  string
	pos   int  // after an error: where it stopped, never before what it has read
	inner int  // how many objects are open
	quiet bool // nobody reads why something is no JSON, as long as it is not certain
	notes Notes
	work  int // bytes and elements looked at, for the test that this grows as the text does

	// certain says that what was read is surely meant as JSON: a name and its
	// colon were there, or the text broke off inside an object. What is wrong
	// behind that is a broken reply, before it a brace in prose.
	certain bool

	named   bool      // a name was there, or its beginning
	parts   []stretch // strings and comments that may have an object in them
	behind  int       // an object that begins behind a comment to the end of a line; -1: none
	lineEnd int       // where the last such comment ends; -1: nowhere, or an object came since
}

// stretch is a part of the text.
type stretch struct{ start, end int }

// reset makes the parser ready for the value at start.
func (p *parser) reset(start int) {
	p.pos, p.inner, p.certain, p.work, p.named = start, 0, false, 0, false
	p.parts, p.behind, p.lineEnd = p.parts[:0], -1, -1
	p.notes = p.notes[:0]
}

func (p *parser) fail(reason string) error { return &Error{Offset: p.pos, Reason: reason} }

var errProse = &Error{Offset: -1, Reason: "prose"}

// unexpected says what stands where something else should be, without quoting
// more than a character of a text that may be secret. At the end of the text
// and inside an object it means that the object was cut off.
func (p *parser) unexpected(where string) error {
	switch {
	case p.pos >= len(p.text) && p.inner > 0:
		p.certain = true
		return p.fail("the text ends inside an object: write all of it")
	case p.quiet && !p.certain:
		return errProse // a text may have a million braces
	case p.pos >= len(p.text):
		return p.fail("the text ends " + where)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return p.fail(fmt.Sprintf("there is %q %s", r, where))
}

func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) value(depth int) (Value, error) {
	if err := p.space(); err != nil {
		return Value{}, err
	}
	if depth > MaxDepth {
		p.certain = true
		return Value{}, p.fail(fmt.Sprintf("nested more than %d deep", MaxDepth))
	}
	switch c := p.peek(); {
	case c == '{' || strings.HasPrefix(p.text[p.pos:], wideOpen):
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case closer(p.text[p.pos:]) != "":
		s, err := p.quoted()
		return Value{Kind: String, Text: s}, err
	case c == '-' || '0' <= c && c <= '9' || c == '.' && p.pos+1 < len(p.text) && '0' <= p.text[p.pos+1] && p.text[p.pos+1] <= '9':
		return p.number()
	default:
		return p.word()
	}
}

func (p *parser) array(depth int) (Value, error) {
	p.pos++
	v := Value{Kind: Array}
	for comma := -1; ; {
		if err := p.space(); err != nil {
			return v, err
		}
		if p.peek() == ']' {
			p.trailing(comma)
			p.pos++
			return v, nil
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		if comma, err = p.comma(']'); err != nil {
			return v, err // before there is a list of it: prose may have a million marks such as [1
		}
		if n := len(v.Items); n > 0 && n == cap(v.Items) {
			v.Items = slices.Grow(v.Items, n) // twice, where append adds a quarter to a long list and copies it often
		}
		v.Items = append(v.Items, item)
	}
}

func (p *parser) object(depth int) (Value, error) {
	if depth > 0 && p.lineEnd >= 0 && p.behind < 0 && strings.TrimSpace(p.text[p.lineEnd:p.pos]) == "" {
		p.behind = p.pos
	}
	p.lineEnd = -1
	p.skip('{', wideOpen)
	p.inner++
	v := Value{Kind: Object}
	names := map[string]int{} // of the members
	for comma := -1; ; {
		if err := p.space(); err != nil {
			return v, err
		}
		if p.skip('}', wideClose) {
			p.trailing(comma)
			p.inner--
			return v, nil
		}
		start := p.pos
		name, err := p.name()
		if err != nil {
			return v, err
		}
		if err := p.space(); err != nil {
			return v, err
		}
		if !p.skip(':', "：") {
			return v, p.unexpected("where the : of a name should be")
		}
		p.certain = true
		value, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		p.work++
		at, twice := names[name]
		switch {
		case !twice:
			names[name] = len(v.Members)
			v.Members = append(v.Members, Member{name, value})
		case !equal(v.Members[at].Value, value, &p.work):
			return v, &Error{Offset: start, Reason: fmt.Sprintf("%q is there twice, with different values", clip(name))}
		default:
			p.notes.add(repair.SameName, start)
		}
		if comma, err = p.comma('}'); err != nil {
			return v, err
		}
	}
}

// comma reads what stands behind an element: a comma, whose offset it returns,
// or the end, which stays.
func (p *parser) comma(end byte) (int, error) {
	from := p.pos
	if err := p.space(); err != nil {
		return -1, err
	}
	at := p.pos
	switch {
	case p.peek() == end, end == '}' && strings.HasPrefix(p.text[p.pos:], wideClose):
		return -1, nil
	case p.skip(',', "，"):
		return at, nil
	case end == '}' && p.nameNext(from):
		p.notes.add(repair.NoComma, at)
		return -1, nil
	case end == '}':
		return -1, p.unexpected("where a comma or the end of the object should be (is a quote in a string not escaped?)")
	}
	return -1, p.unexpected("where a comma or the end of the array should be")
}

// nameNext reports whether a new line begins with a name and its colon: then only
// the comma at the end of the line before is missing.
func (p *parser) nameNext(from int) bool {
	if p.peek() != '"' || strings.IndexByte(p.text[from:p.pos], '\n') < 0 {
		return false
	}
	const longest = 64
	rest := p.text[p.pos+1 : min(p.pos+longest, len(p.text))]
	end := strings.IndexAny(rest, "\"\\\n")
	return end > 0 && rest[end] == '"' && strings.HasPrefix(strings.TrimLeft(rest[end+1:], " "), ":")
}

// skip reads a sign, or the wide form that it has in Chinese and Japanese text.
func (p *parser) skip(sign byte, wide string) bool {
	switch {
	case p.peek() == sign:
		p.pos++
	case strings.HasPrefix(p.text[p.pos:], wide):
		p.notes.add(repair.FullWidth, p.pos)
		p.pos += len(wide)
	default:
		return false
	}
	return true
}

// trailing notes the comma behind the last element, where there was one.
func (p *parser) trailing(comma int) {
	if comma >= 0 {
		p.notes.add(repair.Comma, comma)
	}
}

func clip(s string) string {
	const limit = 64
	return cut.Name(s, limit) // no part of a long one: a secret may be in it
}
