package agentfsm_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const conformanceFile = "docs/conformance.md"

var (
	suiteCall    = regexp.MustCompile(`\b((?:fsm|llm|desktop|store|runs)test\.Run\w*)\(`)
	suiteHeading = regexp.MustCompile("^.*`(\\w+test\\.Run\\w*)`\n")
	namedTest    = regexp.MustCompile("\\[`(Test\\w+)`\\]\\(([^)]+)\\)")
)

// sectionsOf splits docs/conformance.md at its headings of level 2.
func sectionsOf(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(conformanceFile)
	require.NoError(t, err)
	return strings.Split(string(text), "\n## ")
}

// docs/conformance.md says which tests run which suite. Each of them is there, and none
// that calls a suite is missing in the document.
func TestConformanceIsDocumented(t *testing.T) {
	type row struct{ suite, file, test string }
	rows := map[row]bool{}
	for _, section := range sectionsOf(t) {
		suite := ""
		if h := suiteHeading.FindStringSubmatch(section); h != nil {
			suite = h[1]
		}
		for _, link := range namedTest.FindAllStringSubmatch(section, -1) {
			file := path.Join(path.Dir(conformanceFile), link[2])
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Contains(t, string(source), "\nfunc "+link[1]+"(", file)
			rows[row{suite, file, link[1]}] = true
		}
	}
	for _, file := range filesOf(t, os.DirFS("."), func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, decl := range strings.Split(string(source), "\nfunc ")[1:] {
			name, _, _ := strings.Cut(decl, "(")
			for _, call := range suiteCall.FindAllStringSubmatch(decl, -1) {
				if strings.HasPrefix(name, "Test") {
					assert.True(t, rows[row{call[1], file, name}], "%s: %s in %s runs %s, and has no row", conformanceFile, name, file, call[1])
				}
			}
		}
	}
}

var (
	scenarioRow = regexp.MustCompile(`(?m)^\| (passes|does not apply) \| (.+) \|$`)
	scenarioOf  = regexp.MustCompile(`(?m)^\t(?:"([^"]+)": +|\{name: "([^"]+)")(.*)$`)
	reason      = regexp.MustCompile(`^"|why: "`)
)

// What docs/conformance.md says of MCP's own suite is what the tests say that run it,
// which in turn compare themselves with the suite's list.
func TestScenariosOfMCPAreDocumented(t *testing.T) {
	tables := 0
	for _, section := range sectionsOf(t) {
		if !strings.HasPrefix(section, "MCP: scenarios for ") {
			continue
		}
		tables++
		documented, tested := map[string]string{}, map[string]string{}
		for _, row := range scenarioRow.FindAllStringSubmatch(section, -1) {
			for name := range strings.SplitSeq(row[2], ", ") {
				documented[strings.Trim(name, "`")] = row[1]
			}
		}
		source, err := os.ReadFile(path.Join(path.Dir(conformanceFile), namedTest.FindStringSubmatch(section)[2]))
		require.NoError(t, err)
		for _, s := range scenarioOf.FindAllStringSubmatch(string(source), -1) {
			tested[s[1]+s[2]] = "passes"
			if reason.MatchString(s[3]) {
				tested[s[1]+s[2]] = "does not apply"
			}
		}
		assert.Equal(t, tested, documented)
	}
	assert.Equal(t, 2, tables)
}

var (
	versionRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (\\S+) \\| (.+) \\|$")
	required   = regexp.MustCompile(`(?m)^(?:\t|require )(\S+) (v\S+)$`) // without those that are indirect
	pinned     = regexp.MustCompile(`(@[\w-]+/[\w-]+)@(\d[\w.-]*\w)`)
)

// docs/conformance.md says which versions of libraries and programs adapters are tested
// with. They are those of the go.mod files and of package.json.
func TestVersionsAreDocumented(t *testing.T) {
	type tested struct{ version, with string }
	there, documented := map[string]tested{}, map[string]tested{}
	programs := programsOf(t)
	for _, section := range sectionsOf(t) {
		if strings.HasPrefix(section, "What adapters are tested against\n") {
			for _, row := range versionRow.FindAllStringSubmatch(section, -1) {
				documented[row[1]] = tested{row[2], row[3]}
				if version, ok := programs[row[1]]; ok { // which go.mod files do not know
					there[row[1]] = tested{version, row[3]}
					delete(programs, row[1])
				}
			}
		}
	}
	assert.Empty(t, programs, "they have no row")
	files, err := fs.Glob(os.DirFS("."), "adapters/*/go.mod")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, r := range required.FindAllStringSubmatch(string(text), -1) {
			if strings.HasPrefix(r[1], module) || strings.HasPrefix(r[1], "golang.org/x/") || r[1] == "github.com/stretchr/testify" {
				continue
			}
			library, with := there[r[1]], path.Dir(file)
			if library.with != "" {
				assert.Equal(t, library.version, r[2], "%s of %s", r[1], file)
				with = library.with + ", " + with
			}
			there[r[1]] = tested{r[2], with}
		}
	}
	assert.Equal(t, there, documented)
}

// Wherever a command names a program of others with a version, it is the tested one.
func TestNamedVersionsAreTested(t *testing.T) {
	programs := programsOf(t)
	named := 0
	for _, file := range filesOf(t, os.DirFS("."), func(name string) bool {
		return strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".go")
	}) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, found := range pinned.FindAllStringSubmatch(string(text), -1) {
			if version, known := programs[found[1]]; known {
				named++
				assert.Equal(t, version, found[2], "%s names %s", file, found[0])
			}
		}
	}
	assert.Positive(t, named)
}

// programsOf are the programs of others that tests run, with their versions.
func programsOf(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("internal/lab/realparts/package.json")
	require.NoError(t, err)
	var list struct{ Dependencies map[string]string }
	require.NoError(t, json.Unmarshal(text, &list))
	return list.Dependencies
}
