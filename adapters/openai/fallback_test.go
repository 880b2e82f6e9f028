package openai_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/llm"
)

type answer struct {
	Answer string `json:"Answer"`
	Note   string `json:"Note,omitempty"`
}

func structured(t testing.TB, text string) *llm.Request {
	t.Helper()
	req := ask(text)
	schema, err := llm.SchemaOf[answer]("answer")
	require.NoError(t, err)
	schema.Description = "an answer"
	req.Schema = schema
	return req
}

// refusesFormat is a server that does not take a response format.
func refusesFormat(refusal, otherwise http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			ResponseFormat json.RawMessage `json:"response_format"`
		}
		if json.NewDecoder(r.Body).Decode(&body) != nil {
			panic(http.ErrAbortHandler)
		}
		if body.ResponseFormat != nil {
			refusal(w, r)
			return
		}
		otherwise(w, r)
	}
}

func TestFormatRefused(t *testing.T) {
	const good = `{"Answer": "42"}`
	// The words are those of servers.
	for name, c := range map[string]struct {
		refusal    http.HandlerFunc
		asked      int // calls for two requests
		remembered bool
	}{
		"unavailable":       {fails(400, "invalid_request_error", "This response_format type is unavailable now"), 3, true},
		"of the model":      {fails(400, "", "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."), 3, true},
		"unknown field":     {writes(422, map[string]any{"detail": "json_schema: extra fields not permitted"}), 3, true},
		"text":              {writes(400, map[string]any{"error": "structured outputs are not implemented"}), 3, true},
		"no endpoint":       {fails(404, "", "No endpoints found that support the requested response format."), 3, true},
		"param only":        {writes(400, map[string]any{"error": map[string]any{"message": "Unsupported value", "param": "response_format"}}), 3, true},
		"invalid schema":    {fails(400, "", "Invalid schema for response_format 'answer': In context=(), 'required' is required"), 4, false},
		"another complaint": {fails(400, "", "temperature must be at most 2"), 2, false},
		"another status":    {fails(500, "", "response_format crashed me"), 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, refusesFormat(c.refusal, says(good, "stop")))
			m := s.model(t, nil)
			for range 2 {
				resp, err := m.Complete(t.Context(), structured(t, "how much?"))
				if c.asked == 2 {
					require.Error(t, err)
					continue
				}
				require.NoError(t, err)
				assert.Equal(t, good, resp.Text)
			}
			sent := s.sent()
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
		require.ErrorIs(t, callError(t, m, structured(t, "how much?")), llm.ErrRejected)
	}
	sent := s.sent()
	require.Len(t, sent, 4)
	assert.Contains(t, sent[2], `"response_format"`)
}

// Free text has no response format that could be left out.
func TestFormatRefusedWithoutSchema(t *testing.T) {
	s := serve(t, fails(400, "", "response_format is not supported"))
	require.ErrorIs(t, callError(t, s.model(t, nil), ask("how much?")), llm.ErrRejected)
	assert.Len(t, s.sent(), 1)
}
