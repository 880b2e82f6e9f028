package adk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/llm"
)

// ended is the error of a call whose context is done.
func (m *chatModel) ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("adk: the call ended: %w", cause)
	}
	return fmt.Errorf("adk: the call ended: %w: %w", err, cause)
}

// failed says what kind of error the LLM returned.
func (m *chatModel) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return m.ended(ctx)
	}
	if _, ok := errors.AsType[*llm.CallError](err); ok {
		return err
	}
	if m.options.Classify != nil {
		if call := m.options.Classify(err); call != nil {
			out := *call
			if out.Model == "" {
				out.Model = m.name
			}
			if out.Err == nil {
				out.Err = err
			}
			return &out
		}
	}
	call := classify(err)
	call.Model, call.Err = m.name, err
	if call.Status == http.StatusUnauthorized || call.Status == http.StatusForbidden {
		call.Message = http.StatusText(call.Status) // some providers repeat the key
	}
	return call
}

func classify(err error) *llm.CallError {
	if api, ok := apiError(err); ok {
		return llm.StatusError(api.Code, retryDelay(api.Details), api.Message)
	}
	if status, wait := httpStatus(err); status != 0 {
		return llm.StatusError(status, wait, "")
	}
	var network net.Error
	switch {
	// The caller's context is not done, so it is a deadline of the model's client.
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return &llm.CallError{Kind: llm.ErrSlow}
	case network != nil, errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
		return &llm.CallError{Kind: llm.ErrUnavailable}
	}
	return &llm.CallError{}
}

func apiError(err error) (genai.APIError, bool) {
	if api, ok := errors.AsType[genai.APIError](err); ok {
		return api, true
	}
	if api, ok := errors.AsType[*genai.APIError](err); ok && api != nil {
		return *api, true
	}
	return genai.APIError{}, false
}

// retryDelay finds google.rpc.RetryInfo among the details of an error.
func retryDelay(details []map[string]any) time.Duration {
	for _, detail := range details {
		if text, ok := detail["retryDelay"].(string); ok {
			if wait, err := time.ParseDuration(text); err == nil {
				return max(0, wait)
			}
		}
	}
	return 0
}

// codeError is the error of a response that says that it is one: the status of
// HTTP, or why a prompt was blocked.
func codeError(name, code, message string) *llm.CallError {
	call := &llm.CallError{}
	status, err := strconv.Atoi(code)
	switch {
	case err == nil && status >= 400 && status < 600:
		call = llm.StatusError(status, 0, "")
	case blocked(code):
		call.Kind = llm.ErrRefused
	}
	call.Model, call.Message = name, code
	switch {
	case code == "":
		call.Message = message
	case message != "":
		call.Message += ": " + message
	}
	return call
}

func blocked(code string) bool {
	switch genai.BlockedReason(code) {
	case genai.BlockedReasonSafety, genai.BlockedReasonBlocklist, genai.BlockedReasonProhibitedContent, genai.BlockedReasonImageSafety,
		genai.BlockedReasonModelArmor, genai.BlockedReasonJailbreak, genai.BlockedReasonOther, genai.BlockedReasonUnspecified:
		return true
	default:
		return false
	}
}

// httpStatus finds the status of HTTP in an error of a provider's client. Each
// client has a type of its own, which this module does not want to require, so
// it looks for a field of the name that they use.
func httpStatus(err error) (status int, wait time.Duration) {
	for err != nil {
		v := reflect.ValueOf(err)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() == reflect.Struct {
			for _, name := range []string{"StatusCode", "HTTPStatusCode"} {
				f, ok := field(v, name)
				if ok && f.CanInt() && f.Int() >= 400 && f.Int() < 600 {
					return int(f.Int()), retryAfter(v)
				}
			}
		}
		err = errors.Unwrap(err)
	}
	return 0, 0
}

func retryAfter(v reflect.Value) time.Duration {
	f, ok := field(v, "Response")
	if !ok || !f.CanInterface() {
		return 0
	}
	if resp, ok := reflect.TypeAssert[*http.Response](f); ok && resp != nil {
		return llm.RetryAfter(resp.Header.Get)
	}
	return 0
}

// field is FieldByName, without its panic where an embedded pointer is nil.
func field(v reflect.Value, name string) (reflect.Value, bool) {
	f, ok := v.Type().FieldByName(name)
	if !ok {
		return reflect.Value{}, false
	}
	value, err := v.FieldByIndexErr(f.Index)
	return value, err == nil
}
