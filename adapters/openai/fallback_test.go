package openai_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
)

func TestFormatRefused(t *testing.T) {
	const good = `{"Answer": "42"}`
	// The words are those of servers.
	for name, c := range map[string]struct {
		refusal    http.HandlerFunc
		asked      int // calls for two requests
		remembered bool
	}{
		"unavailable":   {fails(400, "invalid_request_error", "This response_format type is unavailable now"), 3, true},
		"of the model":  {fails(400, "", "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."), 3, true},
		"unknown field": {adapterstest.JSON(422, map[string]any{"detail": "json_schema: extra fields not permitted"}), 3, true},
		"text":          {adapterstest.JSON(400, map[string]any{"error": "structured outputs are not implemented"}), 3, true},
		"no endpoint":   {fails(404, "", "No endpoints found that support the requested response format."), 3, true},
		"param only":    {adapterstest.JSON(400, map[string]any{"error": map[string]any{"message": "Unsupported value", "param": "response_format"}}), 3, true},
		"complaint of a list": {adapterstest.JSON(422, map[string]any{"detail": []any{
			map[string]any{"type": "extra_forbidden", "loc": []any{"body", "response_format"}, "msg": "Extra inputs are not permitted"},
		}}), 3, true},
		"of a router":         {adapterstest.JSON(200, map[string]any{"error": map[string]any{"code": 400, "message": "response_format is not supported"}}), 3, true},
		"invalid JSON schema": {fails(400, "", "invalid JSON schema for response_format: 'answer': /properties/Note"), 4, false},
		"no conversion":       {fails(400, "", "JSON schema conversion failed: Unrecognized schema"), 4, false},
		"no grammar":          {fails(400, "", "Failed to initialize samplers: failed to parse grammar"), 4, false},
		"does not fit":        {fails(400, "json_validate_failed", "Failed to generate JSON. Please adjust your prompt."), 4, false},
		"too complex":         {fails(400, "", "The specified schema produces a constraint that has too many states for serving."), 4, false},
		"invalid schema":      {fails(400, "", "Invalid schema for response_format 'answer': In context=(), 'required' is required"), 4, false},
		"another complaint":   {fails(400, "", "temperature must be at most 2"), 2, false},
		"another status":      {fails(500, "", "response_format crashed me"), 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, adapterstest.Refuses("response_format", c.refusal, says(good, "stop")))
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
			assert.Contains(t, sent[0], `"response_format"`)
			if c.asked > 2 {
				assert.NotContains(t, sent[1], `"response_format"`)
				assert.Contains(t, sent[1], "fits this JSON Schema")
			}
			if c.remembered {
				assert.NotContains(t, sent[2], `"response_format"`)
			} else {
				assert.Contains(t, sent[c.asked/2], `"response_format"`)
			}
		})
	}
}

// A second refusal says that the response format was not what was wrong.
func TestFormatRefusedInVain(t *testing.T) {
	s := serve(t, fails(400, "", "response_format is not supported, and nothing else is"))
	m := s.model(t, nil)
	for range 2 {
		require.ErrorIs(t, adapterstest.CallError(t, m, adapterstest.Structured(t, "how much?")), llm.ErrRejected)
	}
	sent := s.Sent()
	require.Len(t, sent, 4)
	assert.Contains(t, sent[2], `"response_format"`)
}

// A model that would not answer was asked all the same: that is remembered.
func TestFormatRefusedBeforeARefusal(t *testing.T) {
	no := adapterstest.Raw(http.StatusOK, "application/json", `{"choices": [{"message": {"refusal": "No."}}]}`)
	s := serve(t, adapterstest.Refuses("response_format", fails(400, "", "response_format is not supported"), no))
	m := s.model(t, nil)
	for range 2 {
		require.ErrorIs(t, adapterstest.CallError(t, m, adapterstest.Structured(t, "how much?")), llm.ErrRefused)
	}
	sent := s.Sent()
	require.Len(t, sent, 3)
	assert.NotContains(t, sent[2], `"response_format"`)
}

// Free text has no response format that could be left out.
func TestFormatRefusedWithoutSchema(t *testing.T) {
	s := serve(t, fails(400, "", "response_format is not supported"))
	require.ErrorIs(t, adapterstest.CallError(t, s.model(t, nil), adapterstest.Ask("how much?")), llm.ErrRejected)
	assert.Len(t, s.Sent(), 1)
}
