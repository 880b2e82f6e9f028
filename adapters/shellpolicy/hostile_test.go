package shellpolicy_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/processor"
)

// Lines that are made to keep the policy busy are denied, and end.
func TestHostileLines(t *testing.T) {
	p, err := shellpolicy.New(shellpolicy.Config{
		AskUnclear: true, AskUnlisted: true, Vars: []string{"f"}, Rules: []shellpolicy.Rule{{Command: "true"}},
	})
	require.NoError(t, err)
	const n = shellpolicy.MaxLine / 8
	values := strings.Repeat("1 ", 200)
	vars := []string{"a", "b", "c", "d", "e", "g", "h", "i"}
	loops := ""
	for _, name := range vars {
		loops += "for " + name + " in " + values + "; do "
	}
	nested, err := shellpolicy.New(shellpolicy.Config{Vars: vars, Writes: []string{"/"}})
	require.NoError(t, err)
	for name, line := range map[string]string{
		"subshells":     strings.Repeat("( ", n) + "true" + strings.Repeat(" )", n),
		"substitutions": "true " + strings.Repeat("$(", n) + strings.Repeat(")", n),
		"defaults":      "true " + strings.Repeat("${a:-", n) + strings.Repeat("}", n),
		"arithmetic":    "true $((" + strings.Repeat("(", n) + "1" + strings.Repeat(")", n) + "))",
		"open":          strings.Repeat("(", 8*n),
		"negations":     strings.Repeat("! ", n) + "true",
		"backquotes":    strings.Repeat("`", 8*n-1),
		"conditions":    strings.Repeat("if true; then ", n/4) + "true" + strings.Repeat("; fi", n/4),
	} {
		v := p(t.Context(), shellTool(t), desktop.Shell(line))
		assert.NotEqual(t, processor.Allow, v.Action, name)
		assert.Less(t, len(v.Reason), 1000, name)
	}
	v := nested(t.Context(), shellTool(t), desktop.Shell(loops+">/x"+strings.Repeat("; done", len(vars))))
	assert.Equal(t, processor.Deny, v.Action)
	assert.Contains(t, v.Reason, "too many commands")
}
