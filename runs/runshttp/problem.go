package runshttp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
	"github.com/agentfsm/agentfsm/internal/loosejson"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
	"github.com/agentfsm/agentfsm/runs"
)

// problem is an error that a client is told, as RFC 9457 has it.
type problem struct {
	status int
	code   string
	detail string
}

func (p *problem) Error() string { return p.detail }

func badRequest(code, detail string) error {
	return &problem{status: http.StatusBadRequest, code: code, detail: detail}
}

// known are the errors that a client is told, in words of their own: the text of an error may say what only people behind
// the service may know, such as which process of which machine drives a run.
var known = []struct {
	err    error
	status int
	code   string
	detail string
}{
	{durable.ErrNoRun, http.StatusNotFound, "no_run", "there is no such run"},
	{durable.ErrUnknownQuestion, http.StatusNotFound, "no_question", "the run does not ask this question, or does not ask it any more"},
	{durable.ErrCancelled, http.StatusConflict, "cancelled", "the run was cancelled"},
	{people.ErrTimeout, http.StatusConflict, "too_late", "the deadline of the question has passed"},
	{round.ErrOtherRequest, http.StatusConflict, "other_request", "the run has another request, or other meta"},
	{round.ErrNoRequest, http.StatusBadRequest, "no_request", "the request is empty"},
	{runs.ErrClosed, http.StatusServiceUnavailable, "closed", "the service is being closed"},
	{runs.ErrNotEnded, http.StatusConflict, "not_ended", "the run has not ended"},
	{store.ErrRun, http.StatusBadRequest, "run_id", "an id has 1 to 80 bytes, all of them to be seen"},
	{store.ErrDriven, http.StatusConflict, "driven", "the run is being driven"},
	{store.ErrConflict, http.StatusConflict, "exists", "the run has changed, or is there already"},
	{store.ErrTooLarge, http.StatusRequestEntityTooLarge, "too_large", "it is too large for the store"},
	{durable.ErrNoPlace, http.StatusBadRequest, "no_place", "the run has no such record or question, or the change does not fit it"},
}

// fail writes an error.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	p, ok := errors.AsType[*problem](err)
	if !ok && r.Context().Err() != nil {
		return // the client is gone; a body that did not come in time ends the context as well
	}
	for i := range known {
		if !ok && errors.Is(err, known[i].err) {
			h.config.Logger.DebugContext(r.Context(), "a request was refused", "method", r.Method, "path", r.URL.Path, "error", err)
			p, ok = &problem{status: known[i].status, code: known[i].code, detail: known[i].detail}, true
		}
	}
	if !ok {
		h.config.Logger.ErrorContext(r.Context(), "a request failed", "method", r.Method, "path", r.URL.Path, "error", err)
		p = &problem{status: http.StatusInternalServerError, code: "internal", detail: "the service could not do it"}
		if errors.Is(err, context.DeadlineExceeded) {
			p = &problem{status: http.StatusServiceUnavailable, code: "unavailable", detail: "the store did not answer in time"}
		}
	}
	text, _ := plainjson.Encode(map[string]any{ // of texts and a number
		"type": "about:blank", "title": http.StatusText(p.status), "status": p.status, "detail": p.detail, "code": p.code,
	})
	send(w, p.status, "application/problem+json", text)
}

// How long a client may take to send a body, and to read an answer or a part of a stream. The server waits for a body that
// was not read before it writes, so writing has more time.
const (
	readTimeout  = 30 * time.Second
	writeTimeout = 40 * time.Second
)

// setReadDeadline says until when the client may send. Where that cannot be said, as in a test, nothing is waited for.
func setReadDeadline(w http.ResponseWriter, until time.Time) {
	_ = http.NewResponseController(w).SetReadDeadline(until)
}

// read reads a body. An empty one is that of an object without members.
func read(w http.ResponseWriter, r *http.Request, v any) error {
	text, err := io.ReadAll(r.Body)
	if large, is := errors.AsType[*http.MaxBytesError](err); is {
		return &problem{status: http.StatusRequestEntityTooLarge, code: "too_large", detail: fmt.Sprintf("the body has more than %d bytes", large.Limit)}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return &problem{status: http.StatusRequestTimeout, code: "slow_body", detail: "the body did not come in time"}
	}
	if err != nil {
		return badRequest("body", "the body did not come as a whole")
	}
	setReadDeadline(w, time.Time{}) // from now on the server reads only to learn that the client has left
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	// A browser asks before it sends this type to another origin.
	if kind, _, bad := mime.ParseMediaType(r.Header.Get("Content-Type")); bad != nil || kind != "application/json" {
		return &problem{status: http.StatusUnsupportedMediaType, code: "media_type", detail: "the body has to be application/json"}
	}
	if err := parse(text, v); err != nil {
		return badRequest("body", "the body cannot be read: "+strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// parse reads an object that each reader understands as this one does.
func parse(text []byte, v any) error {
	if !utf8.Valid(text) {
		return errors.New("it is not UTF-8")
	}
	if text = bytes.TrimSpace(text); !bytes.HasPrefix(text, []byte("{")) {
		return errors.New("it is not an object")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if bad, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // whose text has the names of Go types
		return fmt.Errorf("%q has a value of another kind: %s", bad.Field, bad.Value)
	}
	if err != nil {
		return err
	}
	if _, end := d.Token(); !errors.Is(end, io.EOF) {
		return errors.New("there is something behind the object")
	}
	whole, err := loosejson.Parse(string(text)) // an error: a name with two values, or half of a character
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "loosejson: "))
	}
	answer, _ := whole.Get("answer")
	for _, m := range slices.Concat(whole.Members, answer.Members) { // encoding/json takes ID for id
		if strings.Trim(m.Name, "abcdefghijklmnopqrstuvwxyz_") != "" {
			return fmt.Errorf("unknown field %q", m.Name)
		}
	}
	return nil
}

// reply answers with a value as JSON.
func reply(w http.ResponseWriter, status int, v any) error {
	text, err := plainjson.Encode(v)
	if err == nil {
		send(w, status, "application/json", text)
	}
	return err
}

// send writes an answer. A client that does not read it in time loses its connection.
func send(w http.ResponseWriter, status int, kind string, text []byte) {
	until := time.Now().Add(writeTimeout + time.Duration(len(text)>>16)*time.Second) // 64 KiB a second are slow
	_ = http.NewResponseController(w).SetWriteDeadline(until)                        // as in setReadDeadline
	if kind != "" {
		w.Header().Set("Content-Type", kind)
	}
	w.WriteHeader(status)
	_, _ = w.Write(text) // a client that is gone
}
