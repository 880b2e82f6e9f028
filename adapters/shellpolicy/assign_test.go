package shellpolicy_test

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/shellpolicy"
	"github.com/agentfsm/agentfsm/policies"
)

// lineMaker writes lines that set f, and print it, in all ways in which commands
// can be put together.
type lineMaker struct{ *rand.Rand }

func (m lineMaker) statement(depth int) string {
	inner := func() string { return m.statement(depth - 1) }
	if depth == 0 || m.IntN(3) == 0 {
		return []string{
			"f=a", "f=a", "f=b", "echo \"$f\"", "echo \"$f\"", "echo $f", "true", "false", "g=a", "f=$g", "f=b true", "f=a < missing", "! f=a", "f=b echo \"$f\"", "f=a g=$f",
		}[m.IntN(15)]
	}
	switch m.IntN(11) {
	case 0:
		return "(" + inner() + ")"
	case 1:
		return "{ " + inner() + "; }"
	case 2:
		return "if " + inner() + "; then " + inner() + "; else " + inner() + "; fi"
	case 3:
		return "for g in x y; do " + inner() + "; " + inner() + "; done"
	case 4:
		return "for f in a a; do " + inner() + "; done"
	case 5:
		return "case x in x) " + inner() + ";; esac"
	case 6:
		return inner() + " | " + inner()
	case 7:
		return inner() + " || " + inner()
	default:
		return inner() + " && " + inner()
	}
}

// What a policy takes for the value of a variable is what bash has there: a rule for
// echo a is never passed by a line that prints something else, though f and g are
// something else to begin with.
func TestVariablesAreWhatBashSays(t *testing.T) {
	bash, ok := findBash(t)
	if !ok {
		return
	}
	p, err := shellpolicy.New(shellpolicy.Config{
		Dir: "/srv", Vars: []string{"f", "g"},
		Reads: []string{"/srv"},
		Rules: []shellpolicy.Rule{{Command: "echo", Args: []string{"=a"}}, {Command: "true"}, {Command: "false"}},
	})
	require.NoError(t, err)
	allowed, dir := 0, t.TempDir()
	for seed := range uint64(10_000) {
		m := lineMaker{rand.New(rand.NewPCG(seed, 1))} //nolint:gosec // the same lines each time
		line := "f=a; "
		if m.IntN(2) == 0 {
			line = ""
		}
		line += m.statement(2) + "; " + m.statement(2) + "; " + m.statement(1)
		if !strings.Contains(line, "$f") || judge(t, p, line).Action != policies.Allow {
			continue
		}
		allowed++
		cmd := exec.CommandContext(t.Context(), bash, "--noprofile", "--norc", "-c", line)
		cmd.Env, cmd.Dir = []string{"f=wrong", "g=wrong"}, dir
		out, _ := cmd.Output() // false is no finding
		for printed := range strings.Lines(string(out)) {
			assert.Equal(t, "a\n", printed, line)
		}
	}
	assert.Greater(t, allowed, 100)
	t.Logf("%d lines were allowed", allowed)
}
