package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// fault is one change that a test must notice.
type fault struct {
	Name    string // unique
	Folder  string // of the package, below the root of the repository
	Decl    string // the declaration that has Old, such as Session.Close
	Old     string // occurs once in Decl
	New     string
	Package string // folder of the test's package; "": Folder
	Test    string // must fail
	Why     string // what the fault means
	Pos     string // of the fault in the data, for messages
}

var (
	faultName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	testName  = regexp.MustCompile(`^Test[A-Z]\w*(/[\w,.-]+)*$`)
)

// loadFaults reads the faults of a folder. Its error names everything that is wrong.
func loadFaults(dir string) ([]fault, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.txt")) // sorted
	if err != nil {
		return nil, fmt.Errorf("mutants: %w", err)
	}
	var all []fault
	var errs []error
	for _, name := range names {
		text, err := os.ReadFile(name)
		errs = append(errs, err)
		faults, err := parseFaults(string(text), filepath.Base(name))
		errs = append(errs, err)
		all = append(all, faults...)
	}
	seen := map[string]string{}
	for _, f := range all {
		if first, ok := seen[f.Name]; ok {
			errs = append(errs, fmt.Errorf("mutants: %s: %s is also at %s", f.Pos, f.Name, first))
		}
		seen[f.Name] = f.Pos
	}
	return all, errors.Join(errs...)
}

// parseFaults reads faults in the format that the package comment describes.
func parseFaults(text, file string) ([]fault, error) {
	var faults []fault
	var errs []error
	for i, line := range strings.Split(text, "\n") {
		pos := fmt.Sprintf("%s:%d", file, i+1)
		if name, ok := strings.CutPrefix(line, "== "); ok {
			faults = append(faults, fault{Name: name, Pos: pos})
		} else if line != "" && line[0] != '#' && (len(faults) == 0 || !faults[len(faults)-1].add(line)) {
			errs = append(errs, fmt.Errorf("mutants: %s: unexpected %q", pos, line))
		}
	}
	for _, f := range faults {
		if problem := f.problem(); problem != "" {
			errs = append(errs, fmt.Errorf("mutants: %s: %s: %s", f.Pos, f.Name, problem))
		}
	}
	return faults, errors.Join(errs...)
}

// add reads one line of a fault, and reports whether it may stand there.
func (f *fault) add(line string) bool {
	switch line[0] {
	case '-':
		f.Old += line[1:] + "\n"
		return f.New == ""
	case '+':
		f.New += line[1:] + "\n"
		return true
	}
	key, value, _ := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	if key == "in" && f.Decl == "" {
		f.Folder, f.Decl, _ = strings.Cut(value, " ")
		return true
	}
	field := map[string]*string{"package": &f.Package, "test": &f.Test, "why": &f.Why}[key]
	if field == nil || *field != "" {
		return false
	}
	*field = value
	return true
}

// problem says what is wrong with the fault as written, "" for nothing.
func (f *fault) problem() string {
	switch {
	case !faultName.MatchString(f.Name):
		return "a name is made of small letters, digits and single hyphens"
	case !filepath.IsLocal(f.Folder) || !filepath.IsLocal(f.tests()) || f.Decl == "":
		return "in is a folder of the repository and a declaration, package is a folder"
	case !testName.MatchString(f.Test):
		return fmt.Sprintf("test %q is not the name of a test", f.Test)
	case f.Why == "":
		return "why is missing"
	case f.Old == "" || f.Old == f.New:
		return "there is no change"
	}
	return ""
}

// tests is the folder of the package whose test must notice the fault.
func (f *fault) tests() string { return path.Clean(cmp.Or(f.Package, f.Folder)) }
