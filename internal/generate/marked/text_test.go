package marked_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/generate/marked"
)

func TestText(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "testdata"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, "testdata", "prompt.txt"), []byte("--- system\nBe brief.\n--- user\n```json\n1\n```\n--- user\nagain\n"), 0o600))
	render := marked.Text(root)
	for want, args := range map[string][]string{
		"```text\nBe brief.\n```\n":         {"testdata/prompt.txt", "system"},
		"````text\n```json\n1\n```\n````\n": {"testdata/prompt.txt", "user"},
		"````text\n--- system\nBe brief.\n--- user\n```json\n1\n```\n--- user\nagain\n````\n": {"testdata/prompt.txt"},
	} {
		got, err := render(args)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for want, args := range map[string][]string{
		"want FILE":                 nil,
		"has no line --- assistant": {"testdata/prompt.txt", "assistant"},
		"is not in a testdata":      {"prompt.txt"},
		"no such file":              {"testdata/other.txt"},
	} {
		_, err := render(args)
		require.ErrorContains(t, err, want)
	}
}
