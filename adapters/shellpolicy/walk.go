package shellpolicy

import (
	"cmp"
	"maps"
	"strings"

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
		j.stop(s.Pos(), "it is nested too deeply")
		return
	}
	defer func(fed bool) { j.depth, j.fed = j.depth-1, fed }(j.fed)
	if j.judged++; j.judged > maxJudged {
		j.stop(s.Pos(), "there are too many commands")
		return
	}
	if !j.spend(s.Pos(), 0) {
		return
	}
	if s.Background || s.Coprocess || s.Disown {
		j.add(unclear, s.Pos(), "a command would go on in the background")
	}
	for _, r := range s.Redirs {
		j.redirect(r)
		j.fed = j.fed || feeds(r)
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
		j.fed = j.fed || c.Op == syntax.Pipe || c.Op == syntax.PipeAll
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
		if c, ok := c.(*syntax.DeclClause); ok {
			j.declared(c)
		}
		j.inside(c)
	}
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

// declared judges the names that a declaration may give a value.
func (j *judge) declared(c *syntax.DeclClause) {
	for _, a := range c.Args {
		if a.Name != nil {
			j.mayset(a.Name.Value, a.Name.Pos())
		}
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
	settable := ok && j.mayset(iter.Name.Value, iter.Name.Pos())
	if !ok || c.Select || c.Braces || !iter.InPos.IsValid() {
		j.add(unclear, c.Pos(), "this kind of loop cannot be judged")
		j.inside(c)
		return
	}
	if !settable {
		for _, item := range iter.Items {
			if value, ok := j.data(item); ok {
				j.names(item.Pos(), value)
			}
		}
		j.stmts(c.Do)
		return
	}
	name, before := iter.Name.Value, maps.Clone(j.loop)
	for _, item := range iter.Items {
		if value, ok := j.data(item); ok {
			j.names(item.Pos(), value)
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

// names judges a word that the shell replaces with the names in a directory. One
// that stands for the value of a loop was judged there.
func (j *judge) names(pos syntax.Pos, w word) {
	if j.wildcards == nil || !w.glob || !w.many {
		return
	}
	at := strings.LastIndexByte(w.prefix, '/') + 1
	dir := cmp.Or(w.text[:at], ".")
	problem := j.wildcards.problem(dir)
	if strings.Contains(w.text[at:], "/") {
		problem = "has wildcards behind it that may lead into other directories"
	}
	if problem != "" {
		j.add(unlisted, pos, "the wildcards of %s stand for names that may not be listed: %s %s", w.shown(), quote(dir), problem)
	}
}

// mayset judges whether a variable may be set here.
func (j *judge) mayset(name string, pos syntax.Pos) bool {
	if !j.vars[name] {
		j.add(unlisted, pos, "the variable %s may not be set", quote(name))
		return false
	}
	if _, looping := j.loop[name]; looping {
		j.add(unclear, pos, "the variable %s is set within its own loop", quote(name))
		return false
	}
	return true
}

func (j *judge) call(c *syntax.CallExpr) {
	for _, a := range c.Assigns {
		set := a.Name != nil && j.mayset(a.Name.Value, a.Name.Pos())
		if a.Name == nil || a.Append || a.Naked || a.Index != nil || a.Array != nil {
			j.add(unclear, a.Pos(), "this kind of assignment cannot be judged")
			j.inside(a)
		} else if a.Value != nil {
			if value, ok := j.data(a.Value); ok && set && j.surely[c] {
				j.keep(a.Name.Value, value)
			}
		}
	}
	if len(c.Args) == 0 {
		return
	}
	words, known := make([]word, len(c.Args)), true
	for i, arg := range c.Args {
		w, problem := j.expand(arg)
		if j.finished {
			return
		}
		if problem == "" {
			j.names(arg.Pos(), w)
		} else {
			w.unknown, known = true, false
			where := "in the place of a command"
			if i > 0 {
				where = "among the arguments of " + words[0].shown()
			}
			j.add(unclear, arg.Pos(), "%s %s cannot be judged", problem, where)
			j.inside(arg)
		}
		words[i] = w
	}
	if known {
		j.simple(c.Pos(), words)
	} else {
		j.partly(c.Pos(), words)
	}
}
