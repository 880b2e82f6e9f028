package marked_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/generate/marked"
)

func TestPrograms(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("testdata", "programs.txt"))
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x_test.go"), source, 0o600))
	programs, err := marked.Programs(dir, "x_test.go")
	require.NoError(t, err)
	require.Len(t, programs, 2)

	second, first := programs[0], programs[1]
	assert.Equal(t, "ExampleSecond", second.Function)
	assert.Equal(t, "two\n", second.Output)
	assert.Contains(t, second.Code, "func main() {\n\tsay(\"two\")\n}")
	assert.Contains(t, second.Code, "func say(s string)")
	assert.Equal(t, marked.Whole{
		Function: "ExampleFirst",
		Code:     "package main\n\nimport (\n\t\"fmt\"\n)\n\nfunc main() {\n\tfmt.Println(\"one\")\n\n}\n",
		Output:   "one\n",
	}, first)

	_, err = marked.Programs(dir, "gone_test.go")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x_test.go"), []byte("package"), 0o600))
	_, err = marked.Programs(dir, "x_test.go")
	require.ErrorContains(t, err, "marked: x_test.go:1:8: expected")
}
