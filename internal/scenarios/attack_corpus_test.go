package scenarios_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// attackDir has the corpus; its README.md says how a case is written.
var attackDir = filepath.Join("..", "..", "testdata", "attacks")

// attackFile is one file of the corpus, as it is rewritten with -update.
type attackFile struct {
	path  string
	lines []*line
	cases []*attackCase
}

// attackCase is what a case says. What happened is below its last line.
type attackCase struct {
	Name string
	said []*line
	last *line
}

func (l *line) rest() (words []string, text string) { return splitRest(l.text) }

// splitRest splits "a b = c" into its words and what is behind the sign.
func splitRest(rest string) (words []string, text string) {
	before, after, found := strings.Cut(rest, " =")
	if !found {
		return strings.Fields(rest), ""
	}
	return strings.Fields(before), attackText(strings.TrimPrefix(after, " "))
}

// attackText is a value: as it stands, or a string as Go writes it.
func attackText(value string) string {
	if strings.HasPrefix(value, `"`) {
		if text, err := strconv.Unquote(value); err == nil {
			return text
		}
	}
	return value
}

func (c *attackCase) all(kinds ...string) []*line {
	return slices.DeleteFunc(slices.Clone(c.said), func(l *line) bool { return !l.is(kinds...) })
}

func (c *attackCase) has(kind string) bool { return len(c.all(kind)) > 0 }

// attackKinds are the words that a line may begin with. "case" is the name of one.
var attackKinds = []string{
	"case", "why", "app", "title", "control", "value", "program", "docs", "tool", "board", "server", "cursor", "lie", "refuse",
	"unscoped", "policy", "user", "assign", "model", "finish", "person", "then", "never", "once", "untouched", "shows", "hides",
}

func readAttacks(t *testing.T) []*attackFile {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(attackDir, "*.txt"))
	require.NoError(t, err)
	var files []*attackFile
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		f := &attackFile{path: path, lines: readLines(t, path, strings.ReplaceAll(string(raw), "\r\n", "\n"), attackKinds...)}
		for _, l := range f.lines {
			l.out = l.before
			switch {
			case l.kind == "case":
				f.cases = append(f.cases, &attackCase{Name: l.text, last: l})
			case l.whole != "" && len(f.cases) > 0:
				c := f.cases[len(f.cases)-1]
				c.last = l
				if l.kind != "" {
					c.said = append(c.said, l)
				}
			}
		}
		files = append(files, f)
	}
	return files
}
