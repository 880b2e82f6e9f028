package runshttp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/agentfsm/agentfsm/desktop"
	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/runs"
)

// heartbeat is how long a stream is silent before it says that it is there.
const heartbeat = 15 * time.Second

// events streams what happens in a run, as the HTML standard has it (server-sent events).
func (h *handler) events(w http.ResponseWriter, r *http.Request, a Action) error {
	if _, err := h.may(w, r, a); err != nil {
		return err
	}
	after, err := lastID(r)
	if err != nil {
		return err
	}
	state, err := h.svc.Get(r.Context(), a.Run)
	if err != nil {
		return err
	}
	if after > state.Seq {
		after = 0 // of a run that was deleted, and had this id
	}
	if state.Stage == durable.Ended && after == state.Seq {
		send(w, http.StatusNoContent, "", nil) // an EventSource does not ask again
		return nil
	}
	if err := h.closed(r.Context(), a.Run); err != nil {
		return err
	}
	s := &stream{w: w, control: http.NewResponseController(w)}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	if s.write("") != nil || r.Method == http.MethodHead {
		return nil // the client is gone, or wants no more
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	events := make(chan runs.Event)
	done := make(chan error, 1)
	go func() {
		defer close(events)
		done <- h.follow(ctx, a.Run, after, events)
	}()
	defer func() {
		cancel()
		for range events { // until the goroutine is gone
		}
	}()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		select {
		case e, more := <-events:
			if !more {
				if err := <-done; err != nil && r.Context().Err() == nil && !errors.Is(err, runs.ErrClosed) {
					h.config.Logger.ErrorContext(r.Context(), "a stream broke", "agentfsm.run.id", a.Run, "error", err)
				}
				return nil
			}
			err = s.event(&e)
		case <-beat.C:
			err = s.write(":\n\n")
		}
		if err != nil {
			return nil // the client is gone, and comes back with its last id
		}
	}
}

// closed returns the error of a service that was closed. A Watch whose context is done says nothing else.
func (h *handler) closed(ctx context.Context, run string) error {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	for _, err := range h.svc.Watch(ctx, run, 0) {
		if errors.Is(err, runs.ErrClosed) {
			return err
		}
	}
	return nil
}

// follow sends what happens in a run.
func (h *handler) follow(ctx context.Context, run string, after int64, events chan<- runs.Event) error {
	for e, err := range h.svc.Watch(ctx, run, after) {
		if err != nil {
			return err
		}
		select {
		case events <- e:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// lastID is the id of the last event that the client has.
func lastID(r *http.Request) (int64, error) {
	values, err := query(r, "after")
	if err != nil {
		return 0, err
	}
	text := r.Header.Get("Last-Event-ID")
	if text == "" {
		text = values.Get("after")
	}
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 0 {
		return 0, badRequest("last_event_id", "the last event id is not one of this stream")
	}
	return id, nil
}

type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (s *stream) event(e *runs.Event) error {
	data, err := plainjson.Encode(e)
	if err != nil {
		return err
	}
	return s.write(fmt.Sprintf("id: %d\ndata: %s\n\n", e.Seq, data))
}

func (s *stream) write(text string) error {
	if err := s.control.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := s.w.Write([]byte(text)); err != nil {
		return err
	}
	return s.control.Flush()
}

// run is a durable.State as clients read it.
type run struct {
	ID         string             `json:"id"`
	Request    string             `json:"request,omitempty"`
	Meta       json.RawMessage    `json:"meta,omitempty"`
	Stage      durable.Stage      `json:"stage,omitempty"`
	Outcome    string             `json:"outcome,omitempty"`
	Answer     string             `json:"answer,omitempty"`
	Reason     string             `json:"reason,omitempty"`
	Questions  []question         `json:"questions,omitempty"`
	Answers    []durable.Answered `json:"answers,omitempty"`
	Due        time.Time          `json:"due,omitzero"`
	Tries      int                `json:"tries,omitempty"`
	Agent      string             `json:"agent,omitempty"`
	Status     string             `json:"status,omitempty"`
	Steps      int                `json:"steps"`
	Calls      int                `json:"calls"`
	Usage      llm.Usage          `json:"usage"`
	Cost       float64            `json:"cost,omitempty"`
	ForkedFrom string             `json:"forked_from,omitempty"`
	Began      time.Time          `json:"began,omitzero"`
	Last       time.Time          `json:"last,omitzero"`
	Seq        int64              `json:"seq"`
	Unreadable string             `json:"unreadable,omitempty"` // in a list: why nothing else is known
}

// question is a people.Question without its secrets.
type question struct {
	ID       string           `json:"id"`
	Agent    string           `json:"agent,omitempty"`
	Text     string           `json:"text"`
	Approval bool             `json:"approval,omitempty"`
	Deadline time.Time        `json:"deadline,omitzero"`
	Command  *desktop.Command `json:"command,omitempty"` // without its secrets
	Target   string           `json:"target,omitempty"`
	Title    string           `json:"title,omitempty"`
	Reason   string           `json:"reason,omitempty"`
	Comment  string           `json:"comment,omitempty"`
}

func runOf(s *durable.State) run {
	r := run{
		ID: s.Run, Request: s.Request, Meta: s.Meta, Stage: s.Stage, Outcome: string(s.Outcome), Answer: s.Answer, Reason: s.Reason,
		Answers: s.Answers, Due: s.Due, Tries: s.Tries, Agent: s.Agent, Status: string(s.Status), Steps: s.Steps, Calls: s.Calls, Usage: s.Usage, Cost: s.Cost,
		ForkedFrom: s.ForkedFrom, Began: s.Began, Last: s.Last, Seq: s.Seq,
	}
	if s.Stage == durable.Ready {
		r.Outcome = "" // it goes on: a run whose process was stopped was not cancelled
	}
	for _, q := range s.Waits {
		r.Questions = append(r.Questions, questionOf(&q))
	}
	return r
}

func questionOf(q *people.Question) question {
	shown := q.Shown
	if shown == nil {
		shown = q.Command // it has no secrets
	}
	return question{
		ID: q.ID, Agent: q.Agent, Text: q.Text, Approval: q.Approval, Deadline: q.Deadline, Command: shown,
		Target: q.Target, Title: q.Title, Reason: q.Reason, Comment: q.Comment,
	}
}
