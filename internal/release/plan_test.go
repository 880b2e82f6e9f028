package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestList(t *testing.T) {
	root := repositoryOf(t, nil)
	var out strings.Builder
	require.NoError(t, command(t.Context(), []string{"-root", filepath.Join(root, "adapters"), "list"}, &out))
	assert.Equal(t, "v0.1.0\nadapters/second/v0.1.0\nadapters/first/v0.1.0\n", out.String())
}

// The repository that this package is in can be released.
func TestListOfThisRepository(t *testing.T) {
	var out strings.Builder
	require.NoError(t, command(t.Context(), []string{"list"}, &out))
	tags := strings.Fields(out.String())
	assert.Greater(t, len(tags), 2)
	assert.NotContains(t, tags[0], "/", "the core")
	for _, tag := range tags[1:] {
		assert.Regexp(t, `^adapters/[a-z]+/`+tags[0]+`$`, tag)
	}
}

func TestPlanRefuses(t *testing.T) {
	const first, second = "adapters/first/go.mod", "adapters/second/go.mod"
	for name, c := range map[string]struct {
		changes map[string]string
		want    string
	}{
		"another version": {
			replaced(second, "v0.1.0", "v0.9.9"),
			"release: adapters/second/go.mod requires github.com/agentfsm/fixture@v0.9.9, which is not tagged: the release is v0.1.0",
		},
		"of what is never released": {
			replaced("internal/tool/go.mod", "v0.1.0", "v0.0.9"),
			"internal/tool/go.mod requires github.com/agentfsm/fixture@v0.0.9, which is not tagged",
		},
		"no such module": {
			replaced(first, "adapters/second", "adapters/gone"),
			"adapters/first/go.mod requires github.com/agentfsm/fixture/adapters/gone@v0.1.0, and there is no such module",
		},
		"never released": {
			replaced(first, "adapters/second v0.1.0", "internal/tool v0.1.0"),
			"adapters/first/go.mod requires github.com/agentfsm/fixture/internal/tool@v0.1.0, which is never released",
		},
		"no replace": {
			replaced(second, "replace", "// replace"),
			"adapters/second/go.mod: github.com/agentfsm/fixture is not replaced by its folder, .",
		},
		"another folder": {
			replaced(first, "../second", "../first"),
			"adapters/first/go.mod: github.com/agentfsm/fixture/adapters/second is not replaced by its folder, adapters/second",
		},
		"one version only": {
			replaced(second, "fixture =>", "fixture v0.1.0 =>"),
			"adapters/second/go.mod: github.com/agentfsm/fixture is not replaced",
		},
		"core with a replace": {
			replaced("go.mod", "go 1.26.0", "go 1.26.0\n\nreplace example.com/x => ./x"),
			"go.mod: the core has a replace",
		},
		"circle": {
			replaced(second, "fixture v0.1.0\n", "fixture v0.1.0\n\nrequire github.com/agentfsm/fixture/adapters/first v0.1.0\n\nreplace github.com/agentfsm/fixture/adapters/first => ../first\n"),
			"it requires itself, through others",
		},
		"another name": {
			replaced(second, "adapters/second\n", "adapters/2nd\n"),
			"adapters/second/go.mod: the module is called github.com/agentfsm/fixture/adapters/2nd; in this folder it must be github.com/agentfsm/fixture/adapters/second",
		},
		"another major version": {
			map[string]string{
				first:                  strings.ReplaceAll(fixture[first], "v0.1.0", "v2.0.0+incompatible"),
				second:                 strings.ReplaceAll(fixture[second], "v0.1.0", "v2.0.0+incompatible"),
				"internal/tool/go.mod": strings.ReplaceAll(fixture["internal/tool/go.mod"], "v0.1.0", "v2.0.0+incompatible"),
			},
			`"v2.0.0+incompatible" is no version such as v0.2.0`,
		},
		"nobody requires anything": {
			map[string]string{first: "", second: "", "internal/tool/go.mod": ""},
			errNoVersion.Error(),
		},
		"no core":    {map[string]string{"go.mod": ""}, errNoCore.Error()},
		"no go.mod":  {map[string]string{second: "what?"}, "adapters/second/go.mod:1: unknown directive: what?"},
		"no module":  {map[string]string{second: "go 1.26.0\n"}, "adapters/second/go.mod names no module"},
		"two things": {map[string]string{first: strings.ReplaceAll(fixture[first], "v0.1.0", "v0.1.1")}, "fixture/adapters/second@v0.1.1, which"},
	} {
		t.Run(name, func(t *testing.T) {
			err := command(t.Context(), []string{"-root", repositoryOf(t, c.changes), "list"}, &strings.Builder{})
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestPrepare(t *testing.T) {
	root := repositoryOf(t, nil)
	var out strings.Builder
	require.NoError(t, command(t.Context(), []string{"-root", root, "prepare", "v0.2.0-rc.1"}, &out))
	assert.Equal(t, "adapters/first/go.mod\nadapters/second/go.mod\ninternal/tool/go.mod\n", out.String())
	for name, text := range fixture {
		if name != "testdata/other/go.mod" {
			text = strings.ReplaceAll(text, "v0.1.0", "v0.2.0-rc.1")
		}
		assert.Equal(t, text, read(t, root, name), name)
	}

	out.Reset()
	require.NoError(t, command(t.Context(), []string{"-root", root, "prepare", "v0.2.0-rc.1"}, &out))
	assert.Empty(t, out.String(), "there was nothing to change")

	for version, want := range map[string]string{
		"0.2.0":        `"0.2.0" is no version such as v0.2.0`,
		"v0.2":         `"v0.2" is no version`,
		"v0.2.0+build": `"v0.2.0+build" is no version`,
		"v2.0.0":       "github.com/agentfsm/fixture@v2.0.0: invalid version: should be v0 or v1, not v2",
	} {
		err := command(t.Context(), []string{"-root", root, "prepare", version}, &out)
		var wrong *versionError
		require.ErrorAs(t, err, &wrong)
		assert.ErrorContains(t, err, want)
	}
	assert.Contains(t, read(t, root, "adapters/second/go.mod"), "v0.2.0-rc.1", "nothing was changed")

	write(t, root, "adapters/second/go.mod", "module github.com/agentfsm/fixture/adapters/second\n\nrequire github.com/agentfsm/fixture v0.1.0\n")
	require.ErrorContains(t, prepare(root, "v0.2.0", &out), "is not replaced by its folder", "it says what is left to do")
}

func TestCommandRefuses(t *testing.T) {
	for _, args := range [][]string{nil, {"prepare"}, {"list", "all"}, {"check", "v0.1.0"}, {"publish"}} {
		require.ErrorIs(t, command(t.Context(), args, &strings.Builder{}), errUsage, args)
	}
	require.ErrorContains(t, command(t.Context(), []string{"-root", t.TempDir(), "list"}, &strings.Builder{}), "not a git repository")
}
