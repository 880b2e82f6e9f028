package shellpolicy

import (
	"maps"

	"mvdan.cc/sh/v3/syntax"
)

func (j *judge) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		j.stmt(s)
	}
}

// stmt judges a statement. What is not named here is unclear.
func (j *judge) stmt(s *syntax.Stmt) {
	if s == nil || j.finished {
		return
	}
	if j.depth++; j.depth > maxDepth {
		j.add(broken, s.Pos(), "it is nested too deeply")
		j.finished = true
		return
	}
	defer func() { j.depth-- }()
	if j.judged++; j.judged > maxJudged {
		j.add(broken, s.Pos(), "there are too many commands")
		j.finished = true
		return
	}
	if s.Background || s.Coprocess || s.Disown {
		j.add(unclear, s.Pos(), "a command would go on in the background")
	}
	for _, r := range s.Redirs {
		j.redirect(r)
	}
	switch c := s.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		j.call(c)
	case *syntax.Block:
		j.stmts(c.Stmts)
	case *syntax.Subshell:
		j.stmts(c.Stmts)
	case *syntax.BinaryCmd:
		j.stmt(c.X)
		j.stmt(c.Y)
	case *syntax.TimeClause:
		j.stmt(c.Stmt)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			j.stmts(c.Cond)
			j.stmts(c.Then)
		}
	case *syntax.WhileClause:
		j.stmts(c.Cond)
		j.stmts(c.Do)
	case *syntax.CaseClause:
		j.cases(c)
	case *syntax.ForClause:
		j.loops(c)
	default:
		j.add(unclear, s.Pos(), "%s cannot be judged", clauseName(c))
		j.inside(c)
	}
}

// inside judges the commands within what is unclear as a whole: one that is not on
// the list is not let through by being in there.
func (j *judge) inside(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.Stmt); ok {
			j.stmt(s)
			return false
		}
		return true
	})
}

func clauseName(c syntax.Command) string {
	switch c := c.(type) {
	case *syntax.FuncDecl:
		return "a function"
	case *syntax.DeclClause:
		if c.Variant != nil {
			return "the declaration " + quote(c.Variant.Value)
		}
	case *syntax.TestClause:
		return "a test in [[ ]]"
	case *syntax.ArithmCmd, *syntax.LetClause:
		return "an arithmetic command"
	case *syntax.CoprocClause:
		return "a coprocess"
	}
	return "this kind of command"
}

func (j *judge) cases(c *syntax.CaseClause) {
	if c.Braces {
		j.add(unclear, c.Pos(), "this kind of case cannot be judged")
	}
	j.data(c.Word)
	for _, item := range c.Items {
		for _, pattern := range item.Patterns {
			j.data(pattern)
		}
		j.stmts(item.Stmts)
	}
}

// data judges a word that is no argument of a command.
func (j *judge) data(w *syntax.Word) (word, bool) {
	expanded, problem := j.expand(w)
	if problem != "" {
		j.add(unclear, w.Pos(), "%s cannot be judged", problem)
		j.inside(w)
	}
	return expanded, problem == ""
}

// loops judges the body of a for once for each value, so that a variable in it is
// as good as what it stands for.
func (j *judge) loops(c *syntax.ForClause) {
	iter, ok := c.Loop.(*syntax.WordIter)
	if !ok || c.Select || c.Braces || !iter.InPos.IsValid() {
		j.add(unclear, c.Pos(), "this kind of loop cannot be judged")
		j.inside(c)
		return
	}
	name := iter.Name.Value
	if !j.mayset(iter.Name) {
		j.stmts(c.Do)
		return
	}
	before := maps.Clone(j.loop)
	for _, item := range iter.Items {
		if value, ok := j.data(item); ok {
			value.many = false // one after another
			j.loop[name] = value
		}
		j.stmts(c.Do)
		delete(j.loop, name)
		if j.finished {
			break
		}
	}
	j.loop = before
	if len(iter.Items) == 0 {
		j.stmts(c.Do)
	}
}

// mayset judges whether a variable may be set here.
func (j *judge) mayset(name *syntax.Lit) bool {
	if !j.vars[name.Value] {
		j.add(unlisted, name.Pos(), "the variable %s may not be set", quote(name.Value))
		return false
	}
	if _, looping := j.loop[name.Value]; looping {
		j.add(unclear, name.Pos(), "the variable %s is set within its own loop", quote(name.Value))
		return false
	}
	return true
}

func (j *judge) call(c *syntax.CallExpr) {
	for _, a := range c.Assigns {
		if a.Name == nil || a.Append || a.Naked || a.Index != nil || a.Array != nil {
			j.add(unclear, a.Pos(), "this kind of assignment cannot be judged")
			j.inside(a)
			continue
		}
		j.mayset(a.Name)
		if a.Value != nil {
			j.data(a.Value)
		}
	}
	if len(c.Args) == 0 {
		return
	}
	words, known := make([]word, len(c.Args)), true
	for i, arg := range c.Args {
		var problem string
		if words[i], problem = j.expand(arg); problem == "" {
			continue
		}
		known = false
		j.inside(arg)
		if i == 0 {
			j.add(unclear, arg.Pos(), "%s in the place of a command cannot be judged", problem)
			return
		}
		j.add(unclear, arg.Pos(), "%s among the arguments of %s cannot be judged", problem, words[0].shown())
	}
	switch name := words[0]; {
	case known:
		j.simple(c.Pos(), words)
	case len(j.rules[name.text]) == 0 && !j.wrappers[name.text]:
		j.add(unlisted, c.Pos(), "the command %s is not on the list", name.shown())
	}
}
