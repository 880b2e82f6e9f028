package agentfsm_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// suite is one that others run, as it is called.
var suite = regexp.MustCompile(`^(?:fsm|llm|desktop|store)test\.Run`)

// suiteTests finds the tests that run a suite, themselves, by a func of their package or
// by one of a package for tests, whatever build tags their files have.
func suiteTests(root fs.FS, names []string) (map[testFunction][]string, error) {
	tests, shared := map[string]map[string]string{}, map[string]map[string]string{} // files, by their folder
	for _, name := range names {
		if path.Base(name) == "go.mod" {
			continue
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		folders, folder := tests, path.Dir(name)
		if !strings.HasSuffix(name, "_test.go") {
			folders = shared
		}
		if folders[folder] == nil {
			folders[folder] = map[string]string{}
		}
		folders[folder][name] = string(source)
	}
	by := map[string][]string{} // the suites that an exported func of a package for tests runs
	for folder, files := range shared {
		if suite.MatchString(path.Base(folder) + ".Run") {
			continue // it has them
		}
		runs, _, err := suitesIn(files, nil)
		if err != nil {
			return nil, err
		}
		for name, suites := range runs {
			by[path.Base(folder)+"."+name] = suites
		}
	}
	all := map[testFunction][]string{}
	for _, files := range tests {
		runs, where, err := suitesIn(files, by)
		if err != nil {
			return nil, err
		}
		for name, suites := range runs {
			if strings.HasPrefix(name, "Test") {
				all[testFunction{where[name], name}] = suites
			}
		}
	}
	return all, nil
}

// suitesIn finds the funcs of a package that run a suite, with the suites, and the files
// of its funcs. by are those of other packages. Whatever a func names it may call; methods
// have a dot in front.
func suitesIn(files map[string]string, by map[string][]string) (runs map[string][]string, where map[string]string, _ error) {
	where = map[string]string{}
	uses := map[string]map[string]bool{}
	for name, source := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		for _, decl := range parsed.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			own := f.Name.Name
			if f.Recv != nil {
				own = "." + own
			} else {
				where[own] = name
			}
			if uses[own] == nil {
				uses[own] = map[string]bool{}
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					uses[own][n.Name] = true
				case *ast.SelectorExpr:
					uses[own]["."+n.Sel.Name] = true
					x, ok := n.X.(*ast.Ident)
					if ok {
						uses[own][x.Name+"."+n.Sel.Name] = true
					}
					return !ok
				}
				return true
			})
		}
	}
	for changed := true; changed; { // what a func uses, those who use it do
		changed = false
		for _, mine := range uses {
			for name := range maps.Clone(mine) {
				for deeper := range uses[name] {
					changed = changed || !mine[deeper]
					mine[deeper] = true
				}
			}
		}
	}
	runs = map[string][]string{}
	for name := range where {
		for used := range uses[name] {
			if suite.MatchString(used) {
				runs[name] = append(runs[name], used)
			}
			runs[name] = append(runs[name], by[used]...)
		}
		slices.Sort(runs[name])
		if runs[name] = slices.Compact(runs[name]); len(runs[name]) == 0 {
			delete(runs, name)
		}
	}
	return runs, where, nil
}
