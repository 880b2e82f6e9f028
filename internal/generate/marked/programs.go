package marked

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Whole is an Example that is a program by itself.
type Whole struct {
	Function string // such as ExampleNew
	Code     string // package main, as [Program] shows it
	Output   string // what it prints, as go test compares it
}

// Programs returns the Examples of a test file that are programs by themselves
// and print the same each time, in the order of the file. An Example that uses what another file
// of its package declares is none, and neither is one that go test only compiles.
func Programs(root, file string) ([]Whole, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return nil, fmt.Errorf("marked: %w", err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("marked: %w", err)
	}
	runs := map[string]string{}
	for _, e := range doc.Examples(parsed) {
		if e.Play != nil && !e.Unordered && (e.Output != "" || e.EmptyOutput) {
			runs["Example"+e.Name] = e.Output
		}
	}
	var programs []Whole
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil {
			continue
		}
		output, ok := runs[f.Name.Name]
		if !ok {
			continue
		}
		code, err := program(root, file, f.Name.Name)
		if err != nil {
			return nil, fmt.Errorf("marked: %w", err)
		}
		programs = append(programs, Whole{Function: f.Name.Name, Code: code, Output: output})
	}
	return programs, nil
}

// program returns an Example function as a whole program.
func program(root, file, function string) (string, error) {
	source, err := load(root, file, function)
	if err != nil {
		return "", err
	}
	if source.example.Play == nil {
		return "", fmt.Errorf("%s uses what only its file has, so it is no program by itself", function)
	}
	var code strings.Builder
	if err := format.Node(&code, source.files, source.play()); err != nil {
		return "", err
	}
	return withoutRegions(code.String()), nil
}
