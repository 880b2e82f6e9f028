package agentfsm_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const scenarios = 54

// stillToCome are the scenarios without a test; a number goes when its test
// arrives.
var stillToCome = map[int]bool{}

func TestEveryScenarioHasTest(t *testing.T) {
	names, err := filepath.Glob("internal/scenarios/*.go")
	require.NoError(t, err)
	files := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		files[filepath.ToSlash(name)] = string(text)
	}
	problems, err := scenarioProblems(files, scenarios, stillToCome)
	require.NoError(t, err)
	assert.Empty(t, problems)
}

var scenarioName = regexp.MustCompile(`^TestScenario(\d\d)_[A-Z]\w*$`)

// scenarioProblems says what is wrong with the files of scenario tests: a number
// without a test, a test that may not run, a name that counts for nothing.
func scenarioProblems(files map[string]string, last int, pending map[int]bool) ([]string, error) {
	var problems []string
	tested := map[int]bool{}
	for name, text := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		add := func(pos token.Pos, format string, args ...any) {
			problems = append(problems, fmt.Sprintf("%s: %s", set.Position(pos), fmt.Sprintf(format, args...)))
		}
		if !strings.HasSuffix(name, "_test.go") {
			if base := filepath.Base(name); base != "doc.go" {
				add(file.Package, "only tests belong here")
			}
			continue
		}
		if !strings.HasSuffix(file.Name.Name, "_test") {
			add(file.Package, "package %s is not an external test package", file.Name.Name)
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:build") || strings.HasPrefix(c.Text, "// +build") {
					add(c.Pos(), "a build constraint may leave tests out")
				}
			}
		}
		if ok, err := matches(name, text); err != nil || !ok {
			add(file.Package, "Go leaves the file out on some systems, or on all (%v)", err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && (s.Sel.Name == "Skip" || s.Sel.Name == "Skipf" || s.Sel.Name == "SkipNow") {
				add(s.Pos(), "a scenario is never skipped")
			}
			return true
		})
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "TestScenario") {
				continue
			}
			m := scenarioName.FindStringSubmatch(f.Name.Name)
			if m == nil {
				add(f.Pos(), "%s is not named TestScenarioNN_Topic", f.Name.Name)
				continue
			}
			number, _ := strconv.Atoi(m[1])
			switch {
			case number < 1 || number > last:
				add(f.Pos(), "%s: there is no scenario %d", f.Name.Name, number)
			case f.Body == nil || len(f.Body.List) == 0:
				add(f.Pos(), "%s is empty", f.Name.Name)
			default:
				tested[number] = true
			}
		}
	}
	for number := 1; number <= last; number++ {
		switch {
		case !tested[number] && !pending[number]:
			problems = append(problems, fmt.Sprintf("scenario %d has no test", number))
		case tested[number] && pending[number]:
			problems = append(problems, fmt.Sprintf("scenario %d has a test: take it from the list of those to come", number))
		}
	}
	return problems, nil
}

// matches reports whether Go builds a test file on a system that nobody has, so
// on every system unless the file says otherwise. x_windows_test.go does by its name.
func matches(name, text string) (bool, error) {
	nowhere := build.Context{
		GOOS: "nowhere", GOARCH: "none", Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil },
	}
	return nowhere.MatchFile(path.Split(name))
}

func TestScenarioProblems(t *testing.T) {
	const head = "package scenarios_test\n"
	const one = "func TestScenario01_A(t *testing.T) { run(t) }\n"
	const two = "func TestScenario02_B(t *testing.T) { run(t) }\n"
	for name, c := range map[string]struct {
		file, text string
		pending    map[int]bool
		want       string
	}{
		"complete":          {"a_test.go", head + one + two, nil, ""},
		"one to come":       {"a_test.go", head + one, map[int]bool{2: true}, ""},
		"twice":             {"a_test.go", head + one + two + "func TestScenario02_C(t *testing.T) { run(t) }\n", nil, ""},
		"missing":           {"a_test.go", head + one, nil, "scenario 2 has no test"},
		"came":              {"a_test.go", head + one + two, map[int]bool{2: true}, "scenario 2 has a test: take it"},
		"skipped":           {"a_test.go", head + one + two + "func help(t *testing.T) { t.Skipf(`later`) }\n", nil, "never skipped"},
		"skipped by value":  {"a_test.go", head + one + two + "var stop = (*testing.T).SkipNow\n", nil, "never skipped"},
		"empty":             {"a_test.go", head + one + "func TestScenario02_B(t *testing.T) {}\n", nil, "TestScenario02_B is empty"},
		"beyond the last":   {"a_test.go", head + one + two + "func TestScenario03_C(t *testing.T) { run(t) }\n", nil, "there is no scenario 3"},
		"badly named":       {"a_test.go", head + one + two + "func TestScenario1(t *testing.T) { run(t) }\n", nil, "not named TestScenarioNN_Topic"},
		"inside":            {"a_test.go", "package scenarios\n" + one + two, nil, "not an external test package"},
		"constrained":       {"a_test.go", "//go:build never\n\n" + head + one + two, nil, "build constraint"},
		"constrained name":  {"a_windows_test.go", head + one + two, nil, "leaves the file out"},
		"ignored name":      {"_a_test.go", head + one + two, nil, "leaves the file out"},
		"two words":         {"going_on_test.go", head + one + two, nil, ""},
		"no test file":      {"a.go", "package scenarios\n", map[int]bool{1: true, 2: true}, "only tests belong here"},
		"a package comment": {"doc.go", "package scenarios\n", map[int]bool{1: true, 2: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			problems, err := scenarioProblems(map[string]string{c.file: c.text}, 2, c.pending)
			require.NoError(t, err)
			if c.want == "" {
				assert.Empty(t, problems)
				return
			}
			assert.Contains(t, strings.Join(problems, "\n"), c.want)
		})
	}
}
