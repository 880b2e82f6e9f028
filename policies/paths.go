package policies

import (
	"context"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/internal/spelling"
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
	opts = opts.clone()
	return func(_ context.Context, tool desktop.Tool, cmd desktop.Command) Verdict {
		if slices.Contains(opts.Ignore, cmd.ToolName) {
			return allow
		}
		if cmd.ToolName == desktop.RunShell {
			return deny("a shell command can name any path")
		}
		values, ok := valuesOf(tool, cmd, opts)
		if !ok {
			return deny("its parameters cannot be read")
		}
		for _, v := range values {
			named := isPath(v, opts)
			switch {
			case v.number, v.truth:
				if named && !v.typed {
					return deny("the parameter " + quoteOf(tool, cmd, v.name, v.name) + " is for a path, so it must be a text")
				}
				continue
			case v.text == "" && (!named || takesScreenshot(cmd)):
				continue // a screenshot is kept nowhere then
			}
			if shown, problem := pathProblem(roots, v, named); problem != "" {
				return deny("the path " + quoteOf(tool, cmd, shown, v.text) + " " + problem)
			}
		}
		return allow
	}
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

// isPath reports whether a value is one whatever it looks like.
func isPath(v value, opts *ScanOptions) bool {
	return v.is(pathFormats) || namesPath(v.name, opts)
}

// namesPath reports whether a parameter of that name holds a path.
func namesPath(name string, opts *ScanOptions) bool {
	if slices.Contains(opts.Parameters, name) {
		return true
	}
	words := spelling.Words(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	if last == "name" && len(words) > 1 {
		last = words[len(words)-2]
	}
	return pathWords[last]
}

var pathFormats = setOf("path", "file-path", "directory-path")

var pathWords = setOf("path", "paths", "filepath", "filepaths", "pathname", "file", "files", "filename", "filenames", "dir", "dirs",
	"directory", "directories", "folder", "folders", "cwd", "workdir")
