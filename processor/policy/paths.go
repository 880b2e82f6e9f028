package policy

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

// Paths allows commands whose paths are all in roots and denies those with
// another one, or with one that cannot be judged (see [Roots.Problem]). A command
// without a path is allowed. Nil roots are none.
//
// A path is the value of a parameter whose name ends in a word such as path,
// file, file_name, dir or folder, or is among opts.Parameters; whose schema says
// format "path", "file-path" or "directory-path"; and every string that looks
// like one: it begins with a slash, a "~", a dot and a slash, a drive, or file:.
// So a text that is typed is judged too, since it may be typed into a dialog that
// opens files. Keys of objects and items of lists are looked at like values.
//
// A shell command is denied, because a command line can name a path in more ways
// than this policy reads. Judge it with a policy of its own and ignore it here:
// opts.Ignore. opts may be nil.
func Paths(roots *Roots, opts *ScanOptions) processor.Policy {
	if roots == nil {
		roots = &Roots{}
	}
	opts = opts.clone()
	return func(_ context.Context, tool desktop.Tool, cmd desktop.Command) processor.Verdict {
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
			if !isPath(v, opts) {
				continue
			}
			text := v.text
			if _, value, found := strings.Cut(text, "="); found && strings.HasPrefix(text, "-") && looksLikePath(value) {
				text = value // --output=/etc/passwd
			}
			if problem := roots.Problem(text); problem != "" {
				return deny("the path " + quoteOf(tool, cmd, v.text) + " " + problem)
			}
		}
		return allow
	}
}

func isPath(v value, opts *ScanOptions) bool {
	if v.text == "" {
		return false
	}
	switch v.format {
	case "path", "file-path", "directory-path":
		return true
	}
	if namesPath(v.name, opts) {
		return true
	}
	if _, value, found := strings.Cut(v.text, "="); found && strings.HasPrefix(v.text, "-") {
		return looksLikePath(value)
	}
	return looksLikePath(v.text)
}

// namesPath reports whether a parameter of that name holds a path.
func namesPath(name string, opts *ScanOptions) bool {
	if slices.Contains(opts.Parameters, name) {
		return true
	}
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	if last == "name" && len(words) > 1 {
		last = words[len(words)-2]
	}
	return pathWords[last]
}

var pathWords = setOf("path", "paths", "filepath", "filepaths", "pathname", "file", "files", "filename", "filenames", "dir", "dirs",
	"directory", "directories", "folder", "folders", "cwd", "workdir")

// pathLike is what begins as a path does, behind blanks that a reader may drop.
var pathLike = regexp.MustCompile(`(?i)^[\s\pC]*([/\\]|~[a-z_][\w.-]*[/\\]|~[/\\]|~$|~root\b|\.\.?[/\\]|\.\.$|[a-z]:[/\\]|file:|\$\{?\w+\}?[/\\]|%\w+%[/\\])`)

func looksLikePath(text string) bool { return pathLike.MatchString(text) }
