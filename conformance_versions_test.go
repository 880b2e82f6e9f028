package agentfsm_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// docs/conformance.md says which versions of libraries and programs adapters are tested
// with. They are those of the go.mod files and of package.json.
func TestVersionsAreDocumented(t *testing.T) {
	problems, err := versionProblems(os.DirFS("."))
	require.NoError(t, err)
	for _, problem := range problems {
		assert.Fail(t, problem)
	}
}

// Wherever a command names a program of others with a version, it is the tested one.
func TestNamedVersionsAreTested(t *testing.T) {
	root := os.DirFS(".")
	parts, err := partsOf(root)
	require.NoError(t, err)
	named := 0
	for _, file := range filesOf(t, root, func(name string) bool {
		return strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".go")
	}) {
		text, err := fs.ReadFile(root, file)
		require.NoError(t, err)
		for _, found := range pinned.FindAllStringSubmatch(string(text), -1) {
			if version, known := parts[found[1]]; known {
				named++
				assert.Equal(t, version, found[2], "%s names %s", file, found[0])
			}
		}
	}
	assert.Positive(t, named)
}

const versionsHeading = "## What adapters are tested against\n"

var (
	versionRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (\\S+) \\| (.+) \\|$")
	required   = regexp.MustCompile(`(?m)^(?:\t|require )(\S+) (v\S+)$`) // without those that are indirect
	pinned     = regexp.MustCompile(`(@[\w-]+/[\w-]+)@(\d[\w.-]*\w)`)
)

// versionProblems compares the table of versions with what is installed.
func versionProblems(root fs.FS) ([]string, error) {
	text, err := fs.ReadFile(root, conformanceFile)
	if err != nil {
		return nil, err
	}
	_, section, found := strings.Cut(string(text), versionsHeading)
	if !found {
		return []string{conformanceFile + " has no table of versions"}, nil
	}
	section, _, _ = strings.Cut(section, "\n## ")
	parts, err := partsOf(root)
	if err != nil {
		return nil, err
	}
	modules, err := librariesOf(root)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, row := range versionRow.FindAllStringSubmatch(section, -1) {
		version, isPart := parts[row[1]]
		library, isLibrary := modules[row[1]]
		if isLibrary {
			version = library.version
		}
		switch {
		case !isPart && !isLibrary:
			problems = append(problems, fmt.Sprintf("%s: no adapter is tested with %s, or it is there twice", conformanceFile, row[1]))
		case row[2] != version:
			problems = append(problems, fmt.Sprintf("%s: %s is %s, not %s", conformanceFile, row[1], version, row[2]))
		case isLibrary && row[3] != strings.Join(library.adapters, ", "):
			problems = append(problems, fmt.Sprintf("%s: %s is required by %s", conformanceFile, row[1], strings.Join(library.adapters, ", ")))
		}
		delete(parts, row[1])
		delete(modules, row[1])
	}
	for name, version := range parts {
		problems = append(problems, fmt.Sprintf("%s: %s %s has no row", conformanceFile, name, version))
	}
	for name, library := range modules {
		problems = append(problems, fmt.Sprintf("%s: %s %s has no row", conformanceFile, name, library.version))
	}
	slices.Sort(problems)
	return problems, nil
}

// partsOf returns the programs of others that tests run, with their versions.
func partsOf(root fs.FS) (map[string]string, error) {
	text, err := fs.ReadFile(root, "internal/realparts/package.json")
	if err != nil {
		return nil, err
	}
	var list struct{ Dependencies map[string]string }
	return list.Dependencies, json.Unmarshal(text, &list)
}

type library struct {
	version  string
	adapters []string
}

// librariesOf returns what adapters require, but for this project's own modules, testify
// and what extends the standard library.
func librariesOf(root fs.FS) (map[string]library, error) {
	files, err := fs.Glob(root, "adapters/*/go.mod")
	if err != nil {
		return nil, err
	}
	all := map[string]library{}
	for _, file := range files {
		text, err := fs.ReadFile(root, file)
		if err != nil {
			return nil, err
		}
		for _, r := range required.FindAllStringSubmatch(string(text), -1) {
			name, version := r[1], r[2]
			if name == module || strings.HasPrefix(name, module+"/") || strings.HasPrefix(name, "golang.org/x/") || name == "github.com/stretchr/testify" {
				continue
			}
			l := all[name]
			if l.version != "" && l.version != version {
				version = l.version + " and " + version // which no row can say
			}
			all[name] = library{version, append(l.adapters, path.Dir(file))}
		}
	}
	return all, nil
}

func TestVersionProblems(t *testing.T) {
	const rows = "| `a.example/b` | v1.2.3 | adapters/x, adapters/y |\n| `@c/d` | 4.5.6 | adapters/x |\n"
	for name, c := range map[string]struct{ rows, want string }{
		"fine":          {rows: rows},
		"old library":   {strings.ReplaceAll(rows, "v1.2.3", "v1.2.2"), "a.example/b is v1.2.3, not v1.2.2"},
		"old program":   {strings.ReplaceAll(rows, "4.5.6", "4.5.5"), "@c/d is 4.5.6, not 4.5.5"},
		"no row":        {"", "@c/d 4.5.6 has no row\ndocs/conformance.md: a.example/b v1.2.3 has no row"},
		"more":          {rows + "| `e` | 1 | x |\n", "no adapter is tested with e"},
		"twice":         {rows + rows, "no adapter is tested with @c/d, or it is there twice"},
		"other adapter": {strings.ReplaceAll(rows, ", adapters/y", ""), "a.example/b is required by adapters/x, adapters/y"},
	} {
		t.Run(name, func(t *testing.T) {
			mod := "module m\n\nrequire (\n\ta.example/b v1.2.3\n\tf v1.0.0 // indirect\n\t" + module + " v0.0.0\n)\n"
			problems, err := versionProblems(fstest.MapFS{
				conformanceFile:                   {Data: []byte("x\n" + versionsHeading + c.rows + "\n## Next\n| `z` | 1 | z |\n")},
				"internal/realparts/package.json": {Data: []byte(`{"dependencies": {"@c/d": "4.5.6"}}`)},
				"adapters/x/go.mod":               {Data: []byte(mod)},
				"adapters/y/go.mod":               {Data: []byte("module y\n\nrequire a.example/b v1.2.3\n")},
			})
			require.NoError(t, err)
			if c.want == "" {
				assert.Empty(t, problems)
				return
			}
			assert.Contains(t, strings.Join(problems, "\n"), c.want)
		})
	}
	problems, err := versionProblems(fstest.MapFS{conformanceFile: {Data: []byte("nothing")}})
	require.NoError(t, err)
	assert.Len(t, problems, 1)
}
