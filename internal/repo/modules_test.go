package repo_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// direct are the modules that the core may require. Everything else belongs
// into an adapter, which is a module of its own.
var direct = []string{
	"github.com/google/uuid",
	"github.com/stretchr/testify",
	"golang.org/x/sync",
}

func TestGoMod(t *testing.T) {
	out, err := goCommand("mod", "edit", "-json")
	require.NoError(t, err)
	var mod struct {
		Module        struct{ Path string }
		Go, Toolchain string
		Require       []struct {
			Path, Version string
			Indirect      bool
		}
		Replace, Exclude []any
		Tool             []any
	}
	require.NoError(t, json.Unmarshal(out, &mod))

	assert.Equal(t, module, mod.Module.Path)
	assert.Equal(t, "1.26.0", mod.Go, "raised only in a minor release")
	assert.Empty(t, mod.Toolchain)
	assert.Empty(t, mod.Replace, "a replace does not reach those who import the module")
	assert.Empty(t, mod.Exclude)
	assert.Empty(t, mod.Tool, "tools live in internal/tools")

	var required []string
	for _, r := range mod.Require {
		if !r.Indirect {
			required = append(required, r.Path)
		}
	}
	assert.ElementsMatch(t, direct, required)
}

// Only the three modules, and what they require themselves.
func TestModuleGraph(t *testing.T) {
	out, err := goCommand("mod", "graph")
	require.NoError(t, err)
	requires := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		from, to, ok := strings.Cut(strings.TrimSpace(line), " ")
		require.True(t, ok, line)
		from, _, _ = strings.Cut(from, "@")
		to, _, _ = strings.Cut(to, "@")
		requires[from] = append(requires[from], to)
	}
	theirs := map[string]bool{module: true}
	queue := slices.Clone(direct)
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if !theirs[next] {
			theirs[next] = true
			queue = append(queue, requires[next]...)
		}
	}

	out, err = goCommand("list", "-m", "-f", "{{.Path}}", "all")
	require.NoError(t, err)
	for path := range strings.FieldsSeq(string(out)) {
		assert.True(t, theirs[path], "%s is neither one of the three modules nor required by them", path)
	}
}

// A go.work would change what go list -m all shows and hide missing requires.
func TestNoWorkspace(t *testing.T) {
	for _, name := range []string{"go.work", "go.work.sum"} {
		_, err := os.Stat(name)
		assert.ErrorIs(t, err, os.ErrNotExist, name)
	}
}

// A go get in a document names what a release has.
func TestGoGetInDocuments(t *testing.T) {
	root := os.DirFS(".")
	found := 0
	for _, name := range filesOf(t, root, func(name string) bool { return strings.HasSuffix(name, ".md") }) {
		text, err := fs.ReadFile(root, name)
		require.NoError(t, err)
		for _, get := range goGet.FindAllStringSubmatch(string(text), -1) {
			found++
			folder, isOurs := strings.CutPrefix(get[1], module)
			folder = path.Join(".", folder)
			_, err := fs.Stat(root, path.Join(folder, "go.mod"))
			assert.True(t, isOurs && err == nil && isReleased(folder), "%s: go get %s: there is no such release", name, get[1])
		}
	}
	assert.GreaterOrEqual(t, found, 2)
}

var goGet = regexp.MustCompile("\\bgo get ([^\\s`]*\\.[^\\s`]*)")

// isReleased reports whether the module in a folder gets tags.
func isReleased(folder string) bool {
	adapter, err := path.Match("adapters/*", folder)
	return folder == "." || adapter && err == nil
}

// The core and the adapters are released together, so every go.mod asks for ours
// at one and the same version, the next one. Who works here gets the folders.
func TestModulesRequireOneVersion(t *testing.T) {
	type version struct{ Path, Version string }
	type mod struct {
		Module  struct{ Path string }
		Require []version
		Replace []struct{ Old, New version }
	}
	byPath, folders := map[string]mod{}, map[string]string{}
	for _, file := range filesOf(t, os.DirFS("."), func(name string) bool { return path.Base(name) == "go.mod" }) {
		if strings.Contains(file, "testdata/") {
			continue
		}
		out, err := goCommand("mod", "edit", "-json", file)
		require.NoError(t, err)
		var m mod
		require.NoError(t, json.Unmarshal(out, &m))
		assert.Equal(t, path.Join(module, path.Dir(file)), m.Module.Path, file)
		byPath[m.Module.Path], folders[m.Module.Path] = m, path.Dir(file)
	}
	require.Greater(t, len(byPath), 10)

	var asked version // what everybody else must ask for
	for name, m := range byPath {
		replaced := map[string]string{}
		for _, r := range m.Replace {
			assert.Empty(t, r.Old.Version+r.New.Version, "%s replaces one version only, or by another", name)
			replaced[r.Old.Path] = path.Join(folders[name], r.New.Path)
		}
		for _, r := range m.Require {
			if r.Path != module && !strings.HasPrefix(r.Path, module+"/") {
				continue
			}
			assert.Equal(t, folders[r.Path], replaced[r.Path], "%s requires %s and does not replace it by its folder", name, r.Path)
			if isReleased(folders[name]) {
				assert.True(t, isReleased(folders[r.Path]), "%s requires %s, which is never released", name, r.Path)
			}
			if asked.Version == "" {
				asked = version{name, r.Version}
			}
			assert.Equal(t, asked.Version, r.Version, "%s requires %s; %s asks for another version", name, r.Path, asked.Path)
		}
	}
	assert.Regexp(t, `^v\d+\.\d+\.\d+(-[a-z]+\.\d+)?$`, asked.Version)
	assert.NotEqual(t, "v0.0.0", asked.Version, "a version that nobody can fetch")
}
