package anthropic_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

func TestFormatRefused(t *testing.T) {
	const invalid = "invalid_request_error"
	refusal := adapterstest.Raw(http.StatusOK, "application/json", `{"content": [], "stop_reason": "refusal", "stop_details": {"explanation": "No."}}`)
	adapterstest.RunFormat(t, adapter, refusal, map[int]map[string]http.HandlerFunc{ // the words are those of servers
		adapterstest.Remembered: {
			"unknown field":   fails(400, invalid, "output_config: Extra inputs are not permitted"),
			"of the model":    fails(400, invalid, "'parrot' does not support output format."),
			"text":            adapterstest.JSON(400, map[string]any{"error": "structured outputs are not implemented"}), // what a server says
			"detail":          adapterstest.JSON(422, map[string]any{"detail": "json_schema: extra fields not permitted"}),
			"not implemented": fails(501, "api_error", "output_config is not implemented"), // what a server says
			"complaint of a list": adapterstest.JSON(422, map[string]any{"detail": []any{
				map[string]any{"type": "extra_forbidden", "loc": []any{"body", "output_config"}, "msg": "Extra inputs are not permitted"},
			}}),
			"of a router": fails(200, invalid, "output_config: Extra inputs are not permitted"),
		},
		adapterstest.Repeated: {
			"invalid schema": fails(400, invalid, "output_config.format.schema: Invalid type 'bool'"),
			"old name":       fails(400, invalid, "output_format.schema: For 'object' type, something is wrong"),
			"too large":      fails(400, invalid, "The compiled grammar is too large."),
			"too complex":    fails(400, invalid, "Schema is too complex."),
		},
		adapterstest.Final: {
			"another complaint": fails(400, invalid, "temperature: range: 0..1"),
			"another status":    fails(500, "api_error", "output_config crashed me"),
		},
	})
}

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
