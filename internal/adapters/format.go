package adapters

import (
	"net/http"
	"slices"
	"strings"

	"github.com/agentfsm/agentfsm/llm"
)

// Refusal says what of the form of a request a failure is about.
type Refusal int

// What it may be about.
const (
	NotRefused    Refusal = iota // something else
	SchemaRefused                // this schema, of the reply or of a tool
	ReplyRefused                 // what the model made of the schema
	FormatRefused                // any schema
	ChoiceRefused                // that the model must call a tool
	ToolsRefused                 // the tools
	CacheRefused                 // that it is told what to cache
)

// about finds a refusal in the words that servers have for it. One that is not found stays the error that it is.
func about(f *Failure, req *llm.Request, how How) Refusal {
	switch {
	case f.MayRefuseFormat() && !how.Uncached && marked(req) && f.Mentions("cache_control", "prompt caching"):
		return CacheRefused
	case len(req.Tools) > 0:
		return aboutTools(f)
	case !f.MayRefuseFormat():
	case f.Mentions("format.schema", "invalid schema", "schema is invalid", "invalid json schema", "unsupported schema",
		"unrecognized schema", "schema conversion", "schema contains", "schemas contain", "schema is too", "too many states",
		"grammar"):
		return SchemaRefused
	case f.Is("json_validate_failed"): // it does not know why
		return ReplyRefused
	case f.MentionsStrict(), f.Mentions("response_format", "output_format", "output_config", "json_schema", "structured output"):
		return FormatRefused
	}
	return NotRefused
}

func aboutTools(f *Failure) Refusal {
	switch {
	case !f.MayRefuseFormat():
	case f.Mentions("tool choice", "forces tool use", "force tool use", "forced tool",
		"function calling config", "function calling mode", "mode any", "tool config"):
		return ChoiceRefused
	case f.Malformed():
	case f.MentionsStrict():
		return FormatRefused
	case f.Mentions("schema", "grammar", "additionalproperties", "too complex"):
		return SchemaRefused
	case f.Mentions("tools", "tool use", "tool call", "function call", "functions"):
		return ToolsRefused
	}
	return NotRefused
}

// MayRefuseFormat reports whether its status is one that servers have for a request with
// a field that they do not take, and nothing says that it is about something else.
func (f *Failure) MayRefuseFormat() bool {
	switch f.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		return !f.isElse()
	}
	return false
}

// otherCodes, otherWords and otherFields are those of errors that another form of the request cannot help, whatever
// else their messages mention: functions are part of a prompt that is too long, and a policy is strict.
var (
	otherCodes = []string{
		"context_length_exceeded", "exceed_context_size_error", "request_too_large", "rate_limit_exceeded", "rate_limit_error",
		"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error", "overloaded_error",
		"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation",
		"invalid_api_key", "authentication_error", "permission_error", "model_not_found",
	}
	otherWords = []string{
		"context length", "context window", "context size", "maximum context", "prompt is too long", "prompt too long",
		"input is too long", "input too long", "too many tokens", "input tokens", "prompt tokens", "token limit",
		"rate limit", "too many requests", "quota", "billing", "credit balance", "api key", "unauthorized", "authentication",
		"content policy", "content policies", "usage policy", "usage policies", "safety policy", "content filter", "content management", "moderation",
	}
	otherFields = []string{
		"messages", "temperature", "top_p", "stop", "max_tokens", "max_completion_tokens", "input_tokens",
	}
)

func (f *Failure) isElse() bool {
	field, _, _ := strings.Cut(f.Param, "[")
	field, _, _ = strings.Cut(field, ".")
	return f.Is(otherCodes...) || f.Mentions(otherWords...) || slices.Contains(otherFields, field)
}

// schemaWords are those of a server that failed on a schema, or on the form in which it was sent.
var schemaWords = []string{"schema", "response_format", "output_format", "output_config", "structured output", "grammar", "anyof", "$ref", "additionalproperties"}

// Hint returns what was said of a failure, behind a word on Config.SchemaInPrompt if that may help, or did not help
// after a refusal: then the schema was in the prompt.
func (f *Failure) Hint(message string, refusal Refusal, inPrompt bool) string {
	silent := !f.Said() && f.MayRefuseFormat() && f.Status != http.StatusNotFound
	switch {
	case f.Status != http.StatusInternalServerError && !f.MayRefuseFormat(), f.isElse():
	case inPrompt && refusal != NotRefused:
		return "also with the schema in the prompt, as Config.SchemaInPrompt sends it: " + message
	case !inPrompt && refusal == NotRefused && (silent || f.MentionsStrict() || f.Mentions(schemaWords...)):
		return "Config.SchemaInPrompt may help: " + message
	}
	return message
}
