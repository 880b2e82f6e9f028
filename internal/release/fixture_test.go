package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const fixtureCore = "github.com/agentfsm/fixture"

// A repository with a core, two adapters, the first of which needs the second, and
// a module that is never released. It depends on nothing else.
var fixture = map[string]string{
	"go.mod":  "module github.com/agentfsm/fixture\n\ngo 1.26.0\n",
	"LICENSE": "yours\n",
	"README.md": `# fixture

<!-- program: core_test.go Example -->
` + "```go" + `
package main

import (
	"fmt"

	"github.com/agentfsm/fixture"
)

func main() {
	fmt.Println(fixture.Word())
}
` + "```" + `
<!-- /program -->
`,
	"core.go": `package fixture

import _ "embed"

//go:embed word.txt
var word string

func Word() string { return word }
`,
	"word.txt": "core",
	"core_test.go": `package fixture_test

import (
	"fmt"

	"github.com/agentfsm/fixture"
)

func Example() {
	fmt.Println(fixture.Word())
	// Output: core
}
`,
	"adapters/first/go.mod": `module github.com/agentfsm/fixture/adapters/first

go 1.26.0

require (
	// the core
	github.com/agentfsm/fixture v0.1.0
	github.com/agentfsm/fixture/adapters/second v0.1.0 // for its words
)

replace (
	github.com/agentfsm/fixture => ../../
	github.com/agentfsm/fixture/adapters/second => ../second
)
`,
	"adapters/first/first.go": `package first

import (
	"github.com/agentfsm/fixture"
	"github.com/agentfsm/fixture/adapters/second"
)

func Words() string { return fixture.Word() + " first " + second.Words() }
`,
	"adapters/first/first_test.go": `package first_test

import (
	"fmt"

	"github.com/agentfsm/fixture/adapters/first"
)

func ExampleWords() {
	fmt.Println(first.Words())
	// Output: core first second core
}
`,
	"adapters/second/go.mod": `module github.com/agentfsm/fixture/adapters/second

go 1.26.0

require github.com/agentfsm/fixture v0.1.0

replace github.com/agentfsm/fixture => ../..
`,
	"adapters/second/second.go": `package second

import "github.com/agentfsm/fixture"

func Words() string { return "second " + fixture.Word() }
`,
	"adapters/second/second_test.go": `package second_test

import (
	"fmt"

	"github.com/agentfsm/fixture/adapters/second"
)

func Example() {
	fmt.Println(second.Words())
	// Output: second core
}
`,
	"internal/tool/go.mod": `module github.com/agentfsm/fixture/internal/tool

go 1.26.0

require github.com/agentfsm/fixture v0.1.0

replace github.com/agentfsm/fixture => ../..
`,
	"testdata/other/go.mod": "module example.com/other\n\nrequire github.com/agentfsm/fixture v0.0.7\n",
}

// repositoryOf commits the fixture, with changes to it, and returns the folder. A
// change to "" leaves the file out.
func repositoryOf(t *testing.T, changes map[string]string) string {
	t.Helper()
	files := maps.Clone(fixture)
	maps.Copy(files, changes)
	root := t.TempDir()
	for name, text := range files {
		if text != "" {
			write(t, root, name, text)
		}
	}
	git(t, root, "init", "-q")
	git(t, root, "add", ".")
	git(t, root, "-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgSign=false", "commit", "-qm", "x")
	return root
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
}

func read(t *testing.T, root, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(text)
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	_, err := runner{dir: dir, env: environment(nil)}.run(t.Context(), "git", args...)
	require.NoError(t, err)
}

// replaced is a file of the fixture with something else in it.
func replaced(name, from, to string) map[string]string {
	return map[string]string{name: strings.ReplaceAll(fixture[name], from, to)}
}
