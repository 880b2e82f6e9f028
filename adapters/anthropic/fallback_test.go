package anthropic_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

// Schemas of agents are often open, which is known to be refused.
func TestSchemasThatDoNotFit(t *testing.T) {
	inside := func(schema string) string {
		return `{"type":"object","additionalProperties":false,"properties":{"Answer":` + schema + `}}`
	}
	for name, c := range map[string]struct {
		schema string
		fits   bool
	}{
		"closed":                {inside(`{"type":"string","description":"x","enum":["a"]}`), true},
		"list":                  {inside(`{"type":"array","items":{"type":"string"}}`), true},
		"one of two":            {inside(`{"anyOf":[{"type":"string"},` + inside(`{"type":"null"}`) + `]}`), true},
		"of itself":             {`{"type":"object","additionalProperties":false,"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":` + inside(`{"const":1}`) + `}}`, true},
		"property of that name": {inside(`{"type":"object","additionalProperties":false,"properties":{"minimum":{"type":"integer"}}}`), true},
		"open":                  {`{"type":"object","properties":{"Answer":{"type":"string"}}}`, false},
		"open on purpose":       {`{"type":"object","additionalProperties":true}`, false},
		"a map":                 {inside(`{"type":"object","additionalProperties":{"type":"string"}}`), false},
		"open without a type":   {inside(`{"anyOf":[{"type":"string"}],"properties":{}}`), false},
		"open inside a list":    {inside(`{"type":"array","items":{"type":"object"}}`), false},
		"open in one of two":    {inside(`{"anyOf":[{"type":"string"},{"type":"object"}]}`), false},
		"open definition":       {`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}`, false},
		"anything":              {inside(`{}`), false},
		"anything, said so":     {inside(`true`), false},
		"a bound":               {inside(`{"type":"integer","minimum":0}`), false},
		"bytes":                 {inside(`{"type":"string","contentEncoding":"base64"}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, says(`{"Answer": "42"}`, "end_turn"))
			req := adapterstest.Ask("how much?")
			req.Schema = &llm.Schema{Name: "s", JSON: json.RawMessage(c.schema)}
			m := s.model(t, nil)
			_, err := m.Complete(t.Context(), req)
			require.NoError(t, err)
			_, err = m.Complete(t.Context(), adapterstest.Structured(t, "how much?"))
			require.NoError(t, err)
			sent := s.Sent()
			require.Len(t, sent, 2)
			if c.fits {
				assert.Contains(t, sent[0], `"output_config"`)
				assert.NotContains(t, sent[0], "fits this JSON Schema")
			} else {
				assert.NotContains(t, sent[0], `"output_config"`)
				assert.Contains(t, sent[0], "fits this JSON Schema")
			}
			assert.Contains(t, sent[1], `"output_config"`, "nothing is remembered")
		})
	}
}
