package shellpolicy

import (
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is what a word of the command line becomes when the shell has expanded it.
type word struct {
	text string // with wildcards as they are written
	// glob: text has wildcards that the shell may replace with names of files, and
	// prefix is what is in front of the first. many: it may become several words.
	glob   bool
	prefix string
	many   bool
	// unknown: text is a part of it only.
	unknown bool
}

func (w word) shown() string { return quote(w.text) }

// quote makes a part of a command line fit for a reason: ASCII and escaped. Of a long one it
// shows the length alone: no redaction would find half a secret.
func quote(text string) string {
	const limit = 80
	if len(text) > limit {
		return fmt.Sprintf("(%d bytes)", len(text))
	}
	return strconv.QuoteToASCII(text)
}

// expand returns what a word becomes, or says why nobody can know that.
func (j *judge) expand(w *syntax.Word) (word, string) {
	if w == nil {
		return word{}, ""
	}
	e := expansion{bracket: -1}
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			e.literal(part.Value)
		case *syntax.SglQuoted:
			e.single(part)
		case *syntax.DblQuoted:
			j.double(&e, part)
		case *syntax.ParamExp:
			j.variable(&e, part, false)
		default:
			e.unclear(partName(part))
		}
	}
	if !j.spend(w.Pos(), e.b.Len()) {
		return word{}, tooMuch
	}
	e.finish()
	return e.word, e.problem
}

type expansion struct {
	b       strings.Builder
	word    word
	globAt  int // where the first wildcard is
	bracket int // where the first [ is, which needs a ] to be one; -1: nowhere
	problem string
}

func (e *expansion) unclear(what string) {
	if e.problem == "" {
		e.problem = what
	}
}

// wild marks the place of a wildcard, from the value of a variable or not.
func (e *expansion) wild(at int, many bool) {
	if !e.word.glob {
		e.word.glob, e.globAt = true, at
	}
	e.word.many = e.word.many || many
}

// literal takes text outside of quotes.
func (e *expansion) literal(text string) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case '\\':
			i++
			switch {
			case i == len(text):
				e.unclear("a backslash at the end")
			case text[i] != '\n': // a continued line
				e.b.WriteByte(text[i])
			}
			continue
		case '$', '`':
			e.unclear("a " + string(c) + " that is not quoted")
		case '{':
			e.unclear("a brace that is not quoted")
		case '~':
			if s := e.b.String(); s == "" || strings.HasSuffix(s, "=") || strings.HasSuffix(s, ":") {
				e.unclear("a ~ that stands for a home directory")
			}
		case '*', '?':
			e.wild(e.b.Len(), true)
		case '[':
			if e.bracket < 0 {
				e.bracket = e.b.Len()
			}
		}
		e.b.WriteByte(c)
	}
}

// finish sets what is known at the end of a word only.
func (e *expansion) finish() {
	text := e.b.String()
	if e.bracket >= 0 && strings.Contains(text[e.bracket:], "]") {
		e.globAt = min(e.bracket, e.globAt)
		if !e.word.glob {
			e.globAt = e.bracket
		}
		e.word.glob, e.word.many = true, true
	}
	e.word.text = text
	if !e.word.glob {
		return
	}
	e.word.prefix = text[:e.globAt]
	for name := range strings.SplitSeq(text, "/") {
		if strings.HasPrefix(name, ".") && strings.ContainsAny(name, "*?[") {
			e.unclear("a name that begins with a dot and has wildcards") // it may become ..
		}
	}
}

// single takes '…' and $'…'. Of the escapes of the latter only those are read that
// all shells read alike.
func (e *expansion) single(q *syntax.SglQuoted) {
	if !q.Dollar {
		e.b.WriteString(q.Value)
		return
	}
	for i := 0; i < len(q.Value); i++ {
		c := q.Value[i]
		if c == '\\' {
			i++
			if i == len(q.Value) {
				e.unclear("an escape in $'…'")
				return
			}
			switch q.Value[i] {
			case '\\', '\'', '"':
				c = q.Value[i]
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			default:
				e.unclear("an escape in $'…'")
			}
		}
		e.b.WriteByte(c)
	}
}

func partName(part syntax.WordPart) string {
	switch part.(type) {
	case *syntax.CmdSubst:
		return "a command substitution"
	case *syntax.ProcSubst:
		return "a process substitution"
	case *syntax.ArithmExp:
		return "an arithmetic expansion"
	case *syntax.ExtGlob:
		return "an extended pattern"
	}
	return "an expansion"
}
