package agentfsm_test

import (
	"encoding/json"
	"os"
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
