package agentfsm_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What docs/conformance.md says of MCP's own suite is what the tests say that run it,
// which in turn compare themselves with the suite's list.
func TestScenariosOfMCPAreDocumented(t *testing.T) {
	root := os.DirFS(".")
	text, err := fs.ReadFile(root, conformanceFile)
	require.NoError(t, err)
	for _, heading := range []string{"## MCP: scenarios for servers", "## MCP: scenarios for clients"} {
		problems, err := scenarioRows(root, string(text), heading)
		require.NoError(t, err)
		for _, problem := range problems {
			assert.Fail(t, problem)
		}
	}
}

// scenarioRow is a row for one or several scenarios: | passes | `a`, `b` |
var scenarioRow = regexp.MustCompile("(?m)^\\| (passes|does not apply) \\| ((?:`[^`]+`(?:, )?)+) \\|$")

// scenarioRows compares a section of the document with the file of the first test that
// it names.
func scenarioRows(root fs.FS, text, heading string) ([]string, error) {
	_, section, found := strings.Cut(text, heading+"\n")
	if !found {
		return []string{heading + ": there is no such section"}, nil
	}
	section, _, _ = strings.Cut(section, "\n## ")
	link := namedTest.FindStringSubmatch(section)
	if link == nil {
		return []string{heading + ": it names no test"}, nil
	}
	file := path.Join(path.Dir(conformanceFile), link[2])
	source, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, err
	}
	why, err := scenariosIn(string(source))
	if err != nil {
		return nil, err
	}
	if len(why) == 0 {
		return []string{heading + ": " + file + " has no scenarios"}, nil
	}
	var problems []string
	for _, row := range scenarioRow.FindAllStringSubmatch(section, -1) {
		for quoted := range strings.SplitSeq(row[2], ", ") {
			name := strings.Trim(quoted, "`")
			reason, known := why[name]
			delete(why, name)
			switch {
			case !known:
				problems = append(problems, fmt.Sprintf("%s: %s is not in %s, or twice in the document", heading, name, file))
			case (row[1] == "passes") != (reason == ""):
				problems = append(problems, fmt.Sprintf("%s: %s %s, says the document, and %s says the opposite", heading, name, row[1], file))
			}
		}
	}
	for name := range why {
		problems = append(problems, fmt.Sprintf("%s: %s of %s has no row", heading, name, file))
	}
	slices.Sort(problems)
	return problems, nil
}

// scenariosIn reads the tables of a test that runs the suite: the maps applies and
// not, whose values are reasons, or a list scenarios of structs with a name and
// perhaps a why. It returns the reasons, "" for what is run.
func scenariosIn(source string) (map[string]string, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	why := map[string]string{}
	for _, decl := range parsed.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			if len(v.Values) != 1 {
				continue
			}
			list, ok := v.Values[0].(*ast.CompositeLit)
			if !ok {
				continue
			}
			switch v.Names[0].Name {
			case "applies":
				for name := range fields(list) {
					why[name] = ""
				}
			case "not":
				maps.Copy(why, fields(list))
			case "scenarios":
				for _, e := range list.Elts {
					if one, ok := e.(*ast.CompositeLit); ok {
						f := fields(one)
						why[f["name"]] = f["why"]
					}
				}
			}
		}
	}
	return why, nil
}

// fields are the keys of a map or a struct, with those of its values that are texts.
func fields(list *ast.CompositeLit) map[string]string {
	texts := map[string]string{}
	for _, e := range list.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key := unquoted(pair.Key)
		if id, ok := pair.Key.(*ast.Ident); ok {
			key = id.Name
		}
		texts[key] = unquoted(pair.Value)
	}
	return texts
}

// unquoted is what a literal says, "" for anything else.
func unquoted(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		if s, err := strconv.Unquote(l.Value); err == nil {
			return s
		}
	}
	return ""
}

func TestScenarioRows(t *testing.T) {
	const heading = "## S"
	const head = "# x\n## S\n[`TestS`](../s_test.go)\n\n"
	const maps = "package s\nvar applies = map[string]scenario{\"a\": {tool: \"x\"}}\nvar not = map[string]string{\"b\": \"no b\"}"
	const list = "package s\nvar scenarios = []struct{ name, why string }{{name: \"a\"}, {name: \"b\", why: \"no b\"}}"
	for name, c := range map[string]struct{ text, want string }{
		"good":        {head + "| passes | `a` |\n| does not apply | `b` |\n## T\n| passes | `c` |", ""},
		"unknown too": {head + "| passes | `a`, `c` |\n| does not apply | `b` |\n", "## S: c is not in s_test.go, or twice in the document"},
		"both":        {head + "| passes | `a`, `b` |\n", "## S: b passes, says the document, and s_test.go says the opposite"},
		"neither":     {head + "| does not apply | `a`, `b` |\n", "## S: a does not apply, says the document, and s_test.go says the opposite"},
		"missing":     {head + "| passes | `a` |\n", "## S: b of s_test.go has no row"},
		"unknown":     {head + "| passes | `a` |\n| does not apply | `b` |\n| passes | `c` |\n", "## S: c is not in s_test.go, or twice in the document"},
		"twice":       {head + "| passes | `a` |\n| does not apply | `b` |\n| passes | `a` |\n", "## S: a is not in s_test.go, or twice in the document"},
		"opposite":    {head + "| passes | `a` |\n| passes | `b` |\n", "## S: b passes, says the document, and s_test.go says the opposite"},
		"no section":  {"# x\n", "## S: there is no such section"},
		"no test":     {"## S\n| passes | `a` |\n", "## S: it names no test"},
	} {
		for shape, source := range map[string]string{"maps": maps, "list": list} {
			t.Run(name+" "+shape, func(t *testing.T) {
				problems, err := scenarioRows(fstest.MapFS{"s_test.go": {Data: []byte(source)}}, c.text, heading)
				require.NoError(t, err)
				assert.Equal(t, c.want, strings.Join(problems, "\n"))
			})
		}
	}
	problems, err := scenarioRows(fstest.MapFS{"s_test.go": {Data: []byte("package s")}}, head, heading)
	require.NoError(t, err)
	assert.Equal(t, []string{"## S: s_test.go has no scenarios"}, problems)
}
