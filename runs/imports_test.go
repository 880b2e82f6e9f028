package runs_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Who embeds the service links no HTTP server.
func TestLinksNoHTTP(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	packages := strings.Fields(string(out))
	assert.Contains(t, packages, "github.com/agentfsm/agentfsm/durable")
	assert.NotContains(t, packages, "net/http")
}
