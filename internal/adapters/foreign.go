package adapters

import (
	"errors"
	"net/http"
	"reflect"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// Foreign is the error of a call of a model behind another library, which is not done with its context. An
// *llm.CallError stays what it is. Otherwise own is asked, if it is not nil: its result may have neither Model nor Err.
// Then fields are names of fields of error types that have a status of HTTP: each client of a provider has a type of
// its own, which no adapter wants to require.
func Foreign(model string, err error, own func(error) *llm.CallError, fields ...string) error {
	if _, ok := errors.AsType[*llm.CallError](err); ok {
		return err
	}
	var call *llm.CallError
	if own != nil {
		call = own(err)
	}
	if call == nil {
		call = &llm.CallError{Kind: transportKind(err)}
		if status, wait := statusIn(err, fields); status != 0 {
			call = llm.StatusError(status, wait, "")
		}
	}
	if call.Status == http.StatusUnauthorized || call.Status == http.StatusForbidden {
		call.Message = http.StatusText(call.Status) // some providers repeat the key in theirs
	}
	call.Model, call.Err = model, err
	return call
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
