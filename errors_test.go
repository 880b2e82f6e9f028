package agentfsm_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	errorName = regexp.MustCompile(`^(Err[A-Z]\w*|\w*Error)$`)
	errorItem = regexp.MustCompile("(?m)^- ((?:`\\w+\\.\\w+`(?:, )?)+): .") // "- `a.ErrB`, `a.CError`: when it is returned"
)

// docs/errors.md is what callers look errors up in, so it has all of them.
func TestErrorsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("docs/errors.md")
	require.NoError(t, err)
	var documented []string
	for _, item := range errorItem.FindAllStringSubmatch(string(text), -1) {
		for name := range strings.SplitSeq(item[1], ", ") {
			documented = append(documented, strings.Trim(name, "`"))
		}
	}
	var exported []string
	for name, pkg := range corePackages(t) {
		if name == "" || isInternal(name) {
			continue
		}
		for _, file := range pkg.GoFiles {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, file), nil, 0)
			require.NoError(t, err)
			for _, id := range exportedErrors(parsed) {
				exported = append(exported, pkg.Name+"."+id)
			}
		}
	}
	adapters := filesOf(t, os.DirFS("."), func(name string) bool {
		return strings.HasPrefix(name, "adapters/") && !strings.Contains(name, "/internal/") &&
			strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
	})
	for _, file := range adapters {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		if parsed.Name.Name == "main" {
			continue
		}
		for _, id := range exportedErrors(parsed) {
			exported = append(exported, parsed.Name.Name+"."+id)
		}
	}
	assert.ElementsMatch(t, exported, documented)
}

// exportedErrors returns the package-level names that look like errors.
func exportedErrors(file *ast.File) []string {
	var names []string
	add := func(id *ast.Ident) {
		if id.IsExported() && errorName.MatchString(id.Name) {
			names = append(names, id.Name)
		}
	}
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range gen.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				add(spec.Name)
			case *ast.ValueSpec:
				if gen.Tok == token.VAR {
					for _, id := range spec.Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}
