package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agentfsm/agentfsm/internal/generate/marked"
)

// program is what a user writes, and what it prints.
type program struct {
	name   string // where it is from
	code   string
	output string
}

// listed is what go list says of a package that was fetched.
type listed struct {
	ImportPath string   `json:"ImportPath"`
	Name       string   `json:"Name"`
	Dir        string   `json:"Dir"`
	Tests      []string `json:"XTestGoFiles"`
}

// A programError is a program that does not print what it is known to print.
type programError struct{ Program, Got, Want string }

func (e *programError) Error() string {
	return fmt.Sprintf("release: %s prints\n%s\nand not\n%s", e.Program, strings.TrimSpace(e.Got), strings.TrimSpace(e.Want))
}

// programsOf returns the programs of a module, from the files that were fetched.
// There is one at least.
func programsOf(m *ours, packages []*listed) ([]program, error) {
	var programs []program
	for _, p := range packages {
		var (
			found []program
			err   error
		)
		switch {
		case m.dir != ".":
			found, err = firstExample(p)
		case p.ImportPath == m.path():
			found, err = ofReadme(p.Dir)
		}
		if err != nil {
			return nil, err
		}
		programs = append(programs, found...)
	}
	switch {
	case len(programs) > 0:
		return programs, nil
	case m.dir == ".":
		return nil, &fetchError{m.path(), "its root is no package with a README.md that shows a program"}
	}
	return nil, &fetchError{m.path(), "none of its packages has an Example that is a program by itself"}
}

// firstExample returns the first Example of a package that is a program by itself.
// Packages that users cannot import have none.
func firstExample(p *listed) ([]program, error) {
	if p.Name == "main" || strings.Contains(p.ImportPath+"/", "/internal/") {
		return nil, nil
	}
	for _, file := range p.Tests {
		whole, err := marked.Programs(p.Dir, file)
		if err != nil {
			return nil, fmt.Errorf("release: %s: %w", p.ImportPath, err)
		}
		if len(whole) > 0 {
			return []program{{file + " " + whole[0].Function, whole[0].Code, whole[0].Output}}, nil
		}
	}
	return nil, nil
}

var shown = regexp.MustCompile("(?s)\n<!-- program: (\\S+) (\\S+) -->\n`{3,}go\n(.*?)`{3,}\n<!-- /program -->\n")

// ofReadme returns the programs of README.md as it shows them. What they print is
// what the Examples print that their markers name.
func ofReadme(dir string) ([]program, error) {
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		return nil, fmt.Errorf("release: %w", err)
	}
	var programs []program
	for _, part := range shown.FindAllStringSubmatch(string(readme), -1) {
		file, function, code := part[1], part[2], part[3]
		output, err := outputOf(dir, file, function)
		if err != nil {
			return nil, err
		}
		programs = append(programs, program{"README.md " + function, code, output})
	}
	return programs, nil
}

func outputOf(dir, file, function string) (string, error) {
	whole, err := marked.Programs(dir, file)
	if err != nil {
		return "", fmt.Errorf("release: README.md: %w", err)
	}
	for _, w := range whole {
		if w.Function == function {
			return w.Output, nil
		}
	}
	return "", fmt.Errorf("release: README.md shows %s of %s, and there is no such program", function, file)
}
