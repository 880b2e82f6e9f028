package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// names has the numbers of one public package.
type names struct {
	folder string
	names  int // exported types, funcs, methods, constants and variables, without errors
	fields int // exported fields of exported structs
}

// errorName is the name of an error. Errors do not count: a caller looks for them, and
// learns them only then.
var errorName = regexp.MustCompile(`^(Err[A-Z]\w*|\w*Error)$`)

// countNames counts the public packages of the module, without those of modules in it.
func countNames(root string) ([]names, error) {
	var all []names
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		folder, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if folder != "." {
			switch name := d.Name(); {
			case name[0] == '.', name == "testdata", name == "examples", name == "adapters", name == "internal":
				return filepath.SkipDir
			}
		}
		n, there, err := namesOf(path)
		if there {
			n.folder = filepath.ToSlash(folder)
			all = append(all, n)
		}
		return err
	})
	return all, err
}

// namesOf counts one folder, and reports whether it has a package.
func namesOf(dir string) (n names, there bool, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return n, false, err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return n, false, err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		if err != nil || parsed.Name.Name == "main" {
			return n, false, err
		}
		there = true
		ast.FileExports(parsed)
		for _, decl := range parsed.Decls {
			n.add(decl)
		}
	}
	return n, there, nil
}

// add counts a declaration of which only exported parts are left.
func (n *names) add(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		receiver := ""
		if decl.Recv != nil {
			ast.Inspect(decl.Recv.List[0].Type, func(node ast.Node) bool {
				if id, ok := node.(*ast.Ident); ok && receiver == "" { // the next ones are type parameters
					receiver = id.Name
				}
				return true
			})
		}
		if receiver == "" || ast.IsExported(receiver) && !errorName.MatchString(receiver) {
			n.names++
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if errorName.MatchString(spec.Name.Name) {
					continue
				}
				n.names++
				if list, ok := spec.Type.(*ast.StructType); ok {
					for _, field := range list.Fields.List {
						n.fields += len(field.Names)
					}
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.IsExported() && !errorName.MatchString(name.Name) {
						n.names++
					}
				}
			}
		}
	}
}
