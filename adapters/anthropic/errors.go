package anthropic

import (
	"cmp"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// statuses are those that the protocol has for its kinds of errors. A router that
// answers with success has nothing else to say what went wrong.
var statuses = map[string]int{
	"invalid_request_error": 400, "authentication_error": 401, billingError: 402, "permission_error": 403,
	"not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500,
	"timeout_error": 504, overloadedError: 529,
}

const billingError, overloadedError = "billing_error", "overloaded_error"

// failed is what comes of an answer that is not a reply, and whether it is about how it was asked.
func (m *messagesModel) failed(f *adapters.Failure, req *llm.Request, how asked) (*llm.Response, adapters.FormatRefusal, error) {
	refusal := about(f, req)
	if f.Malformed() {
		return f.Reply(m.cfg.Model, m.key), refusal, nil
	}
	message := f.Public(cmp.Or(f.Kind, f.Code), m.key, req)
	if formatFits(req.Schema) && req.Schema != nil && !m.cfg.SchemaInPrompt && len(req.Tools) == 0 {
		message = f.Hint(message, refusal, !how.inPrompt, how.inPrompt)
	}
	call := llm.StatusError(f.Status, f.Wait, message)
	call.Model = m.cfg.Model
	switch f.Kind {
	case billingError:
		call.Kind = llm.ErrRejected // whatever the status is, waiting does not help
	case overloadedError:
		call.Kind = llm.ErrOverloaded
	}
	return nil, refusal, call
}

// about says what of a request a server refuses: what to cache, else the tools or the format.
func about(f *adapters.Failure, req *llm.Request) adapters.FormatRefusal {
	if f.MayRefuseFormat() && f.Mentions("cache_control", "prompt caching") && marked(req) {
		return adapters.CacheRefused
	}
	return adapters.About(f, req, aboutFormat)
}

// aboutFormat looks for a refusal of the output format in the words that servers have
// for it. One that is not found stays the error that it is.
func aboutFormat(f *adapters.Failure) adapters.FormatRefusal {
	switch {
	case !f.MayRefuseFormat():
	case f.Mentions("format.schema", "output_format.schema", "invalid schema", "schema is invalid", "schema is too", "schemas contain", "grammar"):
		return adapters.FormatSchema
	case f.MentionsStrict(), f.Mentions("output_config", "output_format", "json_schema", "structured output"):
		return adapters.FormatUnknown
	}
	return adapters.FormatTaken
}
