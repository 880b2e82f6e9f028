package openai

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/clip"
	"github.com/agentfsm/agentfsm/llm"
)

// maxPath bounds the path of a base URL in an error, in bytes.
const maxPath = 80

// failed is what comes of an answer that is not a reply, and whether it is about how it was asked.
func (m *chatModel) failed(f *adapters.Failure, req *llm.Request, how asked) (*llm.Response, adapters.FormatRefusal, error) {
	refusal := adapters.About(f, req, aboutFormat)
	if f.Malformed() {
		return f.Reply(m.cfg.Model, m.key), refusal, nil
	}
	message := f.Public(cmp.Or(f.Code, f.Kind), m.key, req)
	if req.Schema != nil && !m.cfg.SchemaInPrompt && len(req.Tools) == 0 {
		inPrompt := how.form == adapters.FormPrompt
		message = f.Hint(message, refusal, !inPrompt, inPrompt)
	}
	if f.Status == http.StatusNotFound && m.path != "" {
		message += fmt.Sprintf(" (the path of the base URL is %s; mostly it ends in /v1)", clip.Name(m.path, maxPath))
	}
	call := llm.StatusError(f.Status, f.Wait, message)
	call.Model = m.cfg.Model
	switch {
	case f.Is("insufficient_quota", "billing_hard_limit_reached", "billing_not_active"):
		call.Kind = llm.ErrRejected // comes as 429, and waiting does not help
	case f.Is("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"):
		call.Kind = llm.ErrRefused // comes as 400
	}
	return nil, refusal, call
}

// aboutFormat looks for a refusal of the response format in the words that servers have
// for it. One that is not found stays the error that it is.
func aboutFormat(f *adapters.Failure) adapters.FormatRefusal {
	switch {
	case !f.MayRefuseFormat():
	case f.Mentions("invalid schema", "schema is invalid", "invalid json schema", "unsupported schema", "unrecognized schema",
		"schema conversion", "schema contains", "schemas contain", "schema is too", "too many states", "grammar"):
		return adapters.FormatSchema
	case f.Is("json_validate_failed"): // it does not know why
		return adapters.FormatReply
	case f.MentionsStrict(), f.Mentions("response_format", "json_schema", "structured output"):
		return adapters.FormatUnknown
	}
	return adapters.FormatTaken
}
