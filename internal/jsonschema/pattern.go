package jsonschema

import (
	"regexp"
	"strings"
)

// pattern is a regular expression of ECMA 262, as far as package regexp knows it. It may
// begin with look-aheads, as those for passwords and e-mail addresses do:
// ^(?=.*[0-9])(?!.*[.][.]).{8,}$
type pattern struct {
	text    string
	is      *regexp.Regexp
	has     []*regexp.Regexp // what must match from the beginning, too
	hasNone []*regexp.Regexp // and what must not
}

func (p *pattern) matches(text string) bool {
	for _, re := range p.has {
		if !re.MatchString(text) {
			return false
		}
	}
	for _, re := range p.hasNone {
		if re.MatchString(text) {
			return false
		}
	}
	return p.is.MatchString(text)
}

// readPattern compiles a pattern, nil when it is not supported.
func (c *compiler) readPattern(n *node, text, at string) *pattern {
	if p, err := newPattern(text); err == nil {
		return p
	}
	c.uncheck(n, at)
	return nil
}

func newPattern(text string) (p *pattern, err error) {
	p = &pattern{text: text}
	rest, anchored := strings.CutPrefix(text, "^")
	for anchored && err == nil && (strings.HasPrefix(rest, "(?=") || strings.HasPrefix(rest, "(?!")) {
		end := find(rest[3:], ')')
		if end < 0 || find(rest, '|') >= 0 { // another alternative has no look-ahead
			break // which does not compile
		}
		list := &p.has
		if rest[2] == '!' {
			list = &p.hasNone
		}
		var re *regexp.Regexp
		re, err = compile("^(?:" + rest[3:3+end] + ")")
		*list, rest = append(*list, re), rest[3+end+1:]
	}
	if err == nil && anchored {
		rest = "^" + rest
	}
	if err == nil {
		p.is, err = compile(rest)
	}
	return p, err
}

// find returns where a sign stands outside of groups and classes, -1 for nowhere.
func find(text string, sign byte) int {
	depth, class := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == sign && depth == 0:
			return i
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
	}
	return -1
}

var unicodeEscape = regexp.MustCompile(`(\\\\)|\\u([0-9a-fA-F]{4})`)

// compile takes \uXXXX, which is \x{XXXX} to package regexp.
func compile(text string) (*regexp.Regexp, error) {
	return regexp.Compile(unicodeEscape.ReplaceAllStringFunc(text, func(s string) string {
		if s == `\\` {
			return s
		}
		return `\x{` + s[2:] + `}`
	}))
}
