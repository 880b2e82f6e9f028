package hostagent_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/sample"
	"github.com/agentfsm/agentfsm/round"
)

// Texts of errors leave out what is long in a reply. Wherever that begins, no half of
// what Redact would change is left in a step.
func TestNoHalfOfASecretInARefusedReply(t *testing.T) {
	redact := regexp.MustCompile(`key[- ][0-9a-f]{8} [0-9a-f]{8}`)
	const key = "key-01234567 89abcdef"
	places := map[string]func(text string) m{
		"depends_on": func(s string) m {
			return m{"Status": "CONTINUE", "Plan": []m{{"id": "a", "task": "x", "depends_on": s}}}
		},
		"id":          func(s string) m { return m{"Status": "CONTINUE", "Plan": []m{{"id": s, "task": ""}}} },
		"cycle":       func(s string) m { return m{"Status": "CONTINUE", "Plan": []m{{"id": s, "task": "x", "depends_on": s}}} },
		"task":        func(s string) m { return m{"Status": "CONTINUE", "Plan": []any{s, two[0]}} },
		"unplanned":   func(s string) m { return assignPlanned("0", s, two) },
		"application": func(s string) m { return assignPlanned("0", "a", []m{{"id": "a", "task": "x", "application": s}}) },
		"function":    func(s string) m { return call("CONTINUE", s, nil) },
		"parameter":   func(s string) m { return call("CONTINUE", "wait", m{"seconds": 0, s: 1}) },
		"label":       func(s string) m { return assign(s, "x") },
		"status":      func(s string) m { return m{"Status": s} },
		"name":        func(s string) m { return m{"Status": "CONTINUE", s: 1, "Plan": false} },
		"inner name":  func(s string) m { return m{"Status": "CONTINUE", "Plan": []m{{"id": "a", "task": false, s: 1}}} },
	}
	for place, reply := range places {
		t.Run(place, func(t *testing.T) {
			cases := 0
			for _, limit := range []int{64, 120, 200, 256, 500, 2048} {
				for _, before := range []int{4, 12, 18} { // what of the key would be left
					if cases++; cases%sample.Every(5) != 0 {
						continue
					}
					text := strings.Repeat("x ", limit/2)[before:] + key + strings.Repeat(" y", 2048)
					b := newBench(t, reply(text), reply(text), reply(text), reply(text))
					b.Config.MaxReasks = 3
					var lines bytes.Buffer
					s, err := round.NewSession(b.host(), &round.Options{
						Observe:  round.JSONL(&lines),
						Redact:   func(text string) string { return redact.ReplaceAllString(text, "***") },
						MaxSteps: 1,
					})
					require.NoError(t, err)
					_, err = s.Run(t.Context(), "do it")
					require.Error(t, err, "it is refused, or there is no second step")
					assert.Contains(t, lines.String(), `"refused":[`)
					assert.NotContains(t, lines.String(), "key-", "%d, %d", limit, before)
					assert.NotContains(t, err.Error(), "key-", "%d, %d", limit, before)
				}
			}
		})
	}
}
