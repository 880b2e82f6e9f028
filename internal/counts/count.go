package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// counts are the numbers of one package, or of several.
type counts struct {
	name  string // the folder
	group string // core, kits or internal

	lines, types, funcs, methods, values int
	fields                               int // exported fields of exported structs
	errorTypes                           int // exported types with a method Error
	sentinels                            int // exported variables Err…
}

func (c *counts) names() int { return c.types + c.funcs + c.methods + c.values }

func (c *counts) add(o *counts) {
	c.lines += o.lines
	c.types += o.types
	c.funcs += o.funcs
	c.methods += o.methods
	c.values += o.values
	c.fields += o.fields
	c.errorTypes += o.errorTypes
	c.sentinels += o.sentinels
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("there is no go.mod above")
		}
		dir = up
	}
}

// countAll counts the packages of the module, but not those of modules in it and no commands.
func countAll(root string) ([]*counts, error) {
	var all []*counts
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if name != "." {
			if d.Name()[0] == '.' || d.Name() == "testdata" || name == "examples" || name == "adapters" {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		}
		c, err := countPackage(path, name)
		if c != nil {
			all = append(all, c)
		}
		return err
	})
	return all, err
}

// countPackage counts one folder; nil: it has no package.
func countPackage(dir, name string) (*counts, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	c := &counts{name: name, group: groupOf(name)}
	var parsed []*ast.File
	fset := token.NewFileSet()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if f.Name.Name == "main" {
			return nil, nil //nolint:nilnil // a command has no names
		}
		c.lines += strings.Count(string(text), "\n")
		parsed = append(parsed, f)
	}
	if len(parsed) == 0 {
		return nil, nil //nolint:nilnil // no package
	}
	for _, f := range parsed {
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				c.addFunc(decl)
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					c.addSpec(spec)
				}
			}
		}
	}
	return c, nil
}

func groupOf(name string) string {
	switch parts := strings.Split(name, "/"); {
	case slices.Contains(parts, "internal"):
		return "internal"
	case strings.HasSuffix(name, "test"):
		return "kits"
	}
	return "core"
}

func (c *counts) addFunc(decl *ast.FuncDecl) {
	switch {
	case !decl.Name.IsExported():
	case decl.Recv == nil:
		c.funcs++
	case ast.IsExported(receiver(decl.Recv.List[0].Type)):
		c.methods++
		if decl.Name.Name == "Error" {
			c.errorTypes++
		}
	}
}

// receiver returns the name of the type that has a method.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func (c *counts) addSpec(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() {
			c.types++
			c.addFields(spec.Type)
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() {
				c.values++
				if strings.HasPrefix(name.Name, "Err") {
					c.sentinels++
				}
			}
		}
	}
}

// addFields counts the fields of a struct. The methods of an interface are its own affair: they
// are learned with it.
func (c *counts) addFields(typ ast.Expr) {
	list, ok := typ.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range list.Fields.List {
		for _, name := range field.Names {
			if name.IsExported() {
				c.fields++
			}
		}
	}
}

// words counts the words of all Markdown, and of that in docs, of one repository.
func words(root string) (all, docs int, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name()[0] == '.' || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n := len(strings.Fields(string(text)))
		all += n
		if strings.HasPrefix(path, filepath.Join(root, "docs")+string(filepath.Separator)) {
			docs += n
		}
		return nil
	})
	return all, docs, err
}
