package closedtest

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"text/template"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/fsm"
)

// PromptSaysStatuses checks that a template names the statuses that are offered, and no other: a model that
// no schema holds learns from the prompt alone what it may write. known has all that it can name, and
// fields are those of the template.
func PromptSaysStatuses[V any](t *testing.T, prompt string, known map[fsm.Status]V, fields func(offered []fsm.Status) any) {
	t.Helper()
	parsed := template.Must(template.New("").Parse(prompt))
	for left := range known {
		offered := slices.Sorted(maps.Keys(known))
		offered = slices.DeleteFunc(offered, func(s fsm.Status) bool { return s == left })
		var text strings.Builder
		require.NoError(t, parsed.Execute(&text, fields(offered)))
		words := strings.FieldsFunc(text.String(), func(r rune) bool { return !unicode.IsUpper(r) })
		assert.NotContains(t, words, string(left))
		for _, status := range offered {
			assert.Contains(t, words, string(status), "without %s", left)
		}
	}
}
