package agentfsm_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
