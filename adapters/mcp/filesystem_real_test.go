//go:build unix

package mcp_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/mcp"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/desktop/desktoptest"
	"github.com/agentfsm/agentfsm/internal/lab/realparts/realpartstest"
)

// folder is a folder with one file, by the name that it has without links.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "list.txt"), []byte("milk\n"), 0o600))
	return dir
}

func filesystem(t testing.TB, folders ...string) mcp.Server {
	t.Helper()
	return mcp.Server{Name: "files", Command: realpartstest.Filesystem(t, folders...)}
}

func TestRealFilesystem(t *testing.T) {
	dir, outside := folder(t), folder(t)
	d := open(t, mcp.Config{Servers: []mcp.Server{filesystem(t, dir)}})

	assert.Equal(t, "milk\n", call(t, d, "read_text_file", map[string]any{"path": filepath.Join(dir, "list.txt")}).Text())
	assert.Contains(t, call(t, d, "list_directory", map[string]any{"path": dir}).Text(), "list.txt")
	written := filepath.Join(dir, "new.txt")
	call(t, d, "write_file", map[string]any{"path": written, "content": "eggs"})
	text, err := os.ReadFile(written)
	require.NoError(t, err)
	assert.Equal(t, "eggs", string(text))

	image := pixel(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "dot.png"), image, 0o600))
	assert.Equal(t, []desktop.Content{{Image: &desktop.Image{MediaType: "image/png", Data: image}}},
		call(t, d, "read_media_file", map[string]any{"path": filepath.Join(dir, "dot.png")}).Content)

	for _, command := range []desktop.Command{
		{ToolName: "read_text_file", Parameters: map[string]any{"path": filepath.Join(outside, "list.txt")}},
		{ToolName: "read_text_file", Parameters: map[string]any{"path": filepath.Join(dir, "..", filepath.Base(outside), "list.txt")}},
		{ToolName: "write_file", Parameters: map[string]any{"path": filepath.Join(outside, "list.txt"), "content": "gone"}},
		{ToolName: "read_text_file", Parameters: map[string]any{"path": filepath.Join(dir, "nothing.txt")}},
		{ToolName: "read_text_file"},
	} {
		res, err := d.Execute(t.Context(), command)
		require.NoError(t, err)
		assert.Equal(t, desktop.Failure, res.Status, command)
		assert.NotEmpty(t, res.Error)
	}
	text, err = os.ReadFile(filepath.Join(outside, "list.txt"))
	require.NoError(t, err)
	assert.Equal(t, "milk\n", string(text))

	box, err := desktop.Open(t.Context(), d, nil)
	require.NoError(t, err)
	for name, want := range map[string]desktop.Annotations{
		"read_text_file": {ReadOnlyHint: true}, "list_directory": {ReadOnlyHint: true},
		"create_directory": {IdempotentHint: true}, "write_file": {IdempotentHint: true, DestructiveHint: true},
		"edit_file": {DestructiveHint: true},
	} {
		tool, ok := box.Tool(name)
		require.True(t, ok, name)
		got := tool.Annotations
		got.Title, got.OpenWorldHint = "", false
		assert.Equal(t, want, got, name)
	}
}

// The server stays in the roots that it is told of, whatever it was started with.
func TestRealFilesystemRoots(t *testing.T) {
	began, told := folder(t), folder(t)
	d := open(t, mcp.Config{Servers: []mcp.Server{filesystem(t, began)}, Roots: []string{told}})
	read := desktop.Command{ToolName: "read_text_file", Parameters: map[string]any{"path": filepath.Join(told, "list.txt")}}
	require.Eventually(t, func() bool { // it asks for them after it has said hello
		res, err := d.Execute(t.Context(), read)
		require.NoError(t, err)
		return res.Status == desktop.Success
	}, patience, step)
	read.Parameters["path"] = filepath.Join(began, "list.txt")
	res, err := d.Execute(t.Context(), read)
	require.NoError(t, err)
	assert.Equal(t, desktop.Failure, res.Status)
}

func TestRealFilesystemConforms(t *testing.T) {
	realpartstest.Need(t)
	dirs := map[desktop.Desktop]string{}
	dir := folder(t) // what is read is the same for all
	desktoptest.Run(t, func(t testing.TB) desktop.Desktop {
		own := folder(t)
		d := open(t, mcp.Config{Servers: []mcp.Server{filesystem(t, dir, own)}})
		dirs[d] = own
		return d
	}, &desktoptest.Options{
		Safe:    desktop.Command{ToolName: "read_text_file", Parameters: map[string]any{"path": filepath.Join(dir, "list.txt")}},
		Failing: desktop.Command{ToolName: "read_text_file", Parameters: map[string]any{"path": filepath.Join(dir, "nothing.txt")}},
		Grace:   patience,
	})
}
