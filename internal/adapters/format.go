package adapters

import (
	"net/http"
	"slices"
	"strings"
)

// FormatRefusal says whether a failure is about the format that a reply was asked for in.
type FormatRefusal int

// What it may be about.
const (
	FormatTaken   FormatRefusal = iota // something else
	FormatSchema                       // this schema
	FormatReply                        // what the model made of the schema
	FormatUnknown                      // any schema
	ChoiceRefused                      // that the model must call a tool
	ToolsRefused                       // the tools
	CacheRefused                       // that it is told what to cache
)

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

// Hint returns what was said of a failure, behind a word on Config.SchemaInPrompt where that may help, or did not:
// sent, where the schema went as a format, and tried, where it went into the prompt after a refusal.
func (f *Failure) Hint(message string, refusal FormatRefusal, sent, tried bool) string {
	silent := !f.Said() && f.MayRefuseFormat() && f.Status != http.StatusNotFound
	switch {
	case f.Status != http.StatusInternalServerError && !f.MayRefuseFormat(), f.isElse():
		return message
	case sent && refusal == FormatTaken && (silent || f.MentionsStrict() || f.Mentions(schemaWords...)):
		return "Config.SchemaInPrompt may help: " + message
	case tried && refusal != FormatTaken:
		return "also with the schema in the prompt, as Config.SchemaInPrompt sends it: " + message
	}
	return message
}
