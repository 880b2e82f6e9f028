package main

import (
	"cmp"
	"fmt"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/agentfsm/agentfsm/appagent"
	"github.com/agentfsm/agentfsm/hostagent"
)

// render returns the language of a code block, and its text. What it does not find is an empty text.
func render(root, kind string, args []string) (language, text string, err error) {
	if kind == "diagram" {
		return "mermaid", map[string]string{"hostagent": hostagent.States().Mermaid(), "appagent": appagent.States().Mermaid()}[args[0]], nil
	}
	raw, err := os.ReadFile(filepath.Join(root, args[0]))
	source := string(raw)
	switch {
	case err != nil:
		return "", "", err
	case kind == "text" && len(args) == 1:
		return "text", source, nil
	case kind == "text":
		_, below, _ := strings.Cut(source, "--- "+args[1]+"\n")
		text, _, _ := strings.Cut(below, "\n--- ")
		return "text", text, nil
	case kind == "code" && len(args) == 1:
		return "go", source[strings.Index(source, "package "):], nil
	case kind == "code":
		var parts []string
		for _, name := range args[1:] {
			part := declaration(source, name)
			if part == "" {
				return "", "", fmt.Errorf("there is no %s", name)
			}
			parts = append(parts, part)
		}
		return "go", strings.Join(parts, "\n\n"), nil
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.ParseComments)
	if err != nil {
		return "", "", err
	}
	args = append(args, "", "")
	for _, e := range doc.Examples(file) {
		if "Example"+e.Name != args[1] || e.Output == "" && !e.EmptyOutput { // without output, go test does not run it
			continue
		}
		switch kind {
		case "output":
			return cmp.Or(args[2], "text"), e.Output, nil
		case "program":
			var code strings.Builder
			err := format.Node(&code, files, e.Play)
			return "go", code.String(), err
		}
		_, code, _ := strings.Cut(declaration(source, args[1]), "{\n")
		code = strings.TrimSuffix(code, "}")
		if args[2] != "" {
			_, after, _ := strings.Cut(code, "// region "+args[2]+"\n")
			code, _, _ = strings.Cut(after, "// endregion\n")
		}
		// Without white space before the first word, Source removes the indentation of the function.
		formatted, err := format.Source([]byte(strings.TrimSpace(regions.ReplaceAllString(code, ""))))
		return "go", string(formatted), err
	}
	return "", "", nil
}

var regions = regexp.MustCompile(`(?m)^\s*// (region .*|endregion)\n`)

// declaration returns a declaration with its comment. gofmt indents all lines of one but the first and the last.
func declaration(source, name string) string {
	head := `(?:func|type|var|const) ` + name + `\b`
	if receiver, method, ok := strings.Cut(name, "."); ok {
		head = `func \((?:\w+ )?\*?` + receiver + `\) ` + method + `\b`
	}
	return regexp.MustCompile(`(?m)^(?://.*\n)*` + head + `.*(?:(?:\n(?:\t.*)?)*\n[)}].*)?`).FindString(source)
}
