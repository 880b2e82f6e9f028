package hostagent_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		"application": func(s string) m { return assignPlanned("a", []m{{"id": "a", "task": "x", "application": s}}) },
		"function":    func(s string) m { return call(s, nil) },
		"parameter":   func(s string) m { return call("wait", m{"seconds": 0, s: 1}) },
		"status":      func(s string) m { return m{"Status": s} },
		"name":        func(s string) m { return m{"Status": "CONTINUE", s: 1, "Plan": false} },
	}
	for place, reply := range places {
		t.Run(place, func(t *testing.T) {
			for _, limit := range []int{64, 200, 500, 2048} {
				text := strings.Repeat("x ", limit/2)[12:] + key + strings.Repeat(" y", 2048)
				b := newBench(t, reply(text), reply(text), reply(text), reply(text))
				var lines bytes.Buffer
				r, err := round.New(b.host(), "do it", &round.Options{
					Observe:  round.JSONL(&lines),
					Redact:   func(text string) string { return redact.ReplaceAllString(text, "***") },
					MaxSteps: 1,
				})
				require.NoError(t, err)
				_, err = r.Run(t.Context())
				require.Error(t, err, "it is refused, or there is no second step")
				assert.Contains(t, lines.String(), `"refused":[`)
				assert.NotContains(t, lines.String()+err.Error(), "key-", limit)
			}
		})
	}
}
