package repo_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layers are the public packages from the bottom to the top, test packages aside. Each
// imports only from layers below its own, also where Go would allow more: acting could import
// round without a circle.
var layers = [][]string{
	{"fsm", "llm", "desktop", "blackboard", "durable/store"},
	{"people", "policies", "proof", "deciding", "effects"},
	{"acting", "round"},
	{"appagent", "durable", "round/observe", "round/runtask"},
	{"hostagent", "runs"},
	{"runs/runshttp"},
	{""},
}

// never says which packages of lower layers a package does not import.
var never = map[string][]string{
	"durable":       {"acting", "deciding", "policies"},
	"runs":          {"acting", "deciding", "policies", "appagent", "hostagent"},
	"runs/runshttp": {"acting", "deciding", "policies", "appagent", "hostagent"},
	"round":         {"deciding", "policies"}, // it drives any agent
}

// commands are programs in internal, which nothing imports.
var commands = []string{"internal/lab/counts", "internal/lab/generate", "internal/lab/mutants"}

// forTests are packages that only tests import, of whatever package.
var forTests = []string{"internal/archive", "internal/golden", "internal/sample", "internal/savetest"}

// A package under internal adds nothing to what its importer may use: what it imports
// counts as imported by its importer.
func TestNobodyImportsUpwards(t *testing.T) {
	packages := corePackages(t)
	for name, pkg := range packages {
		if isInternal(name) || testPackageOf(name) != "" {
			continue
		}
		require.GreaterOrEqual(t, layerOf(layers, name), 0, "package %q is in no layer", name)
		assert.Empty(t, upwards(layers, name, reached(packages, pkg)), "%q imports what is not below it", name)
		for _, other := range never[name] {
			assert.NotContains(t, reached(packages, pkg), other, "%q imports %q", name, other)
		}
	}
	for _, layer := range layers {
		for _, name := range layer {
			assert.Contains(t, packages, name, "a layer has a package that is not there")
		}
	}
}

func TestTestsStayApart(t *testing.T) {
	assert.Empty(t, within(neededByTests(t, "round"), "durable"), "a Recorder is tested with one of its own")
	assert.Contains(t, within(neededByTests(t, "durable"), "durable"), "durable/store", "what is needed is found")
}

// neededByTests lists the packages of ours that a package and its tests need, through others too.
func neededByTests(t *testing.T, name string) []string {
	t.Helper()
	out, err := goCommand("list", "-deps", "-test", "./"+name)
	require.NoError(t, err)
	var ours []string
	for path := range strings.Lines(string(out)) {
		path, _, _ = strings.Cut(strings.TrimSpace(path), " ") // "x [y.test]" is x, built for a test
		if strings.HasPrefix(path, module+"/") {
			ours = append(ours, relative(path))
		}
	}
	return ours
}

// within returns those names that are the folder or in it.
func within(names []string, folder string) []string {
	var found []string
	for _, name := range names {
		if name == folder || strings.HasPrefix(name, folder+"/") {
			found = append(found, name)
		}
	}
	return found
}

func layerOf(layers [][]string, name string) int {
	return slices.IndexFunc(layers, func(layer []string) bool { return slices.Contains(layer, name) })
}

// upwards returns what of the imported packages is not in a layer below.
func upwards(layers [][]string, name string, imported []string) []string {
	var found []string
	for _, other := range imported {
		if at := layerOf(layers, other); at < 0 || at >= layerOf(layers, name) {
			found = append(found, other)
		}
	}
	return found
}

func TestNobodyImportsCommands(t *testing.T) {
	for name, pkg := range corePackages(t) {
		for _, command := range commands {
			assert.NotContains(t, pkg.ours(), command, name)
		}
	}
}

func TestProductionDoesNotImportTesting(t *testing.T) {
	packages := corePackages(t)
	for name, pkg := range packages {
		if testPackageOf(name) != "" || slices.Contains(forTests, name) {
			continue
		}
		for _, dep := range pkg.Deps {
			isTesting := dep == "testing" || strings.HasPrefix(dep, "testing/") || strings.HasPrefix(dep, "github.com/stretchr/")
			assert.False(t, isTesting, "%q depends on %s", name, dep)
			assert.Empty(t, testPackageOf(relative(dep)), "%q depends on %s", name, dep)
			assert.NotContains(t, forTests, relative(dep), "%q depends on %s", name, dep)
		}
	}
}

// reached lists the public packages of ours that a package imports, directly or
// through internal ones.
func reached(packages map[string]*listed, pkg *listed) []string {
	var found []string
	seen := map[string]bool{}
	var walk func(*listed)
	walk = func(p *listed) {
		for _, name := range p.ours() {
			switch {
			case seen[name]:
			case isInternal(name):
				seen[name] = true
				walk(packages[name])
			default:
				seen[name] = true
				found = append(found, name)
			}
		}
	}
	walk(pkg)
	return found
}

func isInternal(name string) bool {
	return slices.Contains(strings.Split(name, "/"), "internal")
}

// testPackageOf returns "llm" for "llm/llmtest", and "" for what is no package
// of test doubles.
func testPackageOf(name string) string {
	parent, base := path.Split(name)
	parent = strings.TrimSuffix(parent, "/")
	if parent != "" && base == path.Base(parent)+"test" {
		return parent
	}
	return ""
}
