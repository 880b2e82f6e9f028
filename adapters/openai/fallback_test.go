package openai_test

import (
	"net/http"
	"testing"

	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
)

func TestFormatRefused(t *testing.T) {
	adapterstest.RunFormat(t, adapter, adapterstest.Format{
		Field:   "response_format",
		Failure: func(words string) http.HandlerFunc { return fails(400, "", words) },
		Refusal: adapterstest.Raw(http.StatusOK, "application/json", `{"choices": [{"message": {"refusal": "No."}}]}`),
		// The words are those of servers.
		Cases: map[string]adapterstest.Unstructured{
			"unavailable":   {Refusal: fails(400, "invalid_request_error", "This response_format type is unavailable now"), Asked: 3, Remembered: true},
			"of the model":  {Refusal: fails(400, "", "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."), Asked: 3, Remembered: true},
			"unknown field": {Refusal: adapterstest.JSON(422, map[string]any{"detail": "json_schema: extra fields not permitted"}), Asked: 3, Remembered: true},
			"text":          {Refusal: adapterstest.JSON(400, map[string]any{"error": "structured outputs are not implemented"}), Asked: 3, Remembered: true}, // what a server says
			"no endpoint":   {Refusal: fails(404, "", "No endpoints found that support the requested response format."), Asked: 3, Remembered: true},
			"param only":    {Refusal: adapterstest.JSON(400, map[string]any{"error": map[string]any{"message": "Unsupported value", "param": "response_format"}}), Asked: 3, Remembered: true},
			"complaint of a list": {Refusal: adapterstest.JSON(422, map[string]any{"detail": []any{
				map[string]any{"type": "extra_forbidden", "loc": []any{"body", "response_format"}, "msg": "Extra inputs are not permitted"},
			}}), Asked: 3, Remembered: true},
			"of a router":         {Refusal: adapterstest.JSON(200, map[string]any{"error": map[string]any{"code": 400, "message": "response_format is not supported"}}), Asked: 3, Remembered: true},
			"invalid JSON schema": {Refusal: fails(400, "", "invalid JSON schema for response_format: 'answer': /properties/Note"), Asked: 4, Remembered: false},
			"no conversion":       {Refusal: fails(400, "", "JSON schema conversion failed: Unrecognized schema"), Asked: 4, Remembered: false},
			"no grammar":          {Refusal: fails(400, "", "Failed to initialize samplers: failed to parse grammar"), Asked: 4, Remembered: false},
			"does not fit":        {Refusal: fails(400, "json_validate_failed", "Failed to generate JSON. Please adjust your prompt."), Asked: 4, Remembered: false},
			"too complex":         {Refusal: fails(400, "", "The specified schema produces a constraint that has too many states for serving."), Asked: 4, Remembered: false},
			"invalid schema":      {Refusal: fails(400, "", "Invalid schema for response_format 'answer': In context=(), 'required' is required"), Asked: 4, Remembered: false},
			"another complaint":   {Refusal: fails(400, "", "temperature must be at most 2"), Asked: 2, Remembered: false},
			"another status":      {Refusal: fails(500, "", "response_format crashed me"), Asked: 2, Remembered: false},
		},
	})
}
