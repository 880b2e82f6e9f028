package agentfsm_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// realTest is a test that needs programs of others: realpartstest requires this name.
var realTest = regexp.MustCompile(`(?m)^func TestReal\w*\(`)

// The Makefile names the modules whose tests TestReal… `make e2e` runs, or `make all` alone. A module that has such a test
// and is not named would never be tested.
func TestEndToEndModules(t *testing.T) {
	root := os.DirFS(".")
	makefile, err := fs.ReadFile(root, "Makefile")
	require.NoError(t, err)
	lines := regexp.MustCompile(`(?m)^(?:E2E|SCREENS|ENGINES) = (.*)$`).FindAllSubmatch(makefile, -1)
	require.Len(t, lines, 3, "the lines E2E, ENGINES and SCREENS of the Makefile")
	var named []string
	for _, line := range lines {
		named = append(named, strings.Fields(string(line[1]))...)
	}

	found := map[string]bool{}
	for _, name := range filesOf(t, root, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		text, err := fs.ReadFile(root, name)
		require.NoError(t, err)
		if realTest.Match(text) {
			found[moduleOf(root, path.Dir(name))] = true
		}
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(found)), named)
}

// moduleOf is the folder of the module that a folder belongs to.
func moduleOf(root fs.FS, folder string) string {
	for folder != "." {
		if _, err := fs.Stat(root, path.Join(folder, "go.mod")); err == nil {
			return folder
		}
		folder = path.Dir(folder)
	}
	return folder
}
