package agentfsm_test

import (
	"go/ast"
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
	names, comments := map[string]map[string]bool{}, map[string]string{}
	for _, pkg := range corePackages(t) {
		if names[pkg.Name] == nil {
			names[pkg.Name] = map[string]bool{}
		}
		for _, file := range pkg.GoFiles {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, file), nil, parser.ParseComments)
			require.NoError(t, err)
			for _, c := range parsed.Comments {
				comments[pkg.Name] += c.Text() + "\n"
			}
			ast.Inspect(parsed, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					names[pkg.Name][id.Name] = true
				}
				return true
			})
		}
	}
	found := 0
	for name, text := range comments {
		for _, link := range commentLink.FindAllStringSubmatch(text, -1) {
			of, to := name, link[1]
			if before, after, ok := strings.Cut(to, "."); ok && strings.ToLower(before) == before {
				of, to = before, after
			}
			if names[of] == nil || to == "Clerk" { // of the standard library, or of an example in a comment
				continue
			}
			for part := range strings.SplitSeq(to, ".") {
				found++
				assert.True(t, names[of][part], "package %s: %s leads nowhere", name, link[0])
			}
		}
	}
	assert.Greater(t, found, 300)
}
