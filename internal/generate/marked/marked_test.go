package marked_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/generate/marked"
)

func echo(args []string) (string, error) { return strings.Join(args, "+"), nil }

func TestReplace(t *testing.T) {
	renderers := map[string]marked.Renderer{"echo": echo, "kept": nil}
	for name, c := range map[string]struct {
		text, want string
		changed    []string
	}{
		"nothing":        {"# Title\n\ntext", "# Title\n\ntext", nil},
		"filled":         {"a\n<!-- echo: x y -->\n<!-- /echo -->\nb\n", "a\n<!-- echo: x y -->\nx+y\n<!-- /echo -->\nb\n", []string{"<!-- echo: x y -->"}},
		"renewed":        {"<!-- echo: x -->\nold\n```\nolder\n<!-- /echo -->", "<!-- echo: x -->\nx\n<!-- /echo -->", []string{"<!-- echo: x -->"}},
		"up to date":     {"<!-- echo: x -->\nx\n<!-- /echo -->\n", "<!-- echo: x -->\nx\n<!-- /echo -->\n", nil},
		"in a fence":     {"```\n<!-- echo: x -->\n```\n", "```\n<!-- echo: x -->\n```\n", nil},
		"in a long one":  {"````md\n```\n<!-- echo: x -->\n````\n", "````md\n```\n<!-- echo: x -->\n````\n", nil},
		"within a line":  {"see <!-- echo: x --> here\n", "see <!-- echo: x --> here\n", nil},
		"left alone":     {"<!-- kept: x -->\nold\n<!-- /kept -->\n", "<!-- kept: x -->\nold\n<!-- /kept -->\n", nil},
		"somebody's own": {"<!-- lint: off -->\n", "<!-- lint: off -->\n", nil},
		"go in a marker": {"<!-- echo: x -->\n```go\n```\n<!-- /echo -->\n", "<!-- echo: x -->\nx\n<!-- /echo -->\n", []string{"<!-- echo: x -->"}},
		"another fence":  {"```gomod\n```\n````md\n```go\n```\n````\n", "```gomod\n```\n````md\n```go\n```\n````\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, changed, err := marked.Replace("a.md", c.text, renderers)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
			assert.Equal(t, c.changed, changed)

			again, changed, err := marked.Replace("a.md", got, renderers)
			require.NoError(t, err)
			assert.Equal(t, got, again)
			assert.Empty(t, changed)
		})
	}
}

func TestReplaceRefuses(t *testing.T) {
	renderers := map[string]marked.Renderer{"echo": echo, "kept": nil, "example": marked.Example("testdata")}
	for text, want := range map[string]string{
		"\n<!-- echo: x -->\nold\n":                                               "a.md:2: <!-- echo: x --> is not closed",
		"<!-- echo: x -->\n<!-- echo: x -->\n<!-- /echo -->\n":                    "a.md:1: <!-- echo: x --> is not closed",
		"<!-- kept: x -->\nold\n":                                                 "a.md:1: <!-- kept: x --> is not closed",
		"<!-- /exmaple -->\n":                                                     "a.md:1: nothing is open",
		"```\ntext\n":                                                             "a.md: a code fence is not closed",
		"text\n```go\nx()\n```\n":                                                 "a.md:2: Go code without a marker",
		"~~~ golang title\n~~~\n":                                                 "a.md:1: Go code without a marker",
		"<!-- example: gone_test.go Example -->\n<!-- /example -->\n":             "no such file",
		"<!-- example: ../marked_test.go TestReplace -->\n<!-- /example -->\n":    "not a test file of the module",
		"<!-- example: shop_example_test.go -->\n<!-- /example -->\n":             "want FILE FUNCTION",
		"<!-- example: shop_example_test.go ExampleX -->\n<!-- /example -->\n":    "no Example function ExampleX",
		"<!-- example: shop_example_test.go Example gone -->\n<!-- /example -->":  "no region gone",
		"<!-- example: shop_example_test.go ExampleNotRun -->\n<!-- /example -->": "ExampleNotRun has no output comment",
	} {
		_, _, err := marked.Replace("a.md", text, renderers)
		require.ErrorContains(t, err, want)
	}
}

func TestExample(t *testing.T) {
	render := marked.Example("testdata")

	whole, err := render([]string{"shop_example_test.go", "Example"})
	require.NoError(t, err)
	assert.Equal(t, "```go\n"+
		"text := `a\n\t\tb`\n"+
		"if strings.Contains(text, \"a\") {\n\t// A comment inside.\n\tfmt.Println(text)\n}\n"+
		"fmt.Println(strings.ToUpper(\"done\"))\n"+
		"// Output:\n// a\n// \t\tb\n// DONE\n"+
		"```\n", whole)

	part, err := render([]string{"shop_example_test.go", "Example", "say"})
	require.NoError(t, err)
	assert.Equal(t, "```go\n"+
		"text := `a\n\t\tb`\n"+
		"if strings.Contains(text, \"a\") {\n\t// A comment inside.\n\tfmt.Println(text)\n}\n"+
		"```\n", part)

	for _, c := range []struct{ function, region, want string }{
		{"ExampleHalf", "half", "does not hold whole statements"},
		{"ExampleOpen", "open", "region open is not closed"},
		{"ExampleNested", "outer", "region outer has another one in it"},
	} {
		_, err := render([]string{"shop_example_test.go", c.function, c.region})
		require.ErrorContains(t, err, c.want)
	}
}

func TestProgram(t *testing.T) {
	text, err := marked.Program("testdata")([]string{"shop_example_test.go", "Example"})
	require.NoError(t, err)
	assert.True(t, strings.HasPrefix(text, "```go\npackage main\n"), text)
	assert.Contains(t, text, "\"strings\"\n")
	assert.Contains(t, text, "func main() {\n\ttext := `a\n\t\tb`\n")
	assert.NotContains(t, text, "region")
	assert.NotContains(t, text, "Output")
}

func TestProgramKeepsComments(t *testing.T) {
	text, err := marked.Program("testdata")([]string{"shop_example_test.go", "ExampleComments"})
	require.NoError(t, err)
	assert.Contains(t, text, "sold = \"cheese\" // with its comment\n")
	assert.Contains(t, text, "\t// A comment inside of another declaration.\n\tfmt.Println(what) // and at the end of a line\n")
	assert.NotContains(t, text, "bread")
	assert.NotContains(t, text, "nobody")
	assert.NotContains(t, text, "between")
	assert.NotContains(t, text, "Output")
}

func TestOutput(t *testing.T) {
	render := marked.Output("testdata")

	text, err := render([]string{"shop_example_test.go", "Example"})
	require.NoError(t, err)
	assert.Equal(t, "```text\na\n\t\tb\nDONE\n```\n", text)

	text, err = render([]string{"shop_example_test.go", "Example", "mermaid"})
	require.NoError(t, err)
	assert.Contains(t, text, "```mermaid\na\n")

	_, err = render([]string{"shop_example_test.go"})
	require.ErrorContains(t, err, "want FILE FUNCTION [LANGUAGE]")
	_, err = render([]string{"shop_example_test.go", "ExampleNotRun"})
	require.ErrorContains(t, err, "no output comment")
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	const text = "<!-- echo: x -->\n<!-- /echo -->\n"
	for _, name := range []string{"README.md", "docs/a.md", "docs/testdata/b.md", ".hidden/c.md", "d.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	renderers := map[string]marked.Renderer{"echo": echo}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		return string(data)
	}
	want := []marked.Stale{{File: "README.md", Marker: "<!-- echo: x -->"}, {File: "docs/a.md", Marker: "<!-- echo: x -->"}}

	stale, err := marked.Files(dir, true, renderers)
	require.NoError(t, err)
	assert.Equal(t, want, stale)
	assert.Equal(t, text, read("README.md"), "a check writes nothing")

	stale, err = marked.Files(dir, false, renderers)
	require.NoError(t, err)
	assert.Equal(t, want, stale)
	assert.Equal(t, "<!-- echo: x -->\nx\n<!-- /echo -->\n", read("docs/a.md"))
	for _, name := range []string{"docs/testdata/b.md", ".hidden/c.md", "d.txt"} {
		assert.Equal(t, text, read(name), name)
	}

	stale, err = marked.Files(dir, true, renderers)
	require.NoError(t, err)
	assert.Empty(t, stale)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte(text), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "z.md"), []byte("<!-- echo: x -->\n"), 0o600))
	_, err = marked.Files(dir, false, renderers)
	require.ErrorContains(t, err, "z.md:1")
	assert.Equal(t, text, read("README.md"), "nothing is written when a file has an error")
}
