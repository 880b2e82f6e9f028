package repo_test

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
	versionRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (\\S+) \\| (.+) \\|$")
	required   = regexp.MustCompile(`(?m)^(?:\t|require )(\S+) (v\S+)$`) // without those that are indirect
)

// docs/conformance.md says which versions of libraries and programs adapters are tested
// with. They are those of the go.mod files and of package.json.
func TestVersionsAreDocumented(t *testing.T) {
	type tested struct{ version, with string }
	there, documented := map[string]tested{}, map[string]tested{}
	programs := programsOf(t)
	text, err := os.ReadFile(conformanceFile)
	require.NoError(t, err)
	for section := range strings.SplitSeq(string(text), "\n## ") {
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

// programsOf are the programs of others that tests run, with their versions.
func programsOf(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("internal/lab/realparts/package.json")
	require.NoError(t, err)
	var list struct{ Dependencies map[string]string }
	require.NoError(t, json.Unmarshal(text, &list))
	return list.Dependencies
}
