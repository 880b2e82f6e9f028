package runshttp

import (
	"context"
	"errors"
	"fmt"
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
	if large, is := errors.AsType[*http.MaxBytesError](err); is {
		p, ok = &problem{status: http.StatusRequestEntityTooLarge, code: "too_large", detail: fmt.Sprintf("the body has more than %d bytes", large.Limit)}, true
	}
	if !ok {
		h.config.Logger.ErrorContext(r.Context(), "a request failed", "method", r.Method, "path", r.URL.Path, "error", err)
		p = &problem{status: http.StatusInternalServerError, code: "internal", detail: "the service could not do it"}
		if errors.Is(err, context.DeadlineExceeded) {
			p = &problem{status: http.StatusServiceUnavailable, code: "unavailable", detail: "the store did not answer in time"}
		}
	}
	text, _ := encode(map[string]any{ // of texts and a number
		"type": "about:blank", "title": http.StatusText(p.status), "status": p.status, "detail": p.detail, "code": p.code,
	})
	send(w, p.status, "application/problem+json", text)
}
