package llmtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/agentfsm/agentfsm/llm"
)

// storedError is an error of a model. Kind is a name of kinds, callKind for a
// [llm.CallError] of another kind, or "" for an error of which only the text is kept.
type storedError struct {
	Kind       string `json:"kind,omitempty"`
	Status     int    `json:"status,omitempty"`
	RetryAfter string `json:"retry_after,omitempty"`
	Model      string `json:"model,omitempty"`
	Message    string `json:"message,omitempty"`
	Cause      string `json:"cause,omitempty"`
}

const callKind = "call"

// kinds of a CallError.
var kinds = []struct {
	name string
	err  error
}{
	{"rate_limited", llm.ErrRateLimited},
	{"overloaded", llm.ErrOverloaded},
	{"unavailable", llm.ErrUnavailable},
	{"slow", llm.ErrSlow},
	{"empty", llm.ErrEmpty},
	{"cut", llm.ErrCut},
	{"malformed", llm.ErrMalformed},
	{"refused", llm.ErrRefused},
	{"rejected", llm.ErrRejected},
}

// others are well-known errors that are no CallError.
var others = []struct {
	name string
	err  error
}{
	{"no_response", llm.ErrNoResponse},
	{"no_model", llm.ErrNoModel},
	{"deadline_exceeded", context.DeadlineExceeded},
	{"canceled", context.Canceled},
}

// reply returns what a call returned as it is stored.
func (c *cleaner) reply(resp *llm.Response, err error) *storedReply {
	r := &storedReply{}
	if resp != nil {
		r.Response = &storedResponse{
			Text: splitLines(c.hide(resp.Text)), Usage: resp.Usage,
			Model: c.hide(resp.Model), FinishReason: c.hide(resp.FinishReason),
			Spent: slices.Clone(resp.Spent), Repairs: slices.Clone(resp.Repairs),
		}
		for i := range r.Response.Spent {
			r.Response.Spent[i].Model = c.hide(resp.Spent[i].Model)
		}
		r.Response.Calls, r.Response.Reasoning = cleanCalls(resp.Calls, c.hide), cleanJSON(resp.Reasoning, c.hide)
	}
	if resp == nil && err == nil {
		err = llm.ErrNoResponse
	}
	if err != nil {
		r.Error = c.error(err)
	}
	return r
}

func (c *cleaner) error(err error) *storedError {
	var call *llm.CallError
	if !errors.As(err, &call) || call == nil {
		for _, o := range others {
			if errors.Is(err, o.err) {
				return &storedError{Kind: o.name}
			}
		}
		return &storedError{Cause: c.hide(err.Error())}
	}
	s := &storedError{Kind: callKind, Status: call.Status, Model: c.hide(call.Model), Message: c.hide(call.Message)}
	for _, k := range kinds {
		if errors.Is(call.Kind, k.err) {
			s.Kind = k.name
			break
		}
	}
	if call.RetryAfter != 0 {
		s.RetryAfter = call.RetryAfter.String()
	}
	if call.Err != nil {
		s.Cause = c.hide(call.Err.Error())
	}
	return s
}

// recordedError is an error of which only the text was kept.
type recordedError string

func (e recordedError) Error() string { return string(e) }

// restore returns the error that was recorded; the second is what is wrong with
// the recording.
func (s *storedError) restore() (error, error) {
	if s.Kind == "" {
		if s.Cause == "" {
			return nil, errors.New("an error without a kind and a cause")
		}
		return recordedError(s.Cause), nil
	}
	for _, o := range others {
		if s.Kind == o.name {
			return o.err, nil
		}
	}
	call := &llm.CallError{Status: s.Status, Model: s.Model, Message: s.Message}
	for _, k := range kinds {
		if s.Kind == k.name {
			call.Kind = k.err
		}
	}
	if call.Kind == nil && s.Kind != callKind {
		return nil, fmt.Errorf("an error of the unknown kind %q", s.Kind)
	}
	if s.RetryAfter != "" {
		wait, err := time.ParseDuration(s.RetryAfter)
		if err != nil {
			return nil, fmt.Errorf("retry_after: %w", err)
		}
		call.RetryAfter = wait
	}
	if s.Cause != "" {
		call.Err = recordedError(s.Cause)
	}
	return call, nil
}
