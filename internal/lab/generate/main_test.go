package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const source = `// Package shop is a fixture.
package shop_test

import "fmt"

// Till is a till.
type Till struct {
	Sum int

	open bool
}

var tills = []Till{} // all of them

func (t *Till) Open() { t.open = true }

func Example() {
	// region say
	if true {
		fmt.Println("a")
	}
	// endregion
	fmt.Println("b")

	// Output:
	// a
	// b
}

func ExampleTill() {}
`

func TestRenew(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "a_test.go"), []byte(source), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "a.txt"), []byte("top\n--- one\n1\n2\n--- two\n```\n"), 0o600))
	for marker, want := range map[string]string{
		"example: a_test.go Example say":                "```go\nif true {\n\tfmt.Println(\"a\")\n}\n```\n",
		"example: a_test.go Example":                    "```go\nif true {\n\tfmt.Println(\"a\")\n}\nfmt.Println(\"b\")\n\n// Output:\n// a\n// b\n```\n",
		"output: a_test.go Example":                     "```text\na\nb\n```\n",
		"output: a_test.go Example console":             "```console\na\nb\n```\n",
		"code: a_test.go Till":                          "```go\n// Till is a till.\ntype Till struct {\n\tSum int\n\n\topen bool\n}\n```\n",
		"code: a_test.go tills Till.Open":               "```go\nvar tills = []Till{} // all of them\n\nfunc (t *Till) Open() { t.open = true }\n```\n",
		"code: a_test.go":                               "```go\n" + source[len("// Package shop is a fixture.\n"):] + "```\n",
		"text: a.txt one":                               "```text\n1\n2\n```\n",
		"text: a.txt two":                               "````text\n```\n````\n",
		"program: a_test.go Example":                    "```go\npackage main\n\nimport (\n\t\"fmt\"\n)\n\nfunc main() {\n\t// region say\n\tif true {\n\t\tfmt.Println(\"a\")\n\t}\n\t// endregion\n\tfmt.Println(\"b\")\n\n}\n```\n",
		"bench: steps --><!-- another program has this": "old\n",
	} {
		word, _, _ := strings.Cut(marker, ":")
		head, tail := "before\n<!-- "+marker+" -->\n", "<!-- /"+word+" -->\nafter\n"
		got, err := renew(root, []byte(head+"old\n"+tail))
		require.NoError(t, err)
		assert.Equal(t, head+want+tail, string(got))
	}
	for text, want := range map[string]string{
		"<!-- code: a_test.go -->\nold\n": "is not closed",
		"<!-- code: a_test.go -->\n<!-- text: a.txt one -->\n<!-- /text -->\n<!-- /code -->\n": "is not closed",
		"<!-- code: a_test.go Gone -->\n<!-- /code -->\n":                                      "there is no Gone",
		"<!-- code: gone.go -->\n<!-- /code -->\n":                                             "no such file",
		"<!-- text: a.txt three -->\n<!-- /text -->\n":                                         "leads to nothing",
		"<!-- diagram: other -->\n<!-- /diagram -->\n":                                         "leads to nothing",
		"<!-- example: a_test.go Example gone -->\n<!-- /example -->\n":                        "leads to nothing",
		"<!-- example: a_test.go ExampleTill -->\n<!-- /example -->\n":                         "leads to nothing", // go test does not run it
		"<!-- text: a.txt one -->\n<!-- /text -->\n```go\nx()\n```\n":                          "Go code without a marker",
		"~~~ golang title\n~~~\n<!-- text: a.txt one -->\n<!-- /text -->\n":                    "Go code without a marker",
	} {
		_, err := renew(root, []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestGenerate(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, exec.CommandContext(t.Context(), "git", "init", "-q", dir).Run())
	file := filepath.Join(dir, "README.md")
	require.NoError(t, os.WriteFile(file, []byte("<!-- diagram: hostagent -->\nold\n<!-- /diagram -->\n"), 0o600))
	require.EqualError(t, generate(t.Context(), dir, true), "README.md is out of date, run make docs")
	require.NoError(t, generate(t.Context(), dir, false))
	renewed, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(renewed), "```mermaid\nstateDiagram")
	require.NoError(t, generate(t.Context(), dir, true))
}
