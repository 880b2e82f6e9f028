package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCommandRenewsDiagrams(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "README.md")
	const text = "# x\n<!-- diagram: hostagent -->\nold\n<!-- /diagram -->\n<!-- diagram: appagent -->\n<!-- /diagram -->\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))

	var out strings.Builder
	err := command([]string{"-root", dir, "-check"}, &out)
	require.EqualError(t, err, "generate: 2 parts are out of date, run make docs")
	assert.Equal(t, "README.md: <!-- diagram: hostagent -->\nREADME.md: <!-- diagram: appagent -->\n", out.String())
	same, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, text, string(same), "-check writes nothing")

	require.NoError(t, command([]string{"-root", dir}, &out))
	renewed, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(renewed), "```mermaid\n")
	assert.Contains(t, string(renewed), "ASSIGN")
	assert.NotContains(t, string(renewed), "old")
	require.NoError(t, command([]string{"-root", dir, "-check"}, &out))
}

func TestCommandRefusesUnknownKind(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.md"), []byte("<!-- diagram: other -->\n<!-- /diagram -->\n"), 0o600))
	err := command([]string{"-root", dir}, &strings.Builder{})
	require.ErrorContains(t, err, "a.md:1: <!-- diagram: other -->: want one of appagent, hostagent")
}
