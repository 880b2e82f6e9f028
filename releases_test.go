package agentfsm_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A go get in a document names what a release has.
func TestGoGetInDocuments(t *testing.T) {
	root := os.DirFS(".")
	found := 0
	for _, name := range filesOf(t, root, func(name string) bool { return strings.HasSuffix(name, ".md") }) {
		text, err := fs.ReadFile(root, name)
		require.NoError(t, err)
		for _, get := range goGet.FindAllStringSubmatch(string(text), -1) {
			found++
			folder, isOurs := strings.CutPrefix(get[1], module)
			folder = path.Join(".", folder)
			_, err := fs.Stat(root, path.Join(folder, "go.mod"))
			assert.True(t, isOurs && err == nil && isReleased(folder), "%s: go get %s: there is no such release", name, get[1])
		}
	}
	assert.GreaterOrEqual(t, found, 2)
}

var goGet = regexp.MustCompile("\\bgo get ([^\\s`]*\\.[^\\s`]*)")

// isReleased reports whether the module in a folder gets tags.
func isReleased(folder string) bool {
	adapter, err := path.Match("adapters/*", folder)
	return folder == "." || adapter && err == nil
}
