package shellpolicy

import (
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

var (
	digits     = regexp.MustCompile(`^[0-9]{1,18}$`)
	descriptor = regexp.MustCompile(`^[0-9]{1,3}$`)
	duplicated = regexp.MustCompile(`^([0-9]{1,3}-?|-)$`)
	delimiter  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

func (j *judge) redirect(r *syntax.Redirect) {
	if r.N != nil && !descriptor.MatchString(r.N.Value) {
		j.add(unclear, r.Pos(), "a redirection sets the variable %s", quote(r.N.Value))
		j.mayset(strings.Trim(r.N.Value, "{}"), r.Pos())
	}
	if r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc {
		j.document(r)
		return
	}
	target, ok := j.data(r.Word)
	if !ok {
		return
	}
	switch r.Op {
	case syntax.WordHdoc:
		end := int(r.Word.End().Offset())
		if digits.MatchString(target.text) && end < len(j.line) && strings.IndexByte("<>", j.line[end]) >= 0 {
			j.add(unclear, r.Pos(), "the here-string %s may be a descriptor", target.shown())
		}
	case syntax.DplIn, syntax.DplOut:
		switch {
		case !target.glob && duplicated.MatchString(target.text):
		case r.Op == syntax.DplIn:
			j.add(unclear, r.Pos(), "the redirection from %s cannot be judged", target.shown())
		default:
			j.file(r, target, false, true)
		}
	case syntax.RdrIn:
		j.file(r, target, true, false)
	case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.RdrAll, syntax.AppAll:
		j.file(r, target, false, true)
	case syntax.RdrInOut:
		j.file(r, target, true, true)
	default:
		j.add(unclear, r.Pos(), "this kind of redirection cannot be judged")
		j.file(r, target, true, true)
	}
}

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
	if problem := j.reads.wordProblem(target); read && problem != "" {
		j.add(unlisted, r.Pos(), "the file %s, which would be read, %s", target.shown(), problem)
	}
	if problem := j.writes.wordProblem(target); write && problem != "" {
		j.add(unlisted, r.Pos(), "the file %s, which would be written, %s", target.shown(), problem)
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

// document judges a here-document. Shell and parser must agree on where it ends.
func (j *judge) document(r *syntax.Redirect) {
	ends, quoted := j.ends(r)
	if !ends {
		j.add(broken, r.Pos(), "the end of a here-document cannot be judged")
	}
	if !ends || quoted || r.Hdoc == nil {
		return
	}
	e := expansion{globAt: -1, bracket: -1}
	if j.parts(&e, r.Hdoc.Parts, true); e.problem != "" {
		j.add(unclear, r.Hdoc.Pos(), "%s in a here-document cannot be judged", e.problem)
		j.inside(r.Hdoc)
	}
}

// ends reports whether a here-document surely ends where the parser says: only a plain name ends one, and nothing in it
// may look like its end. quoted: bash expands nothing in it.
func (j *judge) ends(r *syntax.Redirect) (ok, quoted bool) {
	if len(r.Word.Parts) != 1 {
		return false, false
	}
	end := ""
	switch part := r.Word.Parts[0].(type) {
	case *syntax.Lit:
		end = part.Value
	case *syntax.SglQuoted:
		if quoted = true; !part.Dollar {
			end = part.Value
		}
	}
	if !delimiter.MatchString(end) {
		return false, quoted
	}
	if r.Hdoc == nil {
		return true, quoted
	}
	text := j.source(r.Hdoc)
	if !j.spend(r.Pos(), len(text)) {
		return true, true // which has been said
	}
	lines := strings.Split(text, "\n") // the last is the end
	for i, line := range lines {
		if r.Op == syntax.DashHdoc {
			line = strings.TrimLeft(line, "\t")
		}
		last := i == len(lines)-1
		if last != (strings.TrimSpace(line) == end) || last && line != end || !quoted && strings.HasSuffix(line, `\`) {
			return false, quoted
		}
	}
	return true, quoted
}
