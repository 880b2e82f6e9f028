package agentfsm_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// imports says which public packages of this module a package may import, test
// packages aside. A new package needs a line here, and a reason to exist.
var imports = map[string][]string{
	"": {},

	"fsm":        {},
	"llm":        {},
	"desktop":    {},
	"blackboard": {},
	// llm by what a step records of replies (internal/trace).
	"people": {"fsm", "llm", "desktop"},
	// Likewise.
	"policies": {"llm", "desktop"},
	"proof":    {"llm"},
	"deciding": {"fsm", "llm", "desktop"},
	// What a Handle does in Go; internal/effect carries it to round and durable.
	"effects":  {"fsm"},
	"acting":   {"fsm", "llm", "desktop", "blackboard", "people", "policies"},
	"appagent": {"fsm", "llm", "desktop", "blackboard", "people", "policies", "proof", "deciding", "acting"},
	// appagent is the default of its factory, and nothing else.
	"hostagent": {"fsm", "llm", "desktop", "blackboard", "people", "policies", "proof", "deciding", "acting", "appagent"},
	// No agent package: a Round drives any agent, also one of another module.
	"round": {"fsm", "llm", "desktop", "blackboard", "people", "proof"},
	// Stored records, and no more: it knows nothing of what is in them.
	"durable/store": {},
	// A Recorder for rounds. A round knows nothing of it.
	"durable": {"fsm", "llm", "desktop", "blackboard", "people", "effects", "round", "durable/store"},
	// A service over durable; runshttp is the only package of the core that knows HTTP.
	"runs":          {"fsm", "llm", "desktop", "blackboard", "people", "effects", "proof", "round", "durable", "durable/store"},
	"runs/runshttp": {"fsm", "llm", "desktop", "blackboard", "people", "effects", "proof", "round", "durable", "durable/store", "runs"},
	// Consumers of steps: log records.
	"round/observe": {"fsm", "llm", "desktop", "people", "round"},
	// A Session as one func, for tools of other orchestrators.
	"round/runtask": {"blackboard", "round"},
}

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

// apart says what a package does not need, nor do its tests.
var apart = map[string]string{
	"round": "durable", // a Recorder is tested with one of its own
}

// commands are programs in internal, which nothing imports.
var commands = []string{"internal/counts", "internal/generate", "internal/lab/mutants"}

// forTests are packages that only tests import, of whatever package.
var forTests = []string{"internal/archive", "internal/golden", "internal/openfiles", "internal/sample", "internal/savetest"}

// A package under internal adds nothing to what its importer may use: what it
// imports counts as imported by whoever imports it.
func TestImportDirection(t *testing.T) {
	packages := corePackages(t)
	for name, pkg := range packages {
		if isInternal(name) {
			continue
		}
		allowed, known := imports[name]
		if parent := testPackageOf(name); parent != "" {
			allowed, known = append(slices.Clone(imports[parent]), parent), true
		}
		if !assert.True(t, known, "package %q has no line in the import rules", name) {
			continue
		}
		for _, imported := range reached(packages, pkg) {
			assert.Contains(t, allowed, imported, "%q may not import %q", name, imported)
		}
	}
	for name := range imports {
		assert.Contains(t, packages, name, "the import rules have a line for a package that is not there")
	}
}

// The lines of the import rules could allow a way up, one by one; this sees all of them.
func TestNobodyImportsUpwards(t *testing.T) {
	packages := corePackages(t)
	for name, pkg := range packages {
		if isInternal(name) || testPackageOf(name) != "" {
			continue
		}
		require.GreaterOrEqual(t, layerOf(layers, name), 0, "package %q is in no layer", name)
		assert.Empty(t, upwards(layers, name, reached(packages, pkg)), "%q imports what is not below it", name)
	}
	for _, layer := range layers {
		for _, name := range layer {
			assert.Contains(t, packages, name, "a layer has a package that is not there")
		}
	}
}

func TestTestsStayApart(t *testing.T) {
	for name, other := range apart {
		assert.Empty(t, within(neededByTests(t, name), other), "%q or its tests need %q", name, other)
	}
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
