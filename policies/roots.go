package policies

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// RootOptions say how paths are read.
type RootOptions struct {
	// Base is the directory that relative paths are relative to. "": a relative
	// path is in no root, because nobody knows where it leads.
	Base string
	// Windows: the desktop is one of Windows, with its separators, drives, names
	// of devices and its indifference to case. Otherwise paths are those of POSIX.
	Windows bool
	// Plain: a path goes to the system as it stands, as cat hands on its argument. Then file:/data/x is a name in the
	// directory "file:" and no URL, a?.txt is one file, and a:b is no other machine. Who is in doubt leaves it out: the
	// paths of a tool may be read in more ways.
	Plain bool
	// Resolve: follow the symbolic links of this machine, where the commands must be executed then. Otherwise a path is
	// what its letters say. A link that is made after the policy looked is followed by nobody but the tool.
	Resolve bool
}

// Roots are directories with everything that is in them. A Roots never changes and is safe for concurrent use.
type Roots struct {
	dirs []string // absolute, clean, with slashes
	opts RootOptions
}

// NewRoots returns the roots of these directories. They and the Base must be absolute, and written as [Roots.Problem]
// wants a path; the error names one that is not. Without directories no path is in the roots. opts may be nil.
func NewRoots(dirs []string, opts *RootOptions) (*Roots, error) {
	r := &Roots{}
	if opts != nil {
		r.opts = *opts
	}
	base := r.opts.Base
	r.opts.Base = "" // a root is not relative to anything
	for _, dir := range dirs {
		clean, problem := r.root(dir)
		if problem != "" {
			return nil, listError("roots", dir, problem)
		}
		r.dirs = append(r.dirs, clean)
	}
	if base != "" {
		clean, problem := r.root(base)
		if problem != "" {
			return nil, listError("base", base, problem)
		}
		r.opts.Base = clean
	}
	return r, nil
}

// root returns the absolute form of a directory that a program lists, which is no
// name with odd letters but a mistake when it looks like one.
func (r *Roots) root(dir string) (clean, problem string) {
	if !r.opts.Plain && isFileURL(dir) {
		if dir, problem = r.ofURL(dir); problem != "" {
			return "", problem
		}
	}
	if problem := tricky(dir, false); problem != "" {
		return "", problem
	}
	return r.clean(dir)
}

// Problem says why a path may not be used, "" when it is one of the roots or in one. Refused is also what leads out of
// a root for some reader of it, or may: "..", a "~" at the beginning, variables, wildcards, a backslash where it is no
// separator, percent-encoded separators, a colon before the first slash (a URL, a drive, a file on another machine), a
// second path behind a colon or semicolon, bytes that nobody sees. A file URL must be in a root twice, as the path in
// it, and, on POSIX, as the relative name that it is to a tool that reads no URLs. The text does not quote the path.
func (r *Roots) Problem(name string) string {
	if r.opts.Plain || !isFileURL(name) {
		return r.problem(name)
	}
	inside, problem := r.ofURL(name)
	if problem == "" {
		problem = r.problem(inside)
	}
	if problem != "" || r.opts.Windows { // where no name has a colon
		return problem
	}
	if problem := r.as("./" + name); problem != "" {
		return "is a file URL that may be read as a relative name, which " + problem
	}
	return ""
}

// problem is Problem for what is no URL.
func (r *Roots) problem(name string) string {
	if problem := tricky(name, r.opts.Plain); problem != "" {
		return problem
	}
	if problem := r.as(name); problem != "" {
		return problem
	}
	if !r.opts.Plain && lists.MatchString(drive.ReplaceAllString(name, "")) {
		return "has a colon or semicolon, so it may be read as two paths"
	}
	return ""
}

// as judges the letters of a path, whatever else they may mean.
func (r *Roots) as(name string) string {
	clean, problem := r.clean(name)
	if problem != "" {
		return problem
	}
	if !slices.ContainsFunc(r.dirs, func(dir string) bool { return r.inside(clean, dir) }) {
		return "is not in a directory on the list"
	}
	if r.opts.Resolve {
		return r.resolve(clean)
	}
	return ""
}

// clean returns the absolute form of a path, or says what is wrong with it.
func (r *Roots) clean(name string) (clean, problem string) {
	if r.opts.Windows {
		name = strings.ReplaceAll(name, `\`, "/")
		if problem := trickyOnWindows(name); problem != "" {
			return "", problem
		}
	} else if strings.Contains(name, `\`) {
		return "", "has a backslash"
	}
	if slices.Contains(strings.Split(name, "/"), "..") {
		return "", `has a ".." in it`
	}
	first, _, _ := strings.Cut(name, "/")
	switch {
	case strings.HasPrefix(name, "//"):
		return "", "begins with two separators"
	case r.absolute(name):
	case strings.HasPrefix(name, "/"):
		return "", "has no drive"
	case r.opts.Windows && drive.MatchString(name):
		return "", "names a drive in a way that leads elsewhere"
	case !r.opts.Plain && strings.Contains(first, ":"):
		return "", "has a colon before its first slash, so it may be read as a drive or URL; write ./ in front of it"
	case r.opts.Base == "":
		return "", "is relative, and its directory is not known"
	default:
		name = r.opts.Base + "/" + name
	}
	return path.Clean(name), ""
}

func (r *Roots) absolute(name string) bool {
	if r.opts.Windows {
		return drive.MatchString(name) && len(name) > 2 && name[2] == '/'
	}
	return strings.HasPrefix(name, "/")
}

func isFileURL(name string) bool {
	scheme, _, found := strings.Cut(name, ":")
	return found && strings.EqualFold(scheme, "file")
}

// ofURL returns the path of a file URL (RFC 8089).
func (r *Roots) ofURL(text string) (name, problem string) {
	u, err := url.Parse(text)
	switch {
	case err != nil, u.Opaque != "", u.Path == "":
		return "", "is no file URL that can be read"
	case u.Host != "" && !strings.EqualFold(u.Host, "localhost"), u.User != nil:
		return "", "is a file URL of another host"
	case u.RawQuery != "", u.Fragment != "", u.ForceQuery:
		return "", "is a file URL with more than a path"
	}
	name = u.Path
	if r.opts.Windows && drive.MatchString(strings.TrimPrefix(name, "/")) {
		name = strings.TrimPrefix(name, "/")
	}
	return name, ""
}

// inside compares whole names of directories. ASCII letters are equal on Windows
// in both cases; what else its file systems fold stays different, which denies.
func (r *Roots) inside(name, dir string) bool {
	if r.opts.Windows {
		name, dir = lower(name), lower(dir)
	}
	return name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")
}

// resolve says whether a path that is in a root by its letters is so on disk.
func (r *Roots) resolve(clean string) string {
	const unknown = "cannot be followed to where it leads"
	leads, ok := follow(clean)
	if !ok {
		return unknown
	}
	for _, dir := range r.dirs {
		if realDir, ok := follow(dir); ok && r.inside(filepath.ToSlash(leads), filepath.ToSlash(realDir)) {
			return ""
		}
	}
	return "leads through a link to a directory that is not on the list"
}

// follow resolves the links in the part of a path that exists. A link that leads
// nowhere is not followed: a tool that writes would make what it leads to.
func follow(name string) (string, bool) {
	if drive.MatchString(name) && len(name) == 2 {
		name += "/" // C: alone is the current directory of the drive
	}
	name = filepath.FromSlash(name)
	rest := ""
	for {
		target, err := filepath.EvalSymlinks(name)
		if err == nil {
			return filepath.Join(target, rest), true
		}
		if _, there := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) || there == nil {
			return "", false
		}
		parent := filepath.Dir(name)
		if parent == name {
			return "", false
		}
		name, rest = parent, filepath.Join(filepath.Base(name), rest)
	}
}
