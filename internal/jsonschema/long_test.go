package jsonschema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// No problem has a part of a name or of a value, in which nobody would find a secret.
func TestProblemsHaveNoParts(t *testing.T) {
	long := strings.Repeat("x", 300)
	words := make([]string, 100)
	for i := range words {
		words[i] = fmt.Sprintf("%q", fmt.Sprintf("word %d", i))
	}
	all := strings.Join(words, ",")
	for name, tc := range map[string]struct{ schema, value, want string }{
		"enum":       {`{"enum":[` + all + `]}`, `1`, `must be one of ` + strings.Join(words[:23], ", ") + " and 77 more"},
		"long first": {`{"enum":["` + long + `",1]}`, `2`, "must be one of (302 bytes) and 1 more"},
		"const":      {`{"const":"` + long + `"}`, `2`, "must be (302 bytes)"},
		"name":       {`{"additionalProperties":{"type":"string"}}`, `{"` + long + `":2}`, `$["(300 bytes)"]`},
	} {
		t.Run(name, func(t *testing.T) {
			var v any
			require.NoError(t, json.Unmarshal([]byte(tc.value), &v))
			problems := compile(t, tc.schema).Validate(v)
			require.Len(t, problems, 1)
			assert.Contains(t, problems[0], tc.want)
		})
	}
}
