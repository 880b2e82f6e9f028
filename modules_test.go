package agentfsm_test

import (
	"encoding/json"
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
