package repo_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryPackageHasDoc(t *testing.T) {
	for name, pkg := range corePackages(t) {
		assert.NotEmpty(t, pkg.Doc, "package %q has no comment", name)
		if !isInternal(name) {
			assert.Contains(t, pkg.GoFiles, "doc.go", "package %q", name)
		}
	}
}

// Test packages need a *testing.T, so their Examples can only be compiled; those
// of all others must run.
func TestEveryPublicPackageHasExample(t *testing.T) {
	for name, pkg := range corePackages(t) {
		if name == "" || isInternal(name) {
			continue
		}
		var files []*ast.File
		for _, file := range slices.Concat(pkg.TestGoFiles, pkg.XTestGoFiles) {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, file), nil, parser.ParseComments)
			require.NoError(t, err)
			files = append(files, parsed)
		}
		examples := slices.DeleteFunc(doc.Examples(files...), func(e *doc.Example) bool {
			return testPackageOf(name) == "" && e.Output == "" && !e.EmptyOutput
		})
		assert.NotEmpty(t, examples, "package %q has no Example that go test runs", name)
	}
}

// Types of dependencies in the API would make their major versions ours.
func TestNoDependencyInExportedAPI(t *testing.T) {
	for name, pkg := range corePackages(t) {
		if isInternal(name) {
			continue
		}
		for _, file := range pkg.GoFiles {
			files := token.NewFileSet()
			parsed, err := parser.ParseFile(files, filepath.Join(pkg.Dir, file), nil, 0)
			require.NoError(t, err)
			for _, use := range foreignTypes(parsed) {
				assert.Fail(t, "a dependency is in the exported API", "%s: %s", files.Position(use.Pos()), use.Sel.Name)
			}
		}
	}
}

// foreignTypes returns the uses of packages of other modules in the exported
// declarations of a file, bodies of functions aside.
func foreignTypes(file *ast.File) []*ast.SelectorExpr {
	foreign := map[string]bool{}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		root, _, _ := strings.Cut(imported, "/")
		if err != nil || !strings.Contains(root, ".") || imported == module || strings.HasPrefix(imported, module+"/") {
			continue
		}
		local := path.Base(imported)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		foreign[local] = true
	}
	if len(foreign) == 0 || !ast.FileExports(file) {
		return nil
	}
	var uses []*ast.SelectorExpr
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			n.Body = nil
		case *ast.ValueSpec:
			n.Values = nil // how a variable gets its value is not in its type
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && foreign[x.Name] {
				uses = append(uses, n)
			}
		}
		return true
	})
	return uses
}
