package agentfsm_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
	"deciding": {"fsm", "llm", "desktop"},
	"acting":   {"fsm", "llm", "desktop", "blackboard", "people", "policies"},
	"appagent": {"fsm", "llm", "desktop", "blackboard", "people", "policies", "deciding", "acting"},
	// appagent is the default of its factory, and nothing else.
	"hostagent": {"fsm", "llm", "desktop", "blackboard", "people", "policies", "deciding", "acting", "appagent"},
	// No agent package: a Round drives any agent, also one of another module.
	"round": {"fsm", "llm", "desktop", "blackboard", "people"},
	// Stored records, and no more: it knows nothing of what is in them.
	"durable/store": {},
	// A Recorder for rounds. A round knows nothing of it.
	"durable": {"fsm", "llm", "desktop", "blackboard", "people", "round", "durable/store"},
	// Consumers of steps: log records.
	"round/observe": {"fsm", "llm", "desktop", "people", "round"},
	// A Session as one func, for tools of other orchestrators.
	"round/runtask": {"blackboard", "round"},
}

// commands are programs in internal, which nothing imports.
var commands = []string{"internal/counts", "internal/generate", "internal/mutants"}

// forTests are packages that only tests import, of whatever package.
var forTests = []string{"internal/archive", "internal/golden", "internal/sample", "internal/savetest"}

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
