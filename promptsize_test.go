package agentfsm_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writers are the packages that write what is in a prompt.
var writers = []string{"appagent", "blackboard", "deciding", "hostagent", "internal/plan", "internal/builtin", "acting"}

// otherNumbers are the constants of these packages that bound no prompt, and what they
// are. A new one is a number of internal/promptsize, or needs a line here.
var otherNumbers = map[string]string{
	"blackboard.defaultMaxBytes":      "what a board holds",
	"blackboard.formatVersion":        "of its JSON form",
	"blackboard.limit":                "of a name in an error, which a prompt cuts again",
	"blackboard.maxDepth":             "nesting of a value",
	"blackboard.maxPath":              "of a path that is looked up",
	"blackboard.maxExcerpts":          "a cache",
	"internal/builtin.few":            "sections of most prompts, to make room for",
	"internal/builtin.frame":          "parts of a message, to make room for",
	"deciding.maxShapes":              "a cache",
	"hostagent.defaultLaunchTimeout":  "a time",
	"hostagent.pollEvery":             "a time",
	"internal/builtin.deepest":        "levels that are looked into",
	"internal/builtin.maxWhole":       "what references become, in a command",
	"internal/builtin.noteSize":       "room for what is said of what was left out",
	"internal/builtin.room":           "room for a text that is made",
	"internal/builtin.size":           "likewise",
	"internal/builtin.maxRecent":      "a cache",
	"internal/builtin.maxRecentBytes": "likewise",
	"internal/builtin.share":          "a part of what a list has",
	"hostagent.asksAfter":             "how long a window stays",
	"acting.maxResolved":              "what references become, in a command",
	"acting.maxQuestion":              "of a question in the reason of a FAIL, which a prompt cuts again",
}

// Who asks what bounds a prompt opens one file.
func TestPromptsAreBoundedInOnePlace(t *testing.T) {
	packages := corePackages(t)
	unused := map[string]bool{}
	for name := range otherNumbers {
		unused[name] = true
	}
	for _, name := range writers {
		pkg := packages[name]
		require.NotNil(t, pkg, name)
		for _, file := range pkg.GoFiles {
			files := token.NewFileSet()
			parsed, err := parser.ParseFile(files, filepath.Join(pkg.Dir, file), nil, 0)
			require.NoError(t, err)
			ast.Inspect(parsed, func(n ast.Node) bool {
				decl, ok := n.(*ast.GenDecl)
				if !ok || decl.Tok != token.CONST {
					return true
				}
				for _, spec := range decl.Specs {
					for i, value := range spec.(*ast.ValueSpec).Values {
						constant := name + "." + spec.(*ast.ValueSpec).Names[i].Name
						if !hasNumber(value) {
							continue
						}
						_, known := otherNumbers[constant]
						assert.True(t, known, "%s: %s: a number that bounds a prompt belongs into internal/promptsize", files.Position(spec.Pos()), constant)
						delete(unused, constant)
					}
				}
				return true
			})
		}
	}
	assert.Empty(t, unused, "no such number is there any more")
}

// hasNumber reports whether an expression has a number in it.
func hasNumber(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && (lit.Kind == token.INT || lit.Kind == token.FLOAT) {
			found = true
		}
		return true
	})
	return found
}
