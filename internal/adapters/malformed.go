package adapters

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

// Malformed reports whether a server says that it could not use what its model wrote. It is the model that has to be
// told, as of any other reply that nobody can read.
func (f *Failure) Malformed() bool {
	switch f.Status {
	case 0, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return f.Is("tool_use_failed", "json_validate_failed") || f.Mentions("error parsing tool call", "failed to parse tool call",
			"failed to parse input at pos", "failed to call a function", "tool call validation failed")
	}
	return false
}

// Reply is what the model wrote, as far as the server says it, as a reply that llm.Complete takes for malformed.
func (f *Failure) Reply(model, key string) *llm.Response {
	text := cmp.Or(f.Generation, f.Message)
	if key != "" {
		text = strings.ReplaceAll(text, key, "***")
	}
	return &llm.Response{Text: text, Model: model, FinishReason: strings.TrimSuffix("malformed: "+f.Code, ": ")}
}
