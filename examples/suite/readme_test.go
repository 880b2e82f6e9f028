package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/suite/internal/task"
	"github.com/agentfsm/agentfsm/round"
)

// line is one of the table that the program prints: the task, its outcome and its score.
var line = regexp.MustCompile(`(?m)^\| ([a-z]+) \| ([A-Z]*) \| ([01]) \|`)

// scores reads them from a table.
func scores(table string) map[string]string {
	list := map[string]string{}
	for _, l := range line.FindAllStringSubmatch(table, -1) {
		list[l[1]] = l[2] + " " + l[3]
	}
	return list
}

// full are the scores of a run in which all is done.
func full(t testing.TB) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, x := range everyTask(t) {
		list[x.Name] = string(x.Ends) + " 1"
	}
	return list
}

func readme(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	return string(text)
}

// The table of the README has every task, and says what each looks at.
func TestReadmeTable(t *testing.T) {
	text := readme(t)
	assert.Equal(t, full(t), scores(text))
	for name := range full(t) {
		if !strings.Contains(text, "**"+name+"**") { // the whole README would hide the name
			assert.Fail(t, "the README says nothing about the task "+name+": add a row that begins with **"+name+"**")
		}
	}
}

// The task in the README is one, and its evaluator does what the README says.
func TestReadmeTask(t *testing.T) {
	_, rest, _ := strings.Cut(readme(t), "```json\n")
	example, _, found := strings.Cut(rest, "```")
	require.True(t, found)
	list, err := task.Read(fstest.MapFS{"tasks/14-minutes.json": &fstest.MapFile{Data: []byte(example)}})
	require.NoError(t, err)
	p := newPlace(t, list[0])
	assert.Error(t, p.Check(t.Context(), round.Finished))
	p.edit("minutes.txt", "draft", "Final")
	assert.Error(t, p.Check(t.Context(), round.Finished))
	p.edit("minutes.txt", "draft", "final")
	assert.NoError(t, p.Check(t.Context(), round.Finished))
}

// The lines of code in the README are lines of the program.
func TestReadmeCode(t *testing.T) {
	var code strings.Builder
	for _, file := range []string{"tasks_test.go", "internal/rules/plays.go"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		code.Write(text)
	}
	found := 0
	for l := range strings.Lines(readme(t)) {
		if l, ok := strings.CutPrefix(l, "    "); ok && strings.Contains(l, "{") {
			found++
			assert.Contains(t, code.String(), l)
		}
	}
	assert.Equal(t, 2, found)
}
