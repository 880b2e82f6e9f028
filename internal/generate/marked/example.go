package marked

import (
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Example returns a [Renderer] with the arguments FILE FUNCTION [REGION]: the
// body of an Example function, without the function around it. FILE is relative
// to the root, with slashes.
func Example(root string) Renderer {
	return func(args []string) (string, error) {
		if len(args) != 2 && len(args) != 3 {
			return "", errors.New("want FILE FUNCTION [REGION]")
		}
		source, err := load(root, args[0], args[1])
		if err != nil {
			return "", err
		}
		name := ""
		if len(args) == 3 {
			name = args[2]
		}
		code, err := region(source.body(), name)
		if err != nil {
			return "", fmt.Errorf("%s: %w", args[1], err)
		}
		return Fence("go", code), nil
	}
}

// Program returns a [Renderer] with the arguments FILE FUNCTION: a program whose
// main is the body of the Example function.
func Program(root string) Renderer {
	return func(args []string) (string, error) {
		if len(args) != 2 {
			return "", errors.New("want FILE FUNCTION")
		}
		code, err := program(root, args[0], args[1])
		if err != nil {
			return "", err
		}
		return Fence("go", code), nil
	}
}

// Output returns a [Renderer] with the arguments FILE FUNCTION [LANGUAGE]: what
// the Example function prints, in a fence of that language ("": text). It is what
// go test compares with, so it is right, and a diagram that is printed is drawn.
func Output(root string) Renderer {
	return func(args []string) (string, error) {
		if len(args) != 2 && len(args) != 3 {
			return "", errors.New("want FILE FUNCTION [LANGUAGE]")
		}
		source, err := load(root, args[0], args[1])
		if err != nil {
			return "", err
		}
		language := "text"
		if len(args) == 3 {
			language = args[2]
		}
		return Fence(language, source.example.Output), nil
	}
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

// source is an Example function in its file.
type source struct {
	text     string
	files    *token.FileSet
	parsed   *ast.File
	function *ast.FuncDecl
	example  *doc.Example
}

func load(root, file, function string) (*source, error) {
	if !strings.HasSuffix(file, "_test.go") || !filepath.IsLocal(filepath.FromSlash(file)) {
		return nil, fmt.Errorf("%s is not a test file of the module", file)
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil {
		return nil, err
	}
	s := &source{text: string(text), files: token.NewFileSet()}
	parsed, err := parser.ParseFile(s.files, file, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	s.parsed = parsed
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == function {
			s.function = f
		}
	}
	for _, e := range doc.Examples(parsed) {
		if "Example"+e.Name == function {
			s.example = e
		}
	}
	if s.function == nil || s.example == nil {
		return nil, fmt.Errorf("%s has no Example function %s", file, function)
	}
	if s.example.Output == "" && !s.example.EmptyOutput {
		return nil, fmt.Errorf("%s has no output comment, so go test does not run it", function)
	}
	return s, nil
}

// play is the program with the comments inside of its declarations, which go/doc
// leaves out where it picks declarations from a larger file.
func (s *source) play() *ast.File {
	play := *s.example.Play
	shown := map[*ast.CommentGroup]bool{}
	for _, group := range play.Comments {
		shown[group] = true
	}
	within := func(node ast.Node, group *ast.CommentGroup) bool {
		last := s.files.Position(node.End()).Line
		return node.Pos() <= group.Pos() && s.files.Position(group.Pos()).Line <= last
	}
	for _, group := range s.parsed.Comments {
		inside := slices.ContainsFunc(play.Decls, func(decl ast.Decl) bool {
			// Of a group of constants, say, only some may be there.
			if d, ok := decl.(*ast.GenDecl); ok && d.Tok != token.IMPORT {
				return slices.ContainsFunc(d.Specs, func(spec ast.Spec) bool { return within(spec, group) })
			}
			f, ok := decl.(*ast.FuncDecl)
			return ok && f.Name.Name != "main" && within(f, group)
		})
		if inside && !shown[group] {
			play.Comments = append(slices.Clone(play.Comments), group)
		}
	}
	slices.SortFunc(play.Comments, func(a, b *ast.CommentGroup) int { return int(a.Pos() - b.Pos()) })
	return &play
}

func (s *source) body() string {
	from := s.files.Position(s.function.Body.Lbrace).Offset + 1
	to := s.files.Position(s.function.Body.Rbrace).Offset
	return s.text[from:to]
}

// region returns the formatted lines of the region, or of the whole body when
// the name is "". The comments that mark regions are left out.
func region(body, name string) (string, error) {
	code := withoutRegions(body)
	if name != "" {
		var lines []string
		inside, found := false, false
		for line := range strings.Lines(body) {
			switch word := strings.TrimSpace(line); {
			case word == "// region "+name && found:
				return "", fmt.Errorf("region %s begins twice", name)
			case word == "// region "+name:
				inside, found = true, true
			case inside && isRegion(word) && word != "// endregion":
				return "", fmt.Errorf("region %s has another one in it", name)
			case word == "// endregion":
				inside = false
			case inside:
				lines = append(lines, line)
			}
		}
		switch {
		case !found:
			return "", fmt.Errorf("there is no region %s", name)
		case inside:
			return "", fmt.Errorf("region %s is not closed", name)
		}
		code = strings.Join(lines, "")
	}
	// Without the white space before the first word, format takes the
	// indentation of the function away from every line.
	formatted, err := format.Source([]byte(strings.TrimSpace(code)))
	if err != nil {
		return "", fmt.Errorf("region %s does not hold whole statements: %w", name, err)
	}
	if len(formatted) == 0 {
		return "", errors.New("there is no code to show")
	}
	return string(formatted), nil
}

func isRegion(word string) bool {
	return word == "// endregion" || strings.HasPrefix(word, "// region ")
}

func withoutRegions(code string) string {
	var out strings.Builder
	for line := range strings.Lines(code) {
		if !isRegion(strings.TrimSpace(line)) {
			out.WriteString(line)
		}
	}
	return out.String()
}
