package shellpolicy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/desktop"
)

// Redaction finds a secret as a whole. So a reason has all of a word, or nothing of it.
func TestReasonsHaveNoHalfOfAWord(t *testing.T) {
	p, err := shellpolicy.New(rules(shellpolicy.Rule{Command: "echo", Args: []string{"=x"}}, shellpolicy.Rule{Command: "cat", Args: []string{"path"}, Paths: []string{"/a"}}))
	require.NoError(t, err)
	const secret = "correct-horse-battery-staple-correct-horse"
	for _, line := range []string{"echo %s", "cat /%s", "%s", "echo x > %s"} {
		for _, before := range []int{0, 30, 41, 60, 79, 90} {
			word := strings.Repeat("b", before) + secret
			verdict := p(t.Context(), desktop.Tool{Name: desktop.RunShell}, desktop.Command{ToolName: desktop.RunShell, Parameters: map[string]any{"bash_command": fmt.Sprintf(line, word)}})
			if !strings.Contains(verdict.Reason, secret) {
				assert.NotContains(t, verdict.Reason, secret[:8], "%s after %d", line, before)
			}
			assert.NotContains(t, verdict.Reason, "which is a secret")
		}
	}
}
