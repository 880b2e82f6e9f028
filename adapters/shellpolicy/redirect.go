package shellpolicy

import (
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

var (
	descriptor = regexp.MustCompile(`^[0-9]{1,3}$`)
	duplicated = regexp.MustCompile(`^([0-9]{1,3}-?|-)$`)
	delimiter  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

func (j *judge) redirect(r *syntax.Redirect) {
	if r.N != nil && !descriptor.MatchString(r.N.Value) {
		j.add(unclear, r.Pos(), "a redirection sets the variable %s", quote(r.N.Value))
		j.mayset(trimBraces(r.N.Value), r.Pos())
	}
	if r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc {
		j.document(r)
		return
	}
	target, ok := j.data(r.Word)
	if !ok {
		return
	}
	read, write := false, false
	switch r.Op {
	case syntax.WordHdoc:
		end := int(r.Word.End().Offset())
		if digits.MatchString(target.text) && end < len(j.line) && strings.IndexByte("<>", j.line[end]) >= 0 {
			j.add(unclear, r.Pos(), "the here-string %s may be a descriptor", target.shown())
		}
		return
	case syntax.DplIn, syntax.DplOut:
		if !target.glob && duplicated.MatchString(target.text) {
			return
		}
		if r.Op == syntax.DplIn {
			j.add(unclear, r.Pos(), "the redirection from %s cannot be judged", target.shown())
			return
		}
		write = true
	case syntax.RdrIn:
		read = true
	case syntax.RdrInOut:
		read, write = true, true
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		write = true
	default:
		j.add(unclear, r.Pos(), "this kind of redirection cannot be judged")
		read, write = true, true
	}
	j.file(r, target, read, write)
}

func trimBraces(name string) string { return strings.Trim(name, "{}") }

// file judges what a redirection opens.
func (j *judge) file(r *syntax.Redirect, target word, read, write bool) {
	switch {
	case target.glob:
		j.add(unclear, r.Pos(), "the redirection to %s has wildcards", target.shown())
	case digits.MatchString(target.text):
		// Bash takes a number in front of another redirection for a part of that.
		j.add(unclear, r.Pos(), "the redirection to %s may be one to a descriptor", target.shown())
	case target.text == "/dev/null":
		return
	case strings.HasPrefix(target.text, "/dev/"):
		// Bash itself opens connections for /dev/tcp and /dev/udp.
		j.add(unlisted, r.Pos(), "the redirection to %s is one to a device", target.shown())
		return
	}
	for _, use := range []struct {
		places *places
		wanted bool
		done   string
	}{{j.reads, read, "read"}, {j.writes, write, "written"}} {
		if !use.wanted {
			continue
		}
		problem := use.places.globProblem(target)
		if !target.glob {
			problem = use.places.problem(target.text)
		}
		if problem != "" {
			j.add(unlisted, r.Pos(), "the file %s, which would be %s, %s", target.shown(), use.done, problem)
		}
	}
}

// feeds reports whether a redirection may give a command its standard input.
func feeds(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return true
	default: // 0>&3 does, too
	}
	return r.N != nil && strings.Trim(r.N.Value, "0") == ""
}

// document judges a here-document, where shell and parser must agree on where it
// ends: only plain names end one, and nothing in it may look like its end.
func (j *judge) document(r *syntax.Redirect) {
	end, quoted, plain := "", false, len(r.Word.Parts) == 1
	if plain {
		switch part := r.Word.Parts[0].(type) {
		case *syntax.Lit:
			end = part.Value
		case *syntax.SglQuoted:
			end, quoted = part.Value, true
			plain = !part.Dollar
		default:
			plain = false
		}
	}
	if !plain || !delimiter.MatchString(end) {
		j.add(broken, r.Pos(), "the end of a here-document cannot be judged")
		return
	}
	if r.Hdoc == nil {
		return
	}
	from, to := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset())
	if from > to || to > len(j.line) {
		j.add(broken, r.Pos(), "the end of a here-document cannot be judged")
		return
	}
	if !j.spend(r.Pos(), to-from) {
		return
	}
	lines := strings.Split(j.line[from:to], "\n") // the last is the end
	for i, line := range lines {
		if r.Op == syntax.DashHdoc {
			line = strings.TrimLeft(line, "\t")
		}
		last := i == len(lines)-1
		if last != (strings.TrimSpace(line) == end) || last && line != end || !quoted && strings.HasSuffix(line, `\`) {
			j.add(broken, r.Pos(), "the end of a here-document cannot be judged")
			return
		}
	}
	if quoted {
		return
	}
	for _, part := range r.Hdoc.Parts {
		e := expansion{bracket: -1}
		switch part := part.(type) {
		case *syntax.Lit:
			e.doubleLiteral(part.Value, false)
		case *syntax.ParamExp:
			j.variable(&e, part, true)
		default:
			e.unclear(partName(part))
		}
		if e.problem != "" {
			j.add(unclear, part.Pos(), "%s in a here-document cannot be judged", e.problem)
			j.inside(part)
		}
	}
}
