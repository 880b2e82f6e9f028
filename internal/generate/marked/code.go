package marked

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// Code returns a [Renderer] with the arguments FILE NAME…: declarations of a Go
// file as they stand there, with their comments. A method is TYPE.NAME. Without
// a name it is the whole file, from its package clause on, such as a test that a
// reader can paste. The file belongs to a package that is built and tested, so the
// code compiles.
func Code(root string) Renderer {
	return func(args []string) (string, error) {
		if len(args) < 1 {
			return "", errors.New("want FILE [NAME…]")
		}
		file := args[0]
		if !strings.HasSuffix(file, ".go") || !filepath.IsLocal(filepath.FromSlash(file)) {
			return "", fmt.Errorf("%s is not a Go file of the repository", file)
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return "", err
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, file, text, parser.ParseComments)
		if err != nil {
			return "", err
		}
		if len(args) == 1 {
			return Fence("go", string(text[files.Position(parsed.Package).Offset:])), nil
		}
		var parts []string
		for _, name := range args[1:] {
			from, to := declaration(parsed, name)
			if !from.IsValid() {
				return "", fmt.Errorf("%s declares no %s", file, name)
			}
			parts = append(parts, string(text[files.Position(from).Offset:files.Position(to).Offset]))
		}
		return Fence("go", strings.Join(parts, "\n\n")), nil
	}
}

// declaration returns where the declaration of name begins and ends. One of
// several in a group is shown with the whole group.
func declaration(file *ast.File, name string) (from, to token.Pos) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if nameOf(d) == name {
				return begin(d.Doc, d.Pos()), d.End()
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if declares(spec, name) {
					return begin(d.Doc, d.Pos()), d.End()
				}
			}
		}
	}
	return token.NoPos, token.NoPos
}

func begin(doc *ast.CommentGroup, pos token.Pos) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return pos
}

// nameOf returns NAME or TYPE.NAME.
func nameOf(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if index, ok := t.(*ast.IndexExpr); ok {
		t = index.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

func declares(spec ast.Spec, name string) bool {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		return s.Name.Name == name
	case *ast.ValueSpec:
		for _, id := range s.Names {
			if id.Name == name {
				return true
			}
		}
	}
	return false
}
