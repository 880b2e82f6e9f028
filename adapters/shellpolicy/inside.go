package shellpolicy

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// place is what bash does with the text where something unclear stands.
type place int

const (
	plain     place = iota
	evaluated       // as arithmetic or a subscript: commands in it run, quoted or not
	tested          // the same, in [[ ]], where patterns are always extended
)

// inside judges the commands within what is unclear as a whole: one that is not on
// the list is not let through by being in there.
func (j *judge) inside(n syntax.Node) { j.within(n, plain) }

func (j *judge) within(root syntax.Node, in place) {
	defer func(fed bool) { j.fed = fed }(j.fed)
	syntax.Walk(root, func(n syntax.Node) bool {
		if n == nil {
			return true
		}
		if !j.spend(syntax.Pos{}, 0) { // a position of its own may take long to find
			return false
		}
		if deeper := placeOf(n); deeper > in && n != root {
			j.within(n, deeper)
			return false
		} else if n == root {
			in = max(in, deeper)
		}
		switch n := n.(type) {
		case *syntax.Stmt:
			j.stmt(n)
			return false
		case *syntax.ProcSubst, *syntax.FuncDecl, *syntax.CoprocClause:
			j.fed = true
		case *syntax.ExtGlob:
			// The parser does not look into it, and to a bash that has them off it is
			// no pattern: !(x) runs x.
			if in != tested || strings.ContainsAny(n.Pattern.Value, "($`\\") {
				j.add(broken, n.Pos(), "an extended pattern may be read as something else")
			}
		case *syntax.SglQuoted:
			if in != plain && (strings.ContainsAny(n.Value, "$`") || n.Dollar && strings.Contains(n.Value, `\`)) {
				j.hidden(n)
			}
		case *syntax.Lit:
			if in != plain && (strings.Contains(n.Value, `\$`) || strings.Contains(n.Value, "`") || strings.Contains(n.Value, "$(")) {
				j.hidden(n)
			}
		}
		return true
	})
}

func (j *judge) hidden(n syntax.Node) {
	j.add(broken, n.Pos(), "a quoted text is evaluated, and may run a command")
}

func placeOf(n syntax.Node) place {
	switch n := n.(type) {
	case *syntax.TestClause:
		return tested
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.LetClause, *syntax.DeclClause, *syntax.CStyleLoop:
		return evaluated
	case *syntax.Assign:
		if n.Index != nil || n.Array != nil {
			return evaluated
		}
	case *syntax.ParamExp:
		if n.Index != nil || n.Slice != nil {
			return evaluated
		}
	}
	return plain
}
