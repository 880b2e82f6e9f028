package agentfsm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layered are packages whose own types stand in layers. Others have circles that are meant: an Agent of fsm has
// a Set of states that handle Agents, what package durable puts around a model is part of its recorder.
var layered = []string{"people", "policies", "deciding", "acting", "round", "round/observe", "round/runtask"}

// In round the meter does not know the Round that has it: what a type needs, by its fields
// and its methods, never needs that type again. Who calls an interface does not need what
// implements it.
func TestTypesStandInLayers(t *testing.T) {
	packages := corePackages(t)
	for _, name := range layered {
		pkg := packages[name]
		require.NotNil(t, pkg, name)
		var files []string
		for _, file := range pkg.GoFiles {
			files = append(files, filepath.Join(pkg.Dir, file))
		}
		graph, err := typeGraph(files, exported(t, name))
		require.NoError(t, err)
		assert.Greater(t, len(graph), 10, "%s: its declarations were not found", name)
		for _, circle := range graph.circles() {
			assert.Fail(t, "circle of types", "%s: %s", name, strings.Join(circle, ", "))
		}
	}
}

func TestCirclesOfTypesAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		code string
		want [][]string
	}{
		"fields":                 {`type a struct { b *b }; type b struct { a *a }`, [][]string{{"a", "b"}}},
		"a method":               {`type a struct { b *b }; type b struct{}; func (b) up(*a) {}`, [][]string{{"a", "b"}}},
		"a func between":         {`type a struct{ b *b }; type b struct{}; func (b) up() { help() }; func help() { _ = a{} }`, [][]string{{"a", "b", "help"}}},
		"a variable between":     {`type a struct{ b *b }; type b struct{}; func (b) up() { _ = all }; var all []a`, [][]string{{"a", "all", "b"}}},
		"a field of a field":     {`type a struct{ b *b }; type b struct{ c *c }; type c struct{ n int }; func (x *c) up() { _ = of().b.c.n }; func of() *a { return nil }`, [][]string{{"a", "b", "c", "of"}}},
		"a type of type":         {`type a[T any] struct{ b *b }; type b struct{}; func (b) up() { _ = a[int]{} }`, [][]string{{"a", "b"}}},
		"two circles":            {`type a struct { b *b }; type b struct { a *a }; type c struct { d *d }; type d struct { c *c }`, [][]string{{"a", "b"}, {"c", "d"}}},
		"itself":                 {`type a struct { next *a }; func (x *a) again() { x.again() }`, nil},
		"constants of a type":    {`type a int; const b a = 1; func (x a) f() bool { return x == b }`, nil},
		"funcs alone":            {`func a() { b() }; func b() { a() }`, nil},
		"downwards":              {`type a struct { b *b; c *c }; type b struct { c *c }; type c struct{}; func (x *a) f() { x.b.f() }; func (x *b) f() { help(x.c) }; func help(*c) {}`, nil},
		"an interface of others": {`type up interface { f() }; type a struct { b *b }; func (a) f() {}; type b struct { to up }; func (x b) g() { x.to.f() }`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "a.go")
			require.NoError(t, os.WriteFile(file, []byte("package p\n"+c.code), 0o600))
			graph, err := typeGraph([]string{file}, nil)
			require.NoError(t, err)
			assert.Equal(t, c.want, graph.circles())
		})
	}
}

// A graph says of each declaration of a package which others it needs. Methods and fields
// belong to their type.
type graph map[string]*declaration

type declaration struct {
	isType bool
	needs  map[string]bool
}

// typeGraph reads the files of one package. export has the export data of what it imports.
func typeGraph(files []string, export map[string]string) (graph, error) {
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range files {
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, file)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(export[path])
	})}
	pkg, err := conf.Check("p", fset, parsed, info)
	if err != nil {
		return nil, err
	}

	g, owner := graph{}, map[types.Object]string{}
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		_, isType := obj.(*types.TypeName)
		g[name], owner[obj] = &declaration{isType: isType, needs: map[string]bool{}}, name
	}
	own := func(name string, node ast.Node) {
		ast.Inspect(node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && info.Defs[id] != nil {
				if v, ok := info.Defs[id].(*types.Var); ok && v.IsField() {
					owner[v] = name
				}
			}
			return true
		})
	}
	parts := map[ast.Node]string{} // of the package: to which declaration they belong
	for _, file := range parsed {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				name := decl.Name.Name
				if decl.Recv != nil {
					name = receiver(decl.Recv.List[0].Type)
					owner[info.Defs[decl.Name]] = name
				}
				parts[decl] = name
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						parts[spec] = spec.Name.Name
						own(spec.Name.Name, spec)
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							parts[spec] = name.Name // of several any: they are declared together
						}
					}
				}
			}
		}
	}
	for node, name := range parts {
		from := g[name]
		if from == nil {
			continue // init, or _
		}
		ast.Inspect(node, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			if to := owner[origin(info.Uses[id])]; to != "" && to != name {
				from.needs[to] = true
			}
			return true
		})
	}
	return g, nil
}

// origin is the declaration of a method or a field of a type that has parameters.
func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// receiver is the name of the type that a method has.
func receiver(expr ast.Expr) string {
	switch e := expr.(type) {
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

// circles lists what needs itself through others, where two types are among them. A type
// and its constants, or its funcs, are no circle. Each is in order.
func (g graph) circles() [][]string {
	reach := map[string]map[string]bool{}
	for name := range g {
		seen := map[string]bool{}
		var walk func(string)
		walk = func(from string) {
			for to := range g[from].needs {
				if !seen[to] {
					seen[to] = true
					walk(to)
				}
			}
		}
		walk(name)
		reach[name] = seen
	}
	var found [][]string
	done := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if done[name] || !reach[name][name] {
			continue
		}
		var circle []string
		count := 0
		for _, other := range slices.Sorted(maps.Keys(reach[name])) {
			if reach[other][name] {
				circle, done[other] = append(circle, other), true
				if g[other].isType {
					count++
				}
			}
		}
		if count > 1 {
			found = append(found, circle)
		}
	}
	return found
}

// exported returns the files of export data of all that a package imports.
func exported(t *testing.T, folder string) map[string]string {
	t.Helper()
	out, err := goCommand("list", "-export", "-deps", "-json=ImportPath,Export", "./"+folder)
	require.NoError(t, err)
	files := map[string]string{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return files
		} else if err != nil {
			require.NoError(t, fmt.Errorf("go list: %w", err))
		}
		files[p.ImportPath] = p.Export
	}
}
