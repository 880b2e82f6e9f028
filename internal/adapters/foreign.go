package adapters

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"reflect"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// Foreign is the error of a call of a model behind another library, which is not done with its context. An
// *llm.CallError stays what it is. Each of the others is asked, until one knows the error; the result may have neither
// Model nor Err. Then fields are names of fields of error types that have a status of HTTP: each client of a
// provider has a type of its own, which no adapter wants to require.
func Foreign(model string, err error, fields []string, others ...func(error) *llm.CallError) error {
	if _, ok := errors.AsType[*llm.CallError](err); ok {
		return err
	}
	for _, other := range others {
		if other == nil {
			continue
		}
		if known := other(err); known != nil {
			call := *known
			call.Model = cmp.Or(call.Model, model)
			call.Err = cmp.Or(call.Err, err)
			return &call
		}
	}
	call := classify(err, fields)
	call.Model, call.Err = model, err
	return Keyless(call)
}

// Keyless takes away the message of an error of authentication: some providers repeat the key in it.
func Keyless(call *llm.CallError) *llm.CallError {
	if call.Status == http.StatusUnauthorized || call.Status == http.StatusForbidden {
		call.Message = http.StatusText(call.Status)
	}
	return call
}

func classify(err error, fields []string) *llm.CallError {
	if status, wait := statusIn(err, fields); status != 0 {
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

// statusIn finds the status of HTTP in an error or those inside of it, and how long its response asks to wait.
func statusIn(err error, fields []string) (status int, wait time.Duration) {
	for ; err != nil; err = errors.Unwrap(err) {
		v := reflect.ValueOf(err)
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			continue
		}
		for _, name := range fields {
			f := field(v, name)
			if !f.IsValid() || !f.CanInt() || f.Int() < 400 || f.Int() >= 600 {
				continue
			}
			if from := field(v, "Response"); from.IsValid() && from.CanInterface() {
				if resp, ok := reflect.TypeAssert[*http.Response](from); ok && resp != nil {
					wait = llm.RetryAfter(resp.Header.Get)
				}
			}
			return int(f.Int()), wait
		}
	}
	return 0, 0
}

// field is FieldByName, without its panic where an embedded pointer is nil.
func field(v reflect.Value, name string) reflect.Value {
	f, ok := v.Type().FieldByName(name)
	if !ok {
		return reflect.Value{}
	}
	value, err := v.FieldByIndexErr(f.Index)
	if err != nil {
		return reflect.Value{}
	}
	return value
}
