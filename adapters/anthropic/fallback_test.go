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
	const good, invalid = `{"Answer": "42"}`, "invalid_request_error"
	// The words are those of servers.
	for name, c := range map[string]struct {
		refusal    http.HandlerFunc
		asked      int // calls for two requests
		remembered bool
	}{
		"unknown field":   {fails(400, invalid, "output_config: Extra inputs are not permitted"), 3, true},
		"of the model":    {fails(400, invalid, "'parrot' does not support output format."), 3, true},
		"text":            {adapterstest.JSON(400, map[string]any{"error": "structured outputs are not implemented"}), 3, true},
		"detail":          {adapterstest.JSON(422, map[string]any{"detail": "json_schema: extra fields not permitted"}), 3, true},
		"not implemented": {fails(501, "api_error", "output_config is not implemented"), 3, true},
		"complaint of a list": {adapterstest.JSON(422, map[string]any{"detail": []any{
			map[string]any{"type": "extra_forbidden", "loc": []any{"body", "output_config"}, "msg": "Extra inputs are not permitted"},
		}}), 3, true},
		"of a router":       {fails(200, invalid, "output_config: Extra inputs are not permitted"), 3, true},
		"invalid schema":    {fails(400, invalid, "output_config.format.schema: Invalid type 'bool'"), 4, false},
		"old name":          {fails(400, invalid, "output_format.schema: For 'object' type, something is wrong"), 4, false},
		"too large":         {fails(400, invalid, "The compiled grammar is too large."), 4, false},
		"too complex":       {fails(400, invalid, "Schema is too complex."), 4, false},
		"another complaint": {fails(400, invalid, "temperature: range: 0..1"), 2, false},
		"another status":    {fails(500, "api_error", "output_config crashed me"), 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, adapterstest.Refuses("output_config", c.refusal, says(good, "end_turn")))
			m := s.model(t, nil)
			for range 2 {
				resp, err := m.Complete(t.Context(), adapterstest.Structured(t, "how much?"))
				if c.asked == 2 {
					require.Error(t, err)
					continue
				}
				require.NoError(t, err)
				assert.Equal(t, good, resp.Text)
			}
			sent := s.Sent()
			require.Len(t, sent, c.asked)
			assert.Contains(t, sent[0], `"output_config"`)
			if c.asked > 2 {
				assert.NotContains(t, sent[1], `"output_config"`)
				assert.Contains(t, sent[1], "fits this JSON Schema")
			}
			if c.remembered {
				assert.NotContains(t, sent[2], `"output_config"`)
			} else {
				assert.Contains(t, sent[c.asked/2], `"output_config"`)
			}
		})
	}
}

// A second refusal says that the output format was not what was wrong.
func TestFormatRefusedInVain(t *testing.T) {
	s := serve(t, fails(400, "", "output_config is not supported, and nothing else is"))
	m := s.model(t, nil)
	for range 2 {
		require.ErrorIs(t, adapterstest.CallError(t, m, adapterstest.Structured(t, "how much?")), llm.ErrRejected)
	}
	sent := s.Sent()
	require.Len(t, sent, 4)
	assert.Contains(t, sent[2], `"output_config"`)
}

// A model that would not answer was asked all the same: that is remembered.
func TestFormatRefusedBeforeARefusal(t *testing.T) {
	no := adapterstest.Raw(http.StatusOK, "application/json", `{"content": [], "stop_reason": "refusal", "stop_details": {"explanation": "No."}}`)
	s := serve(t, adapterstest.Refuses("output_config", fails(400, "", "output_config is not supported"), no))
	m := s.model(t, nil)
	for range 2 {
		require.ErrorIs(t, adapterstest.CallError(t, m, adapterstest.Structured(t, "how much?")), llm.ErrRefused)
	}
	sent := s.Sent()
	require.Len(t, sent, 3)
	assert.NotContains(t, sent[2], `"output_config"`)
}

// Free text has no output format that could be left out.
func TestFormatRefusedWithoutSchema(t *testing.T) {
	s := serve(t, fails(400, "", "output_config is not supported"))
	require.ErrorIs(t, adapterstest.CallError(t, s.model(t, nil), adapterstest.Ask("how much?")), llm.ErrRejected)
	assert.Len(t, s.Sent(), 1)
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
