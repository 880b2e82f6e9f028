package openai_test

import (
	"net/http"
	"testing"

	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
)

func TestFormatRefused(t *testing.T) {
	refusal := adapterstest.Raw(http.StatusOK, "application/json", `{"choices": [{"message": {"refusal": "No."}}]}`)
	adapterstest.RunFormat(t, adapter, refusal, map[int]map[string]http.HandlerFunc{ // the words are those of servers
		adapterstest.Remembered: {
			"unavailable":   fails(400, "invalid_request_error", "This response_format type is unavailable now"),
			"of the model":  fails(400, "", "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."),
			"unknown field": adapterstest.JSON(422, map[string]any{"detail": "json_schema: extra fields not permitted"}),
			"text":          adapterstest.JSON(400, map[string]any{"error": "structured outputs are not implemented"}), // what a server says
			"no endpoint":   fails(404, "", "No endpoints found that support the requested response format."),
			"param only":    adapterstest.JSON(400, map[string]any{"error": map[string]any{"message": "Unsupported value", "param": "response_format"}}),
			"complaint of a list": adapterstest.JSON(422, map[string]any{"detail": []any{
				map[string]any{"type": "extra_forbidden", "loc": []any{"body", "response_format"}, "msg": "Extra inputs are not permitted"},
			}}),
			"of a router": adapterstest.JSON(200, map[string]any{"error": map[string]any{"code": 400, "message": "response_format is not supported"}}),
		},
		adapterstest.Repeated: {
			"invalid JSON schema": fails(400, "", "invalid JSON schema for response_format: 'answer': /properties/Note"),
			"no conversion":       fails(400, "", "JSON schema conversion failed: Unrecognized schema"),
			"no grammar":          fails(400, "", "Failed to initialize samplers: failed to parse grammar"),
			"does not fit":        fails(400, "json_validate_failed", "Failed to generate JSON. Please adjust your prompt."),
			"too complex":         fails(400, "", "The specified schema produces a constraint that has too many states for serving."),
			"invalid schema":      fails(400, "", "Invalid schema for response_format 'answer': In context=(), 'required' is required"),
		},
		adapterstest.Final: {
			"another complaint": fails(400, "", "temperature must be at most 2"),
			"another status":    fails(500, "", "response_format crashed me"),
		},
	})
}
