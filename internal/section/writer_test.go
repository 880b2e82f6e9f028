package section_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/section"
)

// Each entry has a line of its own, whatever its strings have in them.
func TestALineForEachEntry(t *testing.T) {
	texts := []string{"", `"`, `\`, `\"`, `\\`, `\\"`, `",`, `[`, `]`, `{"a":[`, `}`, `"}]`, "a\nb", ",", "ä\u2028", strings.Repeat(`\"`, 40)}
	for _, first := range texts {
		for _, second := range texts {
			entries := []any{first, map[string]any{first + second: []string{second}}, []any{second, 1}, strings.Repeat("long", 30)}
			raw, err := json.Marshal(entries)
			require.NoError(t, err)
			w := &section.Writer{}
			require.NoError(t, w.Add("list", raw))
			lines := strings.Split(strings.TrimSpace(string(w.Text())), "\n")
			require.Len(t, lines, len(entries)+5, "%q %q", first, second)
			assert.Equal(t, []string{"## list", "```json", "["}, lines[:3])
			assert.Equal(t, []string{"]", "```"}, lines[len(lines)-2:])
			for i, line := range lines[3 : len(lines)-2] {
				want, err := json.Marshal(entries[i])
				require.NoError(t, err)
				assert.Equal(t, string(want), strings.TrimSuffix(line, map[bool]string{true: ","}[i < len(entries)-1]))
			}
		}
	}
}
