package repo_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scenarios are the numbers of those that hold.
func scenarios() []int {
	list := []int{56, 57, 58, 59, 60, 61, 62, 68, 69, 70, 71, 72, 80}
	for number := 1; number <= 55; number++ {
		list = append(list, number)
	}
	return list
}

var (
	scenarioName = regexp.MustCompile(`(?m)^func TestScenario(\w*?)(_[A-Z]\w*)?\(`)
	leftOut      = regexp.MustCompile(`(?m)^//go:build|^// \+build|\.Skip(f|Now)?\b`)
)

// Each scenario has a test TestScenarioNN_Topic that nothing leaves out.
func TestEveryScenarioHasTest(t *testing.T) {
	files, err := filepath.Glob("internal/scenarios/*_test.go")
	require.NoError(t, err)
	tested := map[int]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.NotRegexp(t, leftOut, string(text), file)
		for _, name := range scenarioName.FindAllStringSubmatch(string(text), -1) {
			number, err := strconv.Atoi(name[1])
			require.NoError(t, err, "%s: %s", file, name[0])
			assert.True(t, len(name[1]) == 2 && name[2] != "" && slices.Contains(scenarios(), number), "%s: there is no scenario %s", file, name[0])
			tested[number] = true
		}
	}
	for _, number := range scenarios() {
		assert.True(t, tested[number], "scenario %d has no test", number)
	}
}

// realTest is a test that needs programs of others: realpartstest requires this name.
var realTest = regexp.MustCompile(`(?m)^func TestReal\w*\(`)

// The Makefile names the folders whose tests TestReal… `make e2e` runs, or `make all` alone. Such a test elsewhere
// would never run.
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
			at := slices.IndexFunc(named, func(folder string) bool { return strings.HasPrefix(name, folder+"/") })
			if assert.GreaterOrEqual(t, at, 0, "%s is in no folder of the Makefile", name) {
				found[named[at]] = true
			}
		}
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(found)), named)
}
