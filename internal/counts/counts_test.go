package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/archive"
)

// limit is a line of limits.txt: how many names and fields a package has, and why it has more than it had.
type limit struct{ names, fields int }

// wordLimits is the line of limits.txt that is of no package: words in docs/, and of all Markdown.
const wordLimits = "words"

func limits(t *testing.T) map[string]limit {
	t.Helper()
	f, err := os.Open("limits.txt")
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	all := map[string]limit{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		var name string
		var l limit
		_, err := fmt.Sscan(line, &name, &l.names, &l.fields)
		require.NoError(t, err, line)
		all[name] = l
	}
	return all
}

// No package grows unseen.
func TestPackagesHaveTheNamesOfTheirLimits(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	all, err := countAll(root)
	require.NoError(t, err)
	left := limits(t)
	delete(left, wordLimits)
	for _, c := range all {
		if c.group == "internal" {
			continue
		}
		want, there := left[c.name]
		delete(left, c.name)
		assert.True(t, there, "%s has no line in limits.txt", c.name)
		assert.Equal(t, want, limit{c.names(), c.fields},
			"%s: names and fields; where there are fewer lower the numbers, where there are more raise them and say why", c.name)
	}
	assert.Empty(t, left, "there is no such package")
}

// Nor do the documents.
func TestDocumentsHaveNoMoreWordsThanTheirLimits(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	all, docs, err := words(root)
	require.NoError(t, err)
	most := limits(t)[wordLimits]
	assert.LessOrEqual(t, docs, most.names, "words in docs/: say it in fewer, or link to what says it already")
	assert.LessOrEqual(t, all, most.fields, "words of all Markdown")
}

func TestCounts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range archive.Files(filepath.Join("testdata", "module.txt")) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}

	all, err := countAll(dir)
	require.NoError(t, err)
	require.Len(t, all, 3)
	assert.Equal(t, &counts{
		name: "a", group: "core", lines: 26,
		types: 3, funcs: 1, methods: 2, values: 2, fields: 3, errorTypes: 1, sentinels: 1,
	}, all[0])
	assert.Equal(t, "kits", all[1].group)
	assert.Equal(t, "internal", all[2].group)
	n, docs, err := words(dir)
	require.NoError(t, err)
	assert.Equal(t, []int{5, 3}, []int{n, docs})
}

func TestTable(t *testing.T) {
	var table, lines bytes.Buffer
	require.NoError(t, run(&table, false))
	assert.Contains(t, table.String(), "= core")
	assert.Contains(t, table.String(), "words of Markdown: ")
	require.NoError(t, run(&lines, true))
	assert.Contains(t, lines.String(), "fsm ")
}
