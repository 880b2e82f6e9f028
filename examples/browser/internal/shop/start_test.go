//go:build unix

package shop_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/examples/browser/internal/shop"
)

// TestStartWithoutParts says what is missing, and leaves nothing.
func TestStartWithoutParts(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	_, err := shop.Start(t.Context(), shop.Config{Parts: t.TempDir()})
	require.ErrorIs(t, err, shop.ErrParts)
	assert.ErrorContains(t, err, "internal/lab/realparts/install.sh")

	t.Setenv("AGENTFSM_REALPARTS", t.TempDir())
	_, err = shop.Start(t.Context(), shop.Config{})
	require.ErrorIs(t, err, shop.ErrParts)

	entries, err := os.ReadDir(temporary)
	require.NoError(t, err)
	assert.Empty(t, entries)
}

// TestStartWithBrokenParts is stopped again, with all that was started.
func TestStartWithBrokenParts(t *testing.T) {
	parts := t.TempDir()
	for _, name := range []string{"@playwright/mcp/cli.js", "@modelcontextprotocol/server-filesystem/dist/index.js"} {
		path := filepath.Join(parts, "node_modules", filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte("exit 3\n"), 0o600))
	}
	bin := t.TempDir()
	for _, name := range []string{"node", "chromium"} {
		require.NoError(t, os.Symlink("/bin/sh", filepath.Join(bin, name)))
	}
	temporary, out := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("PATH", bin)
	t.Setenv("AGENTFSM_CHROMIUM", "")
	_, err := shop.Start(t.Context(), shop.Config{Parts: parts, Out: out})
	require.ErrorContains(t, err, "mcp: server")
	for _, folder := range []string{temporary, out} {
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		assert.Empty(t, entries)
	}
}
