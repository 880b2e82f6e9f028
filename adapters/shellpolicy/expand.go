package shellpolicy

import (
	"reflect"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (j *judge) double(e *expansion, q *syntax.DblQuoted) {
	if q.Dollar {
		e.unclear("a text that is translated")
	}
	for i, part := range q.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			e.doubleLiteral(part.Value, i == len(q.Parts)-1)
		case *syntax.ParamExp:
			j.variable(e, part, true)
		default:
			e.unclear(partName(part))
		}
	}
}

// doubleLiteral takes text between double quotes; a $ before the last quote is
// one.
func (e *expansion) doubleLiteral(text string, last bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case '\\':
			if i+1 < len(text) && strings.IndexByte("$`\"\\\n", text[i+1]) >= 0 {
				i++
				if text[i] == '\n' {
					continue
				}
				c = text[i]
			}
		case '$':
			if !last || i != len(text)-1 {
				e.unclear("a $ that is not quoted")
			}
		case '`':
			e.unclear("a ` that is not quoted")
		}
		e.b.WriteByte(c)
	}
}

// variable takes $x where a for around it, or n=5 in front of it, says what x is.
func (j *judge) variable(e *expansion, p *syntax.ParamExp, quoted bool) {
	value, known := word{}, false
	if p.Param != nil && isPlain(p) && !sized[p.Param.Value] {
		if value, known = j.loop[p.Param.Value]; !known {
			value, known = j.set[p.Param.Value]
		}
	}
	switch {
	case !known && p.Param != nil && digits.MatchString(p.Param.Value):
		e.unclear("$" + p.Param.Value + ", which is empty here (a dollar sign is written '$' or \\$),")
	case !known:
		e.unclear("the value of a variable")
	case !quoted && (value.glob || value.text == "" || strings.ContainsAny(value.text, " \t\n*?[\\")):
		e.unclear("a variable without quotes that may become several words")
	case !j.spend(p.Pos(), len(value.text)):
		e.unclear(tooMuch)
	default:
		if value.glob {
			e.wild(e.b.Len()+len(value.prefix), false)
		}
		e.b.WriteString(value.text)
	}
}

// isPlain reports whether an expansion is $x or ${x}. Whatever else it can be has a
// field of its own, also in later versions of the parser.
func isPlain(p *syntax.ParamExp) bool {
	v := reflect.ValueOf(*p)
	for i := range v.NumField() {
		switch v.Type().Field(i).Name {
		case "Dollar", "Rbrace", "Short", "Param":
		default:
			if !v.Field(i).IsZero() {
				return false
			}
		}
	}
	return true
}
