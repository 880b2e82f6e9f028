package runshttp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/durable/store"
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

// known are the errors that a client is told with their texts, which have ids and reasons that it may know.
var known = []struct {
	err    error
	status int
	code   string
}{
	{durable.ErrNoRun, http.StatusNotFound, "no_run"},
	{durable.ErrUnknownQuestion, http.StatusNotFound, "no_question"},
	{durable.ErrCancelled, http.StatusConflict, "cancelled"},
	{people.ErrTimeout, http.StatusConflict, "too_late"},
	{round.ErrOtherRequest, http.StatusConflict, "other_request"},
	{round.ErrNoRequest, http.StatusBadRequest, "no_request"},
	{runs.ErrClosed, http.StatusServiceUnavailable, "closed"},
	{runs.ErrNotEnded, http.StatusConflict, "not_ended"},
	{store.ErrRun, http.StatusBadRequest, "run_id"},
	{store.ErrDriven, http.StatusConflict, "driven"},
	{store.ErrConflict, http.StatusConflict, "exists"},
	{store.ErrTooLarge, http.StatusRequestEntityTooLarge, "too_large"},
	{durable.ErrNoPlace, http.StatusBadRequest, "no_place"},
}

// fail writes an error.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return // nobody reads it
	}
	p, ok := errors.AsType[*problem](err)
	for i := range known {
		if !ok && errors.Is(err, known[i].err) {
			p, ok = &problem{status: known[i].status, code: known[i].code, detail: err.Error()}, true
		}
	}
	if large, is := errors.AsType[*http.MaxBytesError](err); is {
		p, ok = &problem{status: http.StatusRequestEntityTooLarge, code: "too_large", detail: large.Error()}, true
	}
	if !ok {
		h.config.Logger.ErrorContext(r.Context(), "a request failed", "method", r.Method, "path", r.URL.Path, "error", err)
		p = &problem{status: http.StatusInternalServerError, code: "internal", detail: "the service could not do it"}
		if errors.Is(err, context.DeadlineExceeded) {
			p = &problem{status: http.StatusServiceUnavailable, code: "unavailable", detail: "the store did not answer in time"}
		}
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.status)
	_ = json.NewEncoder(w).Encode(map[string]any{ // a client that is gone
		"type": "about:blank", "title": http.StatusText(p.status), "status": p.status, "detail": p.detail, "code": p.code,
	})
}
