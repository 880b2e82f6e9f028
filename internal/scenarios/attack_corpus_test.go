package scenarios_test

import (
	"fmt"
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
	head  []string // before the first case
	cases []*attackCase
}

// attackCase is what a case says: its lines at the left margin, and below them,
// indented, what happened the last time.
type attackCase struct {
	Name     string
	lines    []string // as they are
	said     []attackLine
	happened []string
}

type attackLine struct{ key, value string }

// rest splits "a b = c" into its words and what is behind the sign.
func (l attackLine) rest() (words []string, text string) {
	before, after, found := strings.Cut(l.value, " =")
	if !found {
		return strings.Fields(l.value), ""
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

func (c *attackCase) all(keys ...string) []attackLine {
	return slices.DeleteFunc(slices.Clone(c.said), func(l attackLine) bool { return !slices.Contains(keys, l.key) })
}

func (c *attackCase) has(key string) bool { return len(c.all(key)) > 0 }

// attackKeys are the words that a line may begin with.
var attackKeys = []string{
	"why", "app", "title", "control", "value", "program", "docs", "tool", "board", "server", "cursor", "lie", "refuse", "unscoped",
	"policy", "user", "assign", "model", "finish", "person", "then", "never", "once", "untouched", "shows", "hides",
}

func readAttacks(t *testing.T) []*attackFile {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(attackDir, "*.txt"))
	require.NoError(t, err)
	var files []*attackFile
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		f, err := parseAttacks(strings.ReplaceAll(string(raw), "\r\n", "\n"))
		require.NoError(t, err, path)
		f.path = path
		files = append(files, f)
	}
	return files
}

func parseAttacks(text string) (*attackFile, error) {
	f := &attackFile{}
	var c *attackCase
	for number, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		name, isName := strings.CutPrefix(line, "-- ")
		key, value, isLine := strings.Cut(line, ":")
		switch {
		case isName:
			c = &attackCase{Name: strings.TrimSuffix(name, " --"), lines: []string{line}}
			f.cases = append(f.cases, c)
			continue
		case c == nil:
			f.head = append(f.head, line)
			continue
		case strings.HasPrefix(line, "    "):
			c.happened = append(c.happened, line[4:])
			continue
		case strings.TrimSpace(line) == "":
			continue
		case strings.HasPrefix(line, "#"):
		case isLine && slices.Contains(attackKeys, key):
			c.said = append(c.said, attackLine{key, strings.TrimPrefix(value, " ")})
		default:
			return nil, fmt.Errorf("line %d: what is %q?", number+1, line)
		}
		c.lines = append(c.lines, line)
	}
	return f, nil
}

// String is the file with what happened.
func (f *attackFile) String() string {
	var b strings.Builder
	for _, line := range f.head {
		b.WriteString(line + "\n")
	}
	for i, c := range f.cases {
		if i > 0 {
			b.WriteString("\n")
		}
		for _, line := range c.lines {
			b.WriteString(line + "\n")
		}
		for _, line := range c.happened {
			b.WriteString("    " + line + "\n")
		}
	}
	return b.String()
}
