package shellpolicy

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// stmt judges a statement. A form that it does not name is unclear. certain says that bash itself runs the statement, in
// any case and before the next one. stmt reports whether a statement after && is certain, too: it is so after an
// assignment, which cannot fail.
func (j *judge) stmt(s *syntax.Stmt, certain bool) bool {
	if !j.spend(s.Pos(), 32) { // a command costs as much as three words
		return false
	}
	defer func(fed bool) { j.fed = fed }(j.fed)
	if s.Background || s.Coprocess || s.Disown {
		j.add(unclear, s.Pos(), "a command would go on in the background")
		certain = false
	}
	for _, r := range s.Redirs {
		j.redirect(r)
		j.fed = j.fed || feeds(r)
	}
	certain = certain && !s.Negated && len(s.Redirs) == 0
	switch c := s.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		certain = certain && len(c.Args) == 0
		j.call(c, certain)
		return certain
	case *syntax.BinaryCmd:
		certain = j.stmt(c.X, certain && c.Op == syntax.AndStmt)
		j.fed = j.fed || c.Op == syntax.Pipe || c.Op == syntax.PipeAll
		return j.stmt(c.Y, certain)
	case *syntax.Block, *syntax.Subshell, *syntax.IfClause, *syntax.WhileClause, *syntax.CaseClause, *syntax.TimeClause:
		syntax.Walk(c, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Stmt:
				j.stmt(n, false)
				return false
			case *syntax.Word:
				j.data(n)
				return false
			}
			return true
		})
	case *syntax.ForClause:
		j.loop(c)
	default:
		j.add(unclear, s.Pos(), "%s cannot be judged", clauseName(c))
		j.inside(c)
	}
	return false
}

func clauseName(c syntax.Command) string {
	switch c := c.(type) {
	case *syntax.FuncDecl:
		return "a function"
	case *syntax.DeclClause:
		return "the declaration " + quote(c.Variant.Value)
	case *syntax.TestClause:
		return "a test in [[ ]]"
	case *syntax.ArithmCmd, *syntax.LetClause:
		return "an arithmetic command"
	}
	return "this kind of command"
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

// loop judges the body of a for once for each value, so that a variable in it is as good as what it stands for.
func (j *judge) loop(c *syntax.ForClause) {
	iter, ok := c.Loop.(*syntax.WordIter)
	settable := ok && j.mayset(iter.Name.Value, iter.Name.Pos())
	if !ok || c.Select || c.Braces || !iter.InPos.IsValid() {
		j.add(unclear, c.Pos(), "this kind of loop cannot be judged")
		j.inside(c)
		return
	}
	body := func() {
		for _, s := range c.Do {
			j.stmt(s, false)
		}
	}
	for _, item := range iter.Items {
		value, ok := j.data(item)
		if ok {
			j.names(item.Pos(), value)
		}
		if !settable {
			continue
		}
		if ok {
			value.many = false // one after another
			j.values[iter.Name.Value] = value
		}
		body()
		delete(j.values, iter.Name.Value)
	}
	if !settable || len(iter.Items) == 0 {
		body()
	}
}

// names judges a word that the shell replaces with the names in a directory. One that stands for the value of a loop was
// judged there.
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
	_, looping := j.values[name]
	switch {
	case !slices.Contains(j.Vars, name):
		j.add(unlisted, pos, "the variable %s may not be set", quote(name))
		return false
	case looping:
		j.add(unclear, pos, "the variable %s is set within its own loop", quote(name))
		return false
	}
	return true
}

// call judges assignments and a command. certain: the assignments stay.
func (j *judge) call(c *syntax.CallExpr, certain bool) {
	for _, a := range c.Assigns {
		set := a.Name != nil && j.mayset(a.Name.Value, a.Name.Pos())
		if a.Name == nil || a.Append || a.Naked || a.Index != nil || a.Array != nil {
			j.add(unclear, a.Pos(), "this kind of assignment cannot be judged")
			j.inside(a)
		} else if a.Value != nil {
			// A variable that is set a second time, anywhere, has no value that can be said.
			if value, ok := j.data(a.Value); ok && set && certain && j.times[a.Name.Value] == 1 {
				j.values[a.Name.Value] = word{text: value.text} // wildcards stay as they are
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
	if words = j.unwrap(c.Pos(), words); words != nil && !words[0].unknown {
		j.command(c.Pos(), words, known)
	}
}

// stores is a conversion of printf that assigns to the variable that its argument names: PATH, for instance.
var stores = regexp.MustCompile(`%[^%A-Za-z]*[hlLjzt]*n`)

// command judges a command with its arguments. If not all of them are known, which has been said, it must be on the list
// all the same.
func (j *judge) command(pos syntax.Pos, words []word, known bool) {
	name := words[0]
	switch rules := j.rules[name.text]; {
	case name.glob:
		j.add(unclear, pos, "%s in the place of a command has wildcards", name.shown())
		return
	case len(rules) == 0:
		j.add(unlisted, pos, "the command %s is not on the list", name.shown())
		return
	case !known:
		return
	}
	if path.Base(name.text) == "printf" && slices.ContainsFunc(words, func(w word) bool { return stores.MatchString(w.text) }) {
		j.add(unclear, pos, "a format of printf that sets a variable cannot be judged")
	}
	best, why := 0, "with these arguments it is not on the list"
	for _, r := range j.rules[name.text] {
		if !r.begins(words) {
			continue
		}
		problem := r.problem(words[len(r.words):])
		if problem == "" && j.fed && traits[r.runner]&obeys != 0 {
			problem = "it obeys its standard input, which is written by this line"
		}
		if problem == "" {
			return
		}
		if len(r.words) >= best {
			best, why = len(r.words), problem
		}
	}
	j.add(unlisted, pos, "%s: %s", name.shown(), why)
}

// unwrap looks through wrappers. Nil: that was not possible, which has been said.
func (j *judge) unwrap(pos syntax.Pos, words []word) []word {
	for slices.Contains(j.Wrappers, words[0].text) && !words[0].glob && !words[0].unknown {
		name := words[0]
		skip, problem := j.skip(name.text, words[1:])
		if words = words[1+skip:]; problem == "" && len(words) == 0 {
			problem = "has no command to run"
		}
		if problem != "" {
			j.add(unlisted, pos, "%s: %s", name.shown(), problem)
			return nil
		}
	}
	return words
}

// skip returns how many of the words behind the name of a wrapper are not the command that runs, or says why that is not
// known.
func (j *judge) skip(name string, words []word) (n int, problem string) {
	var line strings.Builder
	for _, w := range words {
		line.WriteString(w.text + "\x00")
	}
	between := wrappers[name].FindString(line.String())
	if between == "" && name == "timeout" {
		return 0, "its argument is not known"
	}
	n = strings.Count(between, "\x00")
	for _, w := range words[:n] {
		if w.glob {
			return 0, "the argument " + w.shown() + " has wildcards"
		}
		if variable, _, set := strings.Cut(w.text, "="); set && !slices.Contains(j.Vars, variable) {
			return 0, "the variable " + quote(variable) + " may not be set"
		}
	}
	if n < len(words) && strings.HasPrefix(words[n].text, "-") {
		return 0, "the flag " + words[n].shown() + " is not known"
	}
	return n, ""
}
