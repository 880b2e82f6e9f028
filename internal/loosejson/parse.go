package loosejson

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
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
	p := parser{text: text}
	v, err := p.value(0)
	if err == nil {
		err = p.space()
	}
	if err == nil && p.pos < len(text) {
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

	// certain says that what was read is surely meant as JSON: a name and its
	// colon were there, or the text broke off inside an object. What is wrong
	// behind that is a broken reply, before it a brace in prose.
	certain bool
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
		return p.fail("the text ends inside an object")
	case p.quiet && !p.certain:
		return errProse // a text may have a million braces
	case p.pos >= len(p.text):
		return p.fail("the end of the text " + where)
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return p.fail(fmt.Sprintf("%q %s", r, where))
}

func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

// space skips white space and comments.
func (p *parser) space() error {
	for p.pos < len(p.text) {
		rest := p.text[p.pos:]
		switch c := rest[0]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			p.pos++
		case c == '#' || strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			p.pos += end
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				err := p.fail("a comment is not closed")
				p.pos = len(p.text)
				return err
			}
			p.pos += 2 + end + 2
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != bom {
				return nil
			}
			p.pos += size
		default:
			return nil
		}
	}
	return nil
}

const bom = '\ufeff'

func (p *parser) value(depth int) (Value, error) {
	if err := p.space(); err != nil {
		return Value{}, err
	}
	if depth > MaxDepth {
		p.certain = true
		return Value{}, p.fail(fmt.Sprintf("nested more than %d deep", MaxDepth))
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case closer(p.text[p.pos:]) != "":
		s, err := p.quoted()
		return Value{Kind: String, Text: s}, err
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	default:
		return p.word()
	}
}

func (p *parser) array(depth int) (Value, error) {
	p.pos++
	v := Value{Kind: Array}
	for {
		if err := p.space(); err != nil {
			return v, err
		}
		if p.peek() == ']' {
			p.pos++
			return v, nil
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, item)
		if err := p.comma(']'); err != nil {
			return v, err
		}
	}
}

func (p *parser) object(depth int) (Value, error) {
	p.pos++
	p.inner++
	v := Value{Kind: Object}
	var names map[string]int // of a large object; a small one is searched
	for {
		if err := p.space(); err != nil {
			return v, err
		}
		if p.peek() == '}' {
			p.pos++
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
		if p.peek() != ':' {
			return v, p.unexpected("where the : of a name should be")
		}
		p.pos++
		p.certain = true
		value, err := p.value(depth + 1)
		if err != nil {
			return v, err
		}
		var at int
		at, names = find(v.Members, names, name)
		switch {
		case at < 0:
			if names != nil {
				names[name] = len(v.Members)
			}
			v.Members = append(v.Members, Member{name, value})
		case !Equal(v.Members[at].Value, value):
			return v, &Error{Offset: start, Reason: fmt.Sprintf("%q is there twice, with different values", clip(name))}
		}
		if err := p.comma('}'); err != nil {
			return v, err
		}
	}
}

// find returns the member's index, or -1. From a dozen members on it keeps an
// index, so that an object with many names takes linear time.
func find(members []Member, names map[string]int, name string) (int, map[string]int) {
	if len(members) < 12 {
		for i := range members {
			if members[i].Name == name {
				return i, nil
			}
		}
		return -1, nil
	}
	if names == nil {
		names = make(map[string]int, 2*len(members))
		for i := range members {
			names[members[i].Name] = i
		}
	}
	if i, ok := names[name]; ok {
		return i, names
	}
	return -1, names
}

// comma reads what stands behind an element: a comma, or the end, which stays.
func (p *parser) comma(end byte) error {
	if err := p.space(); err != nil {
		return err
	}
	switch p.peek() {
	case ',':
		p.pos++
		return nil
	case end:
		return nil
	}
	if end == '}' {
		return p.unexpected("where a comma or the end of the object should be (is a quote in a string not escaped?)")
	}
	return p.unexpected("where a comma or the end of the array should be")
}

// name reads the name of a member: a string or a bare identifier.
func (p *parser) name() (string, error) {
	if closer(p.text[p.pos:]) != "" {
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
	p.pos = end
	return v, nil
}

// number reads a number by JSON's own grammar. Anything else, such as 007,
// 1_000 or .5, has more than one meaning.
func (p *parser) number() (Value, error) {
	start, end := p.pos, p.pos
	digits := func() bool {
		from := end
		for end < len(p.text) && '0' <= p.text[end] && p.text[end] <= '9' {
			end++
		}
		return end > from
	}
	at := func(set string) bool { return end < len(p.text) && strings.IndexByte(set, p.text[end]) >= 0 }
	if at("-") {
		end++
	}
	zero := at("0")
	whole := end
	ok := digits() && (!zero || end == whole+1)
	if ok && at(".") {
		end++
		ok = digits()
	}
	if ok && at("eE") {
		end++
		if at("+-") {
			end++
		}
		ok = digits()
	}
	p.pos = end
	if !ok {
		return Value{}, &Error{Offset: start, Reason: "a number that is not written as JSON wants it"}
	}
	return Value{Kind: Number, Text: p.text[start:end]}, nil
}

func clip(s string) string {
	const limit = 64
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
