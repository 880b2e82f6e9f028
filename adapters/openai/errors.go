package openai

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
	status               int
	wait                 time.Duration
	message, code, param string
	kind                 string // the word for it: insufficient_quota, invalid_request_error
	inner                string // of a gateway: the code of the filter behind it
}

// said reports whether there was an error at all.
func (f *failure) said() bool { return f.message != "" || f.code != "" || f.kind != "" }

// readFailure reads an answer that is not a success.
func readFailure(answer *http.Response) *failure {
	body, err := io.ReadAll(answer.Body) // the SDK has put it back; what broke off is what came
	if err != nil {
		body = nil
	}
	f := parseFailure(body)
	f.status, f.wait = answer.StatusCode, llm.RetryAfter(answer.Header.Get)
	return f
}

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
	} else if top["choices"] != nil {
		return &f // a reply
	}
	f.message, f.code, f.param, f.kind = scalar(object["message"]), scalar(object["code"]), scalar(object["param"]), scalar(object["type"])
	if f.message == "" {
		f.message = scalar(object["detail"])
	}
	if status, err := strconv.Atoi(f.code); err == nil && status >= 400 && status < 600 {
		f.status = status
	}
	var inner struct {
		Code string `json:"code"`
	}
	if json.Unmarshal(object["innererror"], &inner) == nil {
		f.inner = inner.Code
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
func (m *chatModel) statusError(f *failure, req *llm.Request) error {
	message := m.publicMessage(f, req)
	call := llm.StatusError(f.status, f.wait, message)
	call.Model = m.cfg.Model
	switch {
	case f.is("insufficient_quota", "billing_hard_limit_reached", "billing_not_active"):
		call.Kind = llm.ErrRejected // comes as 429, and waiting does not help
	case f.is("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"):
		call.Kind = llm.ErrRefused // comes as 400
	}
	return call
}

func (f *failure) is(words ...string) bool {
	for _, word := range words {
		if f.code == word || f.kind == word || f.inner == word {
			return true
		}
	}
	return false
}

// formatRefusal says whether a failure is about the response format.
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
	text := strings.ToLower(f.param + " " + f.message)
	if !containsAny(text, "response_format", "response format", "json_schema", "json schema", "structured output") {
		return formatTaken
	}
	if containsAny(text, "invalid schema", "schema is invalid") {
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
func (m *chatModel) broken(err error, began bool) error {
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
