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

// inside judges the commands and the variables within what is unclear as a whole: it does not let through what is not on
// the list.
func (j *judge) inside(root syntax.Node) {
	defer func(fed bool) { j.fed = fed }(j.fed)
	around := []place{plain}
	syntax.Walk(root, func(n syntax.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		if !j.spend(syntax.Pos{}, 0) { // a position of its own may take long to find
			return false
		}
		in := max(around[len(around)-1], placeOf(n))
		evaluates := false
		switch n := n.(type) {
		case *syntax.Stmt:
			j.stmt(n, false)
			return false
		case *syntax.Assign:
			if n.Name != nil {
				j.mayset(n.Name.Value, n.Name.Pos())
			}
		case *syntax.ProcSubst, *syntax.FuncDecl, *syntax.CoprocClause:
			j.fed = true
		case *syntax.ExtGlob:
			// The parser does not look into it, and to a bash that has them off it is no pattern: !(x) runs x.
			if in != tested || strings.ContainsAny(n.Pattern.Value, "($`\\") {
				j.add(broken, n.Pos(), "an extended pattern may be read as something else")
			}
		case *syntax.SglQuoted:
			evaluates = strings.ContainsAny(n.Value, "$`") || n.Dollar && strings.Contains(n.Value, `\`)
		case *syntax.Lit:
			evaluates = strings.Contains(n.Value, `\$`) || strings.Contains(n.Value, "`") || strings.Contains(n.Value, "$(")
		}
		if in != plain && evaluates {
			j.add(broken, n.Pos(), "a quoted text is evaluated, and may run a command")
		}
		around = append(around, in)
		return true
	})
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
