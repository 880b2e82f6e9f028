package replycases_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/replycases"
)

func write(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(text), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte("-- no case --\n"), 0o644))
	return dir
}

func TestRead(t *testing.T) {
	cases, err := replycases.Read(write(t, "About: these.\r\n\r\n-- one --\r\nkind: app\nwants: {\"a\": 1}\nrepairs: fence, prose\n# why\nreply:\n```\n# {\nkind: x\n\n```\n\n"+
		"-- two --\nkind: host\nfed back: a: b\nquoted: \"\\ufeff\\r\\n\"\n\n"+
		"-- three --\nends: asked again\ndoes: save {}\nreply:\n"))
	require.NoError(t, err)
	assert.Equal(t, []replycases.Case{
		{File: "a.txt", Name: "one", Kind: "app", Wants: `{"a": 1}`, Repairs: []string{"fence", "prose"}, Reply: "```\n# {\nkind: x\n\n```"},
		{File: "a.txt", Name: "two", Kind: "host", FedBack: "a: b", Reply: "\ufeff\r\n"},
		{File: "a.txt", Name: "three", Ends: replycases.AskedAgain, Does: "save {}"},
	}, cases)
}

func TestReadRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"-- a --\nkinds: app\n":                  `there is no field "kinds"`,
		"-- a --\nquoted: \"\n":                  "invalid syntax",
		"-- a --\nquoted: \"\"\nkind: app\n":     "belongs to nothing",
		"-- a --\nkind: app\n{\"Status\" \"x\"}": "belongs to nothing",
	} {
		_, err := replycases.Read(write(t, text))
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "replycases: a.txt: ")
	}
	_, err := replycases.Read(filepath.Join(t.TempDir(), "nowhere"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
