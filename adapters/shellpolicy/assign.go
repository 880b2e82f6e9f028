package shellpolicy

import "mvdan.cc/sh/v3/syntax"

// count counts how often a line sets each variable, wherever that is. What sets one
// in another way (read, declare, arithmetic) is on no list, or unclear.
func (j *judge) count(file *syntax.File) {
	j.times = map[string]int{}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				j.times[n.Name.Value]++
			}
		case *syntax.WordIter:
			j.times[n.Name.Value]++
		case *syntax.Redirect:
			if n.N != nil {
				j.times[trimBraces(n.N.Value)]++
			}
		}
		return true
	})
}

// sure marks the assignments that the shell itself makes, in any case, when it gets
// to a statement: those of n=5, and of n=5 && f=x && …, but none in a loop, a
// condition, a pipeline or a subshell, and none whose redirection may fail.
func (j *judge) sure(s *syntax.Stmt) bool {
	if s.Negated || s.Background || s.Coprocess || s.Disown || len(s.Redirs) > 0 {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) == 0 {
			j.surely[c] = true
			return true
		}
	case *syntax.BinaryCmd:
		return c.Op == syntax.AndStmt && j.sure(c.X) && j.sure(c.Y)
	}
	return false
}

// keep remembers what a variable is from here on. One that is set a second time,
// anywhere, has no value that can be said.
func (j *judge) keep(name string, value word) {
	if j.times[name] == 1 {
		value.glob, value.many, value.prefix = false, false, "" // wildcards stay as they are
		j.set[name] = value
	}
}
