package agentfsm_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// docs/conformance.md says which tests run which suite. Each of them is there, and none
// that runs a suite is missing in the document.
func TestConformanceIsDocumented(t *testing.T) {
	root := os.DirFS(".")
	text, err := fs.ReadFile(root, conformanceFile)
	require.NoError(t, err)
	names := filesOf(t, root, func(name string) bool {
		forTests := strings.HasSuffix(name, ".go") && strings.HasSuffix(path.Dir(name), "test")
		return forTests || strings.HasSuffix(name, "_test.go") || path.Base(name) == "go.mod"
	})
	problems, err := conformanceProblems(root, string(text), names)
	require.NoError(t, err)
	for _, problem := range problems {
		assert.Fail(t, problem)
	}
}

const conformanceFile = "docs/conformance.md"

var (
	suiteHeading = regexp.MustCompile("^#+ .*`(\\w+test\\.Run\\w*)`")
	namedTest    = regexp.MustCompile("\\[`(Test\\w+)`\\]\\(([^)]+)\\)")
)

// testFunction is a test as the document names it.
type testFunction struct{ file, name string }

// conformanceProblems compares the document with the tests in these files.
func conformanceProblems(root fs.FS, text string, names []string) ([]string, error) {
	suites, err := suiteTests(root, names)
	if err != nil {
		return nil, err
	}
	var problems []string
	named := map[testFunction]map[string]bool{} // the sections that have it
	section := ""                               // the suite that it is about
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			section = ""
			if h := suiteHeading.FindStringSubmatch(line); h != nil {
				section = h[1]
			}
		}
		for _, link := range namedTest.FindAllStringSubmatch(line, -1) {
			test := testFunction{path.Join(path.Dir(conformanceFile), link[2]), link[1]}
			source, err := fs.ReadFile(root, test.file)
			if err != nil || !regexp.MustCompile(`(?m)^func `+test.name+`\(`).Match(source) {
				problems = append(problems, fmt.Sprintf("%s names %s, which is not in %s", conformanceFile, test.name, test.file))
				continue
			}
			if section != "" && !slices.Contains(suites[test], section) {
				problems = append(problems, fmt.Sprintf("%s: %s in %s does not run %s", conformanceFile, test.name, test.file, section))
			}
			if named[test] == nil {
				named[test] = map[string]bool{}
			}
			named[test][section] = true
		}
	}
	for test, runs := range suites {
		for _, suite := range runs {
			if !named[test][suite] {
				problems = append(problems, fmt.Sprintf("%s: %s in %s runs %s, and has no row", conformanceFile, test.name, test.file, suite))
			}
		}
	}
	slices.Sort(problems)
	return problems, nil
}

func TestConformanceProblems(t *testing.T) {
	const rows = "## Models: `llmtest.Run`\n\n| a | [`TestA`](../a/a_test.go) |\n" +
		"| b | [`TestB`](../b/c/b_test.go) |\n"
	files := map[string]string{
		"a/a_test.go":   "package a\nfunc TestA(t *testing.T) { llmtest.Run(t, b) }\nfunc ExampleRun() { llmtest.Run(nil, b) }",
		"b/go.mod":      "",
		"b/c/b_test.go": "//go:build unix\n\npackage c\nfunc TestB(t *testing.T) { t.Run(x, func() { deep(t) }) }\nfunc deep(t *testing.T) { llmtest.Run(t, b) }",
		"d/dtest/d.go":  "package dtest\nfunc Check(t *testing.T) { t.Run(x, check) }\nfunc check(t *testing.T) { llmtest.Run(t, b) }",
	}
	for name, c := range map[string]struct{ text, more, want string }{
		"good":       {text: rows},
		"gone":       {text: rows + "| x | [`TestX`](../a/a_test.go) |", want: "docs/conformance.md names TestX, which is not in a/a_test.go"},
		"no file":    {text: rows + "| x | [`TestA`](../x_test.go) |", want: "docs/conformance.md names TestA, which is not in x_test.go"},
		"no row":     {text: rows, more: "func TestC(t *testing.T) { fsmtest.Run(t, s, f) }", want: "docs/conformance.md: TestC in a/more_test.go runs fsmtest.Run, and has no row"},
		"elsewhere":  {text: rows, more: "func TestC(t *testing.T) { dtest.Check(t) }", want: "docs/conformance.md: TestC in a/more_test.go runs llmtest.Run, and has no row"},
		"two suites": {text: rows + "| x | [`TestC`](../a/more_test.go) |", more: "func TestC(t *testing.T) { llmtest.Run(t, b); fsmtest.Run(t, b) }", want: "docs/conformance.md: TestC in a/more_test.go runs fsmtest.Run, and has no row"},
		"no suite":   {text: rows + "| x | [`TestC`](../a/more_test.go) |", more: "func TestC(t *testing.T) {}", want: "docs/conformance.md: TestC in a/more_test.go does not run llmtest.Run"},
		"other": {text: strings.ReplaceAll(rows, "llmtest.Run", "llmtest.RunHTTP"), want: "docs/conformance.md: TestA in a/a_test.go does not run llmtest.RunHTTP\ndocs/conformance.md: TestA in a/a_test.go runs llmtest.Run, and has no row\n" +
			"docs/conformance.md: TestB in b/c/b_test.go does not run llmtest.RunHTTP\ndocs/conformance.md: TestB in b/c/b_test.go runs llmtest.Run, and has no row"},
		"not a suite": {text: rows + "\n## Others\n[`TestC`](../a/more_test.go)", more: "func TestC(t *testing.T) {}"},
		"not in one": {
			text: "## Others\n" + strings.TrimPrefix(rows, "## Models: `llmtest.Run`"),
			want: "docs/conformance.md: TestA in a/a_test.go runs llmtest.Run, and has no row\ndocs/conformance.md: TestB in b/c/b_test.go runs llmtest.Run, and has no row",
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := fstest.MapFS{"a/more_test.go": {Data: []byte("package a\n" + c.more)}}
			for file, text := range files {
				root[file] = &fstest.MapFile{Data: []byte(text)}
			}
			problems, err := conformanceProblems(root, c.text, slices.Sorted(maps.Keys(root)))
			require.NoError(t, err)
			assert.Equal(t, c.want, strings.Join(problems, "\n"))
		})
	}
}
