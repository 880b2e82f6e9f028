package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// plant returns the file that has the declaration of the fault, and its source with the
// fault in it.
func (f *fault) plant(root string) (file, changed string, err error) {
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(f.Folder), "*.go"))
	if err != nil {
		return "", "", err
	}
	wanted := tokens(f.Old)
	declared, found := 0, 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return "", "", err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
		if err != nil {
			return "", "", err
		}
		for _, decl := range declarations(parsed, f.Decl) {
			declared++
			for _, spot := range occurrences(decl, string(source), wanted) {
				found++
				file, changed = name, string(source[:spot[0]])+strings.TrimSuffix(f.New, "\n")+string(source[spot[1]:])
			}
		}
	}
	switch {
	case declared == 0:
		return "", "", fmt.Errorf("%s declares no %s", f.Folder, f.Decl)
	case found != 1:
		return "", "", fmt.Errorf("the old code occurs %d times in %s of %s, not once", found, f.Decl, f.Folder)
	}
	return file, changed, nil
}

// declarations returns what a file declares under a name, which is Type.Name for a method.
func declarations(file *ast.File, name string) []ast.Node {
	var found []ast.Node
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if functionName(decl) == name {
				found = append(found, decl)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				value, isValue := spec.(*ast.ValueSpec)
				typ, isType := spec.(*ast.TypeSpec)
				if isValue && value.Names[0].Name == name || isType && typ.Name.Name == name {
					found = append(found, spec)
				}
			}
		}
	}
	return found
}

func functionName(decl *ast.FuncDecl) string {
	name := decl.Name.Name
	if decl.Recv == nil {
		return name
	}
	ast.Inspect(decl.Recv.List[0].Type, func(n ast.Node) bool {
		if receiver, ok := n.(*ast.Ident); ok && name == decl.Name.Name { // the first one is no type parameter
			name = receiver.Name + "." + name
		}
		return true
	})
	return name
}

type lexeme struct {
	tok      token.Token
	lit      string
	from, to int // offsets
}

// tokens leaves out comments and the semicolons that stand for the end of a line.
func tokens(source string) []lexeme {
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), nil, 0)
	var all []lexeme
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return all
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		from := file.Offset(pos)
		all = append(all, lexeme{tok, lit, from, from + len(cmp.Or(lit, tok.String()))})
	}
}

// occurrences returns where the wanted code begins and ends in a declaration: at the
// beginning and at the end of an expression or a statement.
func occurrences(decl ast.Node, source string, wanted []lexeme) [][2]int {
	begins, ends := map[int]bool{}, map[int]bool{}
	ast.Inspect(decl, func(n ast.Node) bool {
		if n != nil {
			begins[int(n.Pos())-1], ends[int(n.End())-1] = true, true
		}
		return true
	})
	start := int(decl.Pos()) - 1
	all := tokens(source[start : int(decl.End())-1])
	var found [][2]int
	for i := 0; i+len(wanted) <= len(all); i++ {
		run := all[i : i+len(wanted)]
		from, to := start+run[0].from, start+run[len(run)-1].to
		if begins[from] && ends[to] && slices.EqualFunc(run, wanted, func(a, b lexeme) bool { return a.tok == b.tok && a.lit == b.lit }) {
			found = append(found, [2]int{from, to})
		}
	}
	return found
}
