package marked_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/generate/marked"
)

func TestCode(t *testing.T) {
	render := marked.Code(".")

	got, err := render([]string{"files.go", "Stale"})
	require.NoError(t, err)
	assert.Equal(t, "```go\n"+
		"// Stale is a part of a file that is not what its marker says.\n"+
		"type Stale struct {\n\tFile   string // relative to the root, with slashes\n\tMarker string\n}\n"+
		"```\n", got)

	got, err = render([]string{"example.go", "isRegion", "source.body"})
	require.NoError(t, err)
	assert.Contains(t, got, "```go\nfunc isRegion(word string) bool {")
	assert.Contains(t, got, "\n}\n\nfunc (s *source) body() string {")

	got, err = render([]string{"replace.go", "closing"})
	require.NoError(t, err)
	assert.Contains(t, got, "opening = ", "the whole group")

	got, err = render([]string{"replace.go"})
	require.NoError(t, err)
	assert.Contains(t, got, "```go\npackage marked\n\nimport (")
	assert.Contains(t, got, "closing")

	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "want FILE"},
		{[]string{"files.go", "Gone"}, "files.go declares no Gone"},
		{[]string{"files.go", "body"}, "files.go declares no body"},
		{[]string{"../main.go", "main"}, "not a Go file of the repository"},
		{[]string{"doc.md", "main"}, "not a Go file of the repository"},
		{[]string{"gone.go", "main"}, "no such file"},
	} {
		_, err := render(c.args)
		require.ErrorContains(t, err, c.want)
	}
}
