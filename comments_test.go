package agentfsm_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// commentLink is a link as go doc writes it, to a name with a lower-case letter in it: [THINK] is none.
var commentLink = regexp.MustCompile(`\[\*?((?:[a-z]\w*\.)?[A-Z]\w*[a-z]\w*(?:\.\w+)?)\]`)

// A link in a comment to a name that is gone is found here and not by a reader of go doc.
func TestLinksInComments(t *testing.T) {
	names := map[string]map[string]bool{}
	comments := map[string][]string{}
	for _, pkg := range corePackages(t) {
		var files []*ast.File
		fset := token.NewFileSet()
		for _, file := range pkg.GoFiles {
			parsed, err := parser.ParseFile(fset, filepath.Join(pkg.Dir, file), nil, parser.ParseComments)
			require.NoError(t, err)
			files = append(files, parsed)
			for _, c := range parsed.Comments {
				comments[pkg.Name] = append(comments[pkg.Name], c.Text())
			}
		}
		all, err := doc.NewFromFiles(fset, files, pkg.Name, doc.AllDecls)
		require.NoError(t, err)
		if names[pkg.Name] == nil {
			names[pkg.Name] = map[string]bool{}
		}
		namesOf(all, names[pkg.Name])
	}
	found := 0
	for name, texts := range comments {
		for _, link := range commentLink.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
			of, to := name, link[1]
			if before, after, ok := strings.Cut(to, "."); ok && strings.ToLower(before) == before {
				of, to = before, after
			}
			if names[of] != nil && to != "Clerk" { // of an example in a comment
				found++
				assert.True(t, names[of][to], "package %s: %s leads nowhere", name, link[0])
			}
		}
	}
	assert.Greater(t, found, 300)
}

// namesOf adds what a link may lead to.
func namesOf(pkg *doc.Package, names map[string]bool) {
	values := func(list []*doc.Value) {
		for _, v := range list {
			for _, name := range v.Names {
				names[name] = true
			}
		}
	}
	funcs := func(of string, list []*doc.Func) {
		for _, f := range list {
			names[of+f.Name] = true
		}
	}
	values(pkg.Consts)
	values(pkg.Vars)
	funcs("", pkg.Funcs)
	for _, typ := range pkg.Types {
		names[typ.Name] = true
		values(typ.Consts)
		values(typ.Vars)
		funcs("", typ.Funcs)
		funcs(typ.Name+".", typ.Methods)
		ast.Inspect(typ.Decl, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok {
				for _, name := range field.Names {
					names[typ.Name+"."+name.Name] = true
				}
			}
			return true
		})
	}
}
