package policies

import (
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
)

// Paths allows commands whose paths are all in roots and denies those with another one, or with one that cannot be
// judged (see [Roots.Problem]). A command without a path is allowed. Nil roots are none.
//
// A path is known by the name of its parameter (path, file, dir, …, or one of opts.Parameters), by its schema, and by
// its look: a text, or one of its lines, that begins like one. A path in the middle of a line is not seen. Name a
// parameter for long texts or code in opts.Ignore. The guide docs/guides/approvals.md has the details.
//
// A shell command is denied, because a command line can name a path in more ways than this policy reads. Judge it with
// a policy of its own and ignore it here: opts.Ignore. opts may be nil.
func Paths(roots *Roots, opts *ScanOptions) Func {
	if roots == nil {
		roots = &Roots{}
	}
	return scanned(&pathKind, opts, func(cmd desktop.Command, v value, named bool) (shown, problem string) {
		if v.text == "" && (!named || takesScreenshot(cmd)) {
			return "", "" // a screenshot is kept nowhere then
		}
		return pathProblem(roots, v, named)
	})
}

// pathProblem says why a value may not be used, and which part of it. A value that is named a path is one as a whole,
// and so is one that begins like one; besides, both are texts that somebody may take a path out of.
func pathProblem(roots *Roots, v value, named bool) (shown, problem string) {
	if v.text == "" {
		return "", roots.Problem(".") // the working directory, for most tools
	}
	pieces := pathsIn(v.text)
	option := strings.HasPrefix(v.text, "-") && len(pieces) == 1 && pieces[0].line == v.text // --output=/etc/passwd
	if named && !option || pathLike.MatchString(v.text) {
		if problem := roots.Problem(v.text); problem != "" {
			return v.text, problem
		}
	}
	for _, p := range pieces {
		problem := p.problem
		if problem == "" {
			problem = roots.Problem(p.path)
		}
		if problem != "" {
			return p.line, problem
		}
	}
	return "", ""
}

var pathKind = kind{
	what: "path", formats: setOf("path", "file-path", "directory-path"), of: setOf("name"), truths: true,
	words: setOf("path", "paths", "filepath", "filepaths", "pathname", "file", "files", "filename", "filenames", "dir", "dirs",
		"directory", "directories", "folder", "folders", "cwd", "workdir"),
}
