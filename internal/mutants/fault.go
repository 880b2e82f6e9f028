package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// fault is one change that a test must notice.
type fault struct {
	Name    string // unique
	File    string // relative to the root of the module, with slashes
	Old     string // must occur exactly once in File
	New     string
	Package string // whose test it is, such as ./round; "": the one that File is in
	Test    string // that is expected to fail
	Why     string // what the fault means
	Pos     string // where it is written, for messages
}

var (
	faultName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	// A test, or one of its subtests, so that a long test need not run as a whole.
	testName = regexp.MustCompile(`^Test[A-Z]\w*(/[\w,.-]+)*$`)
)

// loadFaults reads all faults that match the pattern, in the order of the file
// names and then as written. Its error names everything that is wrong.
func loadFaults(pattern string) ([]fault, error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("mutants: %w", err)
	}
	sort.Strings(names)
	var all []fault
	var errs []error
	seen := map[string]string{}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("mutants: %w", err)
		}
		faults, err := parseFaults(f, filepath.Base(name))
		errs = append(errs, err, f.Close())
		for _, ft := range faults {
			if first, ok := seen[ft.Name]; ok {
				errs = append(errs, fmt.Errorf("mutants: %s: %s is also at %s", ft.Pos, ft.Name, first))
			}
			seen[ft.Name] = ft.Pos
		}
		all = append(all, faults...)
	}
	return all, errors.Join(errs...)
}

// parseFaults reads faults in the format that the package comment describes.
func parseFaults(r io.Reader, file string) ([]fault, error) {
	var (
		faults   []fault
		errs     []error
		current  *fault
		old, now []string
		line     int
	)
	fail := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("mutants: %s:%d: %s", file, line, fmt.Sprintf(format, args...)))
	}
	finish := func() {
		if current == nil {
			return
		}
		current.Old, current.New = strings.Join(old, "\n"), strings.Join(now, "\n")
		if problem := current.problem(); problem != "" {
			errs = append(errs, fmt.Errorf("mutants: %s: %s: %s", current.Pos, current.Name, problem))
		}
		faults = append(faults, *current)
		current, old, now = nil, nil, nil
	}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line++
		text := lines.Text()
		if name, ok := strings.CutPrefix(text, "== "); ok {
			finish()
			current = &fault{Name: strings.TrimSpace(name), Pos: fmt.Sprintf("%s:%d", file, line)}
			continue
		}
		if text == "" || text[0] == '#' {
			continue
		}
		if current == nil {
			fail("%q is not part of a fault", text)
			continue
		}
		switch text[0] {
		case '-':
			if len(now) > 0 {
				fail("a - line after a + line")
			}
			old = append(old, text[1:])
			continue
		case '+':
			now = append(now, text[1:])
			continue
		}
		key, value, _ := strings.Cut(text, ":")
		field := map[string]*string{"file": &current.File, "package": &current.Package, "test": &current.Test, "why": &current.Why}[key]
		switch value = strings.TrimSpace(value); {
		case field == nil:
			fail("unknown field %q", key)
		case *field != "":
			fail("%s is given twice", key)
		default:
			*field = value
		}
	}
	finish()
	errs = append(errs, lines.Err())
	return faults, errors.Join(errs...)
}

// problem says what is wrong with the fault as written, "" for nothing.
func (f *fault) problem() string {
	switch {
	case !faultName.MatchString(f.Name):
		return "a name is made of small letters, digits and single hyphens"
	case !filepath.IsLocal(filepath.FromSlash(f.File)) || filepath.Ext(f.File) != ".go":
		return fmt.Sprintf("file %q is not a Go file of the module", f.File)
	case strings.HasSuffix(f.File, "_test.go"):
		return "a fault belongs into the code, not into a test"
	case f.Package != "" && !f.hasFolder():
		return fmt.Sprintf("package %q is not ./ and a folder of the module", f.Package)
	case f.Package == f.owner():
		return fmt.Sprintf("package %q is that of the file: leave it out", f.Package)
	case !testName.MatchString(f.Test):
		return fmt.Sprintf("test %q is not the name of a test", f.Test)
	case f.Why == "":
		return "why is missing"
	case f.Old == "":
		return "there is no old text"
	case f.Old == f.New:
		return "the new text is the old text"
	}
	return ""
}

func (f *fault) hasFolder() bool {
	folder, ok := strings.CutPrefix(f.Package, "./")
	return ok && filepath.IsLocal(filepath.FromSlash(folder))
}

// owner is the package that File is in.
func (f *fault) owner() string {
	folder := path.Dir(f.File)
	if folder == "." {
		return "."
	}
	return "./" + folder
}

// tests is the package whose test must notice the fault.
func (f *fault) tests() string { return cmp.Or(f.Package, f.owner()) }

// pattern is that of go test -run for this test alone.
func (f *fault) pattern() string {
	parts := strings.Split(f.Test, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}

// apply returns the source with the fault in it.
func (f *fault) apply(source string) (string, error) {
	if n := strings.Count(source, f.Old); n != 1 {
		return "", fmt.Errorf("the old text occurs %d times in %s, not once", n, f.File)
	}
	return strings.Replace(source, f.Old, f.New, 1), nil
}
