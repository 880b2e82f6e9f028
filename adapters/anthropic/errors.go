package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// failure is what an answer says that is an error. Servers write it in several
// ways; what they all do is in the fields.
type failure struct {
	status        int
	wait          time.Duration
	message, code string
	kind          string // the word for it: rate_limit_error, invalid_request_error
}

// said reports whether there was an error at all.
func (f *failure) said() bool { return f.message != "" || f.code != "" || f.kind != "" }

// readFailure reads an answer that is not a success. Of one that broke off, it is
// what came.
func readFailure(came *incoming) *failure {
	f := parseFailure(came.body.Bytes())
	f.status, f.wait = came.answer.StatusCode, llm.RetryAfter(came.answer.Header.Get)
	return f
}

// statuses are those that the protocol has for its kinds of errors. A router that
// answers with success has nothing else to say what went wrong.
var statuses = map[string]int{
	"invalid_request_error": 400, "authentication_error": 401, billingError: 402, "permission_error": 403,
	"not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500,
	"timeout_error": 504, overloadedError: 529,
}

const billingError, overloadedError = "billing_error", "overloaded_error"

// parseFailure reads {"error": {"message": …}}, {"error": "…"}, {"message": …} and
// {"detail": …}. Anything else, such as a page of HTML, says nothing.
func parseFailure(body []byte) *failure {
	var f failure
	var top map[string]json.RawMessage
	if json.Unmarshal(body, &top) != nil {
		return &f
	}
	object := top
	if raw, ok := top["error"]; ok {
		if f.message = scalar(raw); f.message != "" {
			return &f
		}
		object = nil
		if json.Unmarshal(raw, &object) != nil {
			return &f
		}
	} else if top["content"] != nil || scalar(top["type"]) == "message" {
		return &f // a reply
	}
	f.message, f.code, f.kind = scalar(object["message"]), scalar(object["code"]), scalar(object["type"])
	if f.message == "" {
		f.message = scalar(object["detail"])
	}
	f.status = statuses[f.kind]
	if status, err := strconv.Atoi(f.code); err == nil && status >= 400 && status < 600 {
		f.status = status
	}
	return &f
}

// scalar is a string or a number as text.
func scalar(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String()
	}
	return ""
}

// statusError is the error of an answer that is not a reply.
func (m *messagesModel) statusError(f *failure, req *llm.Request) error {
	message := m.publicMessage(f, req)
	call := llm.StatusError(f.status, f.wait, message)
	call.Model = m.cfg.Model
	switch f.kind {
	case billingError:
		call.Kind = llm.ErrRejected // whatever the status is, waiting does not help
	case overloadedError:
		call.Kind = llm.ErrOverloaded
	}
	return call
}

// formatRefusal says whether a failure is about the output format.
type formatRefusal int

const (
	formatTaken   formatRefusal = iota // it is about something else
	formatSchema                       // this schema is refused
	formatUnknown                      // any schema would be
)

// aboutFormat looks for a refusal in the words that servers have for it. One that is
// not found stays the error that it is.
func (f *failure) aboutFormat() formatRefusal {
	switch f.status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusNotImplemented:
	default:
		return formatTaken
	}
	text := strings.ToLower(f.message)
	if !containsAny(text, "output_config", "output_format", "output config", "output format", "json_schema", "json schema",
		"structured output", "grammar", "schema is too") {
		return formatTaken
	}
	if containsAny(text, "format.schema", "invalid schema", "schema is invalid", "schema is too", "grammar") {
		return formatSchema
	}
	return formatUnknown
}

func containsAny(text string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// broken says why no whole answer came; began, whether one did begin.
func (m *messagesModel) broken(err error, began bool) error {
	call := &llm.CallError{Model: m.cfg.Model, Err: err}
	if whole, ok := errors.AsType[*url.Error](err); ok {
		call.Err, began = whole.Err, true // without the URL, which may have more than its host
	}
	var network net.Error
	switch {
	// The caller's context is not done, so it is a deadline of the client.
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		call.Kind = llm.ErrSlow
	case began, network != nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		call.Kind = llm.ErrUnavailable
	}
	return call // without a kind, it is something like an option that the SDK refuses
}
