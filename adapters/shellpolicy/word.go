package shellpolicy

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is what a word of the command line becomes when the shell expands it.
type word struct {
	text    string // with wildcards as they are written
	glob    bool   // text has wildcards that the shell may replace with names of files
	prefix  string // what is in front of the first wildcard
	many    bool   // it may become several words
	unknown bool   // text is only a part of it
}

func (w word) shown() string { return quote(w.text) }

// quote makes a part of a command line fit for a reason: ASCII and escaped. Of a long one it shows the length alone:
// no redaction would find half a secret.
func quote(text string) string {
	if len(text) > 80 {
		return fmt.Sprintf("(%d bytes)", len(text))
	}
	return strconv.QuoteToASCII(text)
}

// tooMuch is the problem of a word that the budget has nothing left for.
const tooMuch = "what there is too much of"

// expand returns what a word becomes, or says why only a run would show it.
func (j *judge) expand(w *syntax.Word) (word, string) {
	if w == nil {
		return word{}, ""
	}
	e := expansion{globAt: -1, bracket: -1}
	j.parts(&e, w.Parts, false)
	if !j.spend(w.Pos(), e.b.Len()) {
		return word{}, tooMuch
	}
	expanded := e.finish()
	return expanded, e.problem
}

// expansion collects the parts of a word.
type expansion struct {
	b       strings.Builder
	globAt  int // where the first wildcard is; -1: nowhere
	bracket int // where the first [ is, which needs a ] to be a wildcard; -1: nowhere
	many    bool
	problem string
}

func (e *expansion) unclear(what string) {
	if e.problem == "" {
		e.problem = what
	}
}

func (e *expansion) wild(at int, many bool) {
	if e.globAt < 0 || at < e.globAt {
		e.globAt = at
	}
	e.many = e.many || many
}

// finish decides what only the end of a word shows.
func (e *expansion) finish() word {
	text := e.b.String()
	if e.bracket >= 0 && strings.Contains(text[e.bracket:], "]") {
		e.wild(e.bracket, true)
	}
	if e.globAt < 0 {
		return word{text: text}
	}
	for name := range strings.SplitSeq(text, "/") {
		if strings.HasPrefix(name, ".") && strings.ContainsAny(name, "*?[") {
			e.unclear("a name that begins with a dot and has wildcards") // it may become ..
		}
	}
	return word{text: text, glob: true, prefix: text[:e.globAt], many: e.many}
}

// parts expands the parts of a word, or of what is between double quotes.
func (j *judge) parts(e *expansion, parts []syntax.WordPart, quoted bool) {
	for i, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if quoted {
				e.quoted(part.Value, i == len(parts)-1)
			} else {
				e.literal(part.Value)
			}
		case *syntax.SglQuoted:
			e.single(part)
		case *syntax.DblQuoted:
			if part.Dollar {
				e.unclear("a text that is translated")
			}
			j.parts(e, part.Parts, true)
		case *syntax.ParamExp:
			j.variable(e, part, quoted)
		case *syntax.CmdSubst:
			e.unclear("a command substitution")
		case *syntax.ProcSubst:
			e.unclear("a process substitution")
		case *syntax.ArithmExp:
			e.unclear("an arithmetic expansion")
		case *syntax.ExtGlob:
			e.unclear("an extended pattern")
		default:
			e.unclear("an expansion")
		}
	}
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

// quoted takes text between double quotes; a $ before the last quote is one.
func (e *expansion) quoted(text string, last bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text) && strings.IndexByte("$`\"\\\n", text[i+1]) >= 0:
			i++
			if c = text[i]; c == '\n' {
				continue
			}
		case c == '`', c == '$' && (!last || i != len(text)-1):
			e.unclear("a " + string(c) + " that is not quoted")
		}
		e.b.WriteByte(c)
	}
}

// The escapes in $'…' that all shells read alike.
var (
	alike  = regexp.MustCompile(`^([^\\]|\\[\\'"nt])*$`)
	escape = strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\"`, `"`, `\n`, "\n", `\t`, "\t")
)

// single takes '…' and $'…'.
func (e *expansion) single(q *syntax.SglQuoted) {
	switch {
	case !q.Dollar:
		e.b.WriteString(q.Value)
	case alike.MatchString(q.Value):
		e.b.WriteString(escape.Replace(q.Value))
	default:
		e.unclear("an escape in $'…'")
		e.b.WriteString(q.Value)
	}
}

// variable takes $x or ${x} if a for around it, or x=5 in front of it, says what x is.
func (j *judge) variable(e *expansion, p *syntax.ParamExp, quoted bool) {
	name := ""
	if p.Param != nil {
		name = p.Param.Value
	}
	value, known := j.values[name]
	// Any other expansion of the variable is written in another way.
	if written := j.source(p); written != "$"+name && written != "${"+name+"}" {
		known = false
	}
	switch {
	case !known && digits.MatchString(name):
		e.unclear("$" + name + ", which is empty here (a dollar sign is written '$' or \\$),")
	case !known, name == "LINES", name == "COLUMNS": // bash sets these anew after each command
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

// source returns a node as it is written, "" if the parser does not say where.
func (j *judge) source(n syntax.Node) string {
	from, to := n.Pos().Offset(), n.End().Offset()
	if from > to || to > uint(len(j.line)) {
		return ""
	}
	return j.line[from:to]
}
