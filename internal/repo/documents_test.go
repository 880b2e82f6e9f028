package repo_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A link that leads nowhere is found here and not by a reader.
func TestLinksOfDocuments(t *testing.T) {
	root := os.DirFS(".")
	documents := filesOf(t, root, func(name string) bool { return strings.HasSuffix(name, ".md") })
	assert.Contains(t, documents, "docs/guides/README.md")
	for _, name := range documents {
		problems, err := linkProblems(root, name)
		require.NoError(t, err)
		for _, problem := range problems {
			assert.Fail(t, problem)
		}
	}
}

// A link to a test leads to a file that has it.
func TestLinksToTests(t *testing.T) {
	for _, name := range filesOf(t, os.DirFS("."), func(name string) bool { return strings.HasSuffix(name, ".md") }) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, link := range testLink.FindAllStringSubmatch(string(text), -1) {
			source, err := os.ReadFile(path.Join(path.Dir(name), link[2]))
			require.NoError(t, err, name)
			assert.Contains(t, string(source), "\nfunc "+link[1]+"(", "%s: %s is not in %s", name, link[1], link[2])
		}
	}
}

// docs/seeds.md and docs/guides/promises.md name tests, so they must be there.
func TestPromisesHaveTests(t *testing.T) {
	root := os.DirFS(".")
	there := map[string]bool{}
	for _, name := range filesOf(t, root, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		text, err := fs.ReadFile(root, name)
		require.NoError(t, err)
		for _, f := range testFunc.FindAllStringSubmatch(string(text), -1) {
			there[f[1]] = true
		}
	}
	var text []byte
	for _, name := range []string{"docs/seeds.md", "docs/guides/promises.md"} {
		var err error
		text, err = fs.ReadFile(root, name)
		require.NoError(t, err)
		named := testName.FindAllStringSubmatch(string(text), -1)
		assert.Greater(t, len(named), 10)
		for _, n := range named {
			assert.True(t, there[n[1]], "%s names %s, and there is no such test", name, n[1])
		}
	}
	for row := range strings.SplitSeq(string(text), "\n") {
		if strings.HasPrefix(row, "| ") && !strings.HasPrefix(row, "| promise ") {
			assert.Regexp(t, testName, row, "a promise without a test")
		}
	}
	// What a row says of a scenario is in the file that it links to.
	for _, link := range scenarioLink.FindAllStringSubmatch(string(text), -1) {
		source, err := fs.ReadFile(root, path.Join("docs/guides", link[2]))
		require.NoError(t, err)
		for number := range strings.SplitSeq(link[1], ", ") {
			n, err := strconv.Atoi(number)
			require.NoError(t, err)
			assert.Contains(t, string(source), fmt.Sprintf("func TestScenario%02d_", n), "promises.md: scenario %d is not in %s", n, link[2])
		}
	}
}

var (
	testFunc     = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	testLink     = regexp.MustCompile("\\[`(Test\\w+)`\\]\\(([^)#]+)\\)")
	testName     = regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	scenarioLink = regexp.MustCompile(`\[(\d[\d, ]*)\]\(([^)]*)\)`)
)

var (
	link    = regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+)\)`)
	code    = regexp.MustCompile("`[^`\n]*`")
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.*?)\s*$`)
)

// linkProblems says which relative links of a document lead to no file, or to no
// heading of one.
func linkProblems(root fs.FS, name string) ([]string, error) {
	text, err := withoutFences(root, name)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, match := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
		file, anchor, _ := strings.Cut(match[1], "#")
		if strings.Contains(file, ":") {
			continue // of the web, or a mail address
		}
		target := name
		if file != "" {
			target = path.Join(path.Dir(name), file)
		}
		if !filepath.IsLocal(filepath.FromSlash(target)) {
			problems = append(problems, fmt.Sprintf("%s: %s leads out of the repository", name, match[1]))
			continue
		}
		if _, err := fs.Stat(root, target); err != nil {
			problems = append(problems, fmt.Sprintf("%s: %s leads to no file", name, match[1]))
			continue
		}
		if anchor == "" || !strings.HasSuffix(target, ".md") {
			continue
		}
		there, err := anchors(root, target)
		if err != nil {
			return nil, err
		}
		if !there[anchor] {
			problems = append(problems, fmt.Sprintf("%s: %s leads to no heading", name, match[1]))
		}
	}
	return problems, nil
}

// anchors are the headings of a document as GitHub names them.
func anchors(root fs.FS, name string) (map[string]bool, error) {
	text, err := withoutFences(root, name)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		title := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(h[1], "$1")
		slug := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, title)
		for i, own := 0, slug; ; i++ {
			if i > 0 {
				own = fmt.Sprintf("%s-%d", slug, i)
			}
			if !there[own] {
				there[own] = true
				break
			}
		}
	}
	return there, nil
}

// withoutFences is the text of a document without its blocks of code.
func withoutFences(root fs.FS, name string) (string, error) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	open := ""
	for line := range strings.Lines(string(text)) {
		start := strings.TrimSpace(line)
		mark := start[:len(start)-len(strings.TrimLeft(start, "`~"))]
		switch {
		case open == "" && len(mark) >= 3:
			open = mark
		case open != "" && start == mark && strings.HasPrefix(mark, open):
			open = ""
		case open == "":
			out.WriteString(line)
		}
	}
	return out.String(), nil
}
