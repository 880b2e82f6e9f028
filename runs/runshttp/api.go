package runshttp

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// How many runs a page has.
const (
	standardPage = 100
	largestPage  = 1000
)

// reply writes a value as JSON.
func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // a client that is gone
}

// checkID refuses what cannot be in a path.
func checkID(id string) error {
	if id == "." || id == ".." || id == "/" {
		return badRequest("run_id", `the ids ".", ".." and "/" cannot be in a path`)
	}
	return nil
}

// read reads a body. An empty one is that of an object without members.
func read(r *http.Request, v any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if errors.Is(err, io.EOF) {
		return nil
	}
	// A browser asks before it sends this type to another origin.
	if kind, _, bad := mime.ParseMediaType(r.Header.Get("Content-Type")); bad != nil || kind != "application/json" {
		return &problem{status: http.StatusUnsupportedMediaType, code: "media_type", detail: "the body has to be application/json"}
	}
	if err == nil {
		if _, end := d.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("there is something behind the object")
		}
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); err == nil || large {
		return err
	}
	return badRequest("body", "the body cannot be read: "+err.Error())
}

func (h *handler) start(w http.ResponseWriter, r *http.Request, a Action) error {
	var body struct {
		ID      string          `json:"id"`
		Request string          `json:"request"`
		Meta    json.RawMessage `json:"meta"`
	}
	if err := read(r, &body); err != nil {
		return err
	}
	if err := checkID(body.ID); err != nil {
		return err
	}
	a.Run = body.ID
	if err := h.may(w, r, a); err != nil {
		return err
	}
	if body.ID == "" {
		body.ID = uuid.NewString()
	}
	_, err := h.svc.Get(r.Context(), body.ID)
	isNew := errors.Is(err, durable.ErrNoRun)
	state, err := h.svc.Start(r.Context(), body.ID, body.Request, &durable.StartOptions{Meta: body.Meta})
	if err != nil {
		return err
	}
	status := http.StatusOK
	if isNew {
		status = http.StatusCreated
	}
	w.Header().Set("Location", "runs/"+url.PathEscape(body.ID)) // from where the request went, whatever is before it
	reply(w, status, runOf(&state))
	return nil
}

func (h *handler) list(w http.ResponseWriter, r *http.Request, a Action) error {
	values := r.URL.Query()
	a.Prefix = values.Get("prefix")
	if err := h.may(w, r, a); err != nil {
		return err
	}
	for name := range values {
		if !slices.Contains([]string{"prefix", "stage", "asks", "after", "limit"}, name) {
			return badRequest("query", "there is no parameter "+strconv.Quote(name))
		}
	}
	q := durable.Query{Prefix: a.Prefix, After: values.Get("after")}
	if text := values.Get("asks"); text != "" {
		var err error
		if q.Asks, err = strconv.ParseBool(text); err != nil {
			return badRequest("asks", "asks is neither true nor false")
		}
	}
	for _, stage := range values["stage"] {
		switch s := durable.Stage(stage); s {
		case durable.Ready, durable.Waiting, durable.Aside, durable.Ended:
			q.Stages = append(q.Stages, s)
		default:
			return badRequest("stage", "there is no stage "+strconv.Quote(stage))
		}
	}
	limit := standardPage
	if text := values.Get("limit"); text != "" {
		var err error
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 {
			return badRequest("limit", "limit is no number above 0")
		}
		limit = min(limit, largestPage)
	}
	page := struct {
		Runs []run  `json:"runs"`
		Next string `json:"next,omitempty"` // the after of the next page; none: this is the last one
	}{Runs: []run{}}
	for state, err := range h.svc.List(r.Context(), q) { //nolint:contextcheck // it is that of the request
		if err != nil && state.Run == "" {
			return err
		}
		if len(page.Runs) == limit {
			page.Next = page.Runs[limit-1].ID
			break
		}
		one := runOf(&state)
		if err != nil {
			h.config.Logger.WarnContext(r.Context(), "a run cannot be read", "agentfsm.run.id", state.Run, "error", err)
			one.Unreadable = "the journal of this run cannot be read"
		}
		page.Runs = append(page.Runs, one)
	}
	reply(w, http.StatusOK, page)
	return nil
}

func (h *handler) get(w http.ResponseWriter, r *http.Request, a Action) error {
	if err := h.may(w, r, a); err != nil {
		return err
	}
	state, err := h.svc.Get(r.Context(), a.Run)
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, runOf(&state))
	return nil
}

func (h *handler) answer(w http.ResponseWriter, r *http.Request, a Action) error {
	if err := h.may(w, r, a); err != nil {
		return err
	}
	if r.PathValue("question") == "" {
		return badRequest("question", "the path names no question")
	}
	var body struct {
		Text     *string `json:"text"`
		Approved *bool   `json:"approved"`
	}
	if err := read(r, &body); err != nil {
		return err
	}
	var answer people.Answer
	switch {
	case body.Text == nil && body.Approved == nil:
		return badRequest("answer", "the answer has neither text nor approved")
	case body.Text != nil:
		answer.Text = *body.Text
	}
	answer.Approved = body.Approved != nil && *body.Approved
	given, err := h.svc.Answer(r.Context(), a.Run, r.PathValue("question"), answer)
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, map[string]bool{"given": given})
	return nil
}

func (h *handler) cancel(w http.ResponseWriter, r *http.Request, a Action) error {
	if err := h.may(w, r, a); err != nil {
		return err
	}
	var body struct {
		Reason string `json:"reason"`
	}
	if err := read(r, &body); err != nil {
		return err
	}
	cancelled, err := h.svc.Cancel(r.Context(), a.Run, body.Reason)
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, map[string]bool{"cancelled": cancelled})
	return nil
}

func (h *handler) retry(w http.ResponseWriter, r *http.Request, a Action) error {
	if err := h.may(w, r, a); err != nil {
		return err
	}
	var body struct {
		MaxSteps       *int     `json:"max_steps"`
		MaxCalls       *int     `json:"max_calls"`
		MaxTransitions *int     `json:"max_transitions"`
		MaxTokens      *int     `json:"max_tokens"`
		MaxCost        *float64 `json:"max_cost"`
	}
	if err := read(r, &body); err != nil {
		return err
	}
	var adjust func(*round.Options)
	if body.MaxSteps != nil || body.MaxCalls != nil || body.MaxTransitions != nil || body.MaxTokens != nil || body.MaxCost != nil {
		adjust = func(o *round.Options) {
			set(&o.MaxSteps, body.MaxSteps)
			set(&o.MaxCalls, body.MaxCalls)
			set(&o.MaxTransitions, body.MaxTransitions)
			set(&o.MaxTokens, body.MaxTokens)
			set(&o.MaxCost, body.MaxCost)
		}
	}
	state, err := h.svc.Retry(r.Context(), a.Run, adjust)
	if err != nil {
		return err
	}
	reply(w, http.StatusOK, runOf(&state))
	return nil
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

func (h *handler) fork(w http.ResponseWriter, r *http.Request, a Action) error {
	var body struct {
		ID       string `json:"id"`
		Seq      int64  `json:"seq"`
		Reply    string `json:"reply"`
		Question string `json:"question"`
		Answer   struct {
			Text     string `json:"text"`
			Approved bool   `json:"approved"`
		} `json:"answer"`
	}
	if err := read(r, &body); err != nil {
		return err
	}
	if err := checkID(body.ID); err != nil {
		return err
	}
	if body.ID == "" {
		body.ID = uuid.NewString()
	}
	a.As = body.ID
	if err := h.may(w, r, a); err != nil {
		return err
	}
	err := h.svc.Fork(r.Context(), a.Run, body.ID, durable.Change{
		Seq: body.Seq, Reply: body.Reply, Question: body.Question,
		Answer: people.Answer{Text: body.Answer.Text, Approved: body.Answer.Approved},
	})
	if err != nil {
		return err
	}
	state, err := h.svc.Get(r.Context(), body.ID)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "../"+url.PathEscape(body.ID))
	reply(w, http.StatusCreated, runOf(&state))
	return nil
}

func (h *handler) delete(w http.ResponseWriter, r *http.Request, a Action) error {
	if err := h.may(w, r, a); err != nil {
		return err
	}
	if err := h.svc.Delete(r.Context(), a.Run); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
