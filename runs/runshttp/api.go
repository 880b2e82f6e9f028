package runshttp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/agentfsm/agentfsm/durable"
	"github.com/agentfsm/agentfsm/internal/plainjson"
	"github.com/agentfsm/agentfsm/people"
	"github.com/agentfsm/agentfsm/round"
)

// How many runs a page has, and how many bytes, unless its first run has more.
const (
	standardPage = 100
	largestPage  = 1000
	pageBytes    = 1 << 20
)

// checkID refuses what cannot be in a path, and makes an id if there is none.
func checkID(id *string) error {
	switch *id {
	case ".", "..", "/":
		return badRequest("run_id", `the ids ".", ".." and "/" cannot be in a path`)
	case "":
		*id = uuid.NewString()
	}
	return nil
}

func (h *handler) start(w http.ResponseWriter, r *http.Request, a Action) error {
	var body struct {
		ID      string          `json:"id"`
		Request string          `json:"request"`
		Meta    json.RawMessage `json:"meta"`
	}
	if err := read(w, r, &body); err != nil {
		return err
	}
	if err := checkID(&body.ID); err != nil {
		return err
	}
	a.Run = body.ID
	if _, err := h.may(w, r, a); err != nil {
		return err
	}
	state, err := h.svc.Start(r.Context(), body.ID, body.Request, &durable.StartOptions{Meta: body.Meta})
	if err != nil {
		return err
	}
	status := http.StatusOK
	if state.New {
		status = http.StatusCreated
	}
	w.Header().Set("Location", "runs/"+url.PathEscape(body.ID)) // from where the request went, whatever is before it
	return reply(w, status, runOf(&state))
}

// query reads the query of a request, in which these names occur once at most.
func query(r *http.Request, once ...string) (url.Values, error) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badRequest("query", "the query cannot be read")
	}
	for _, name := range once {
		if len(values[name]) > 1 {
			return nil, badRequest("query", "the query has "+name+" more than once")
		}
	}
	return values, nil
}

func (h *handler) list(w http.ResponseWriter, r *http.Request, a Action) error {
	values, err := query(r, "prefix", "asks", "after", "limit")
	if err != nil {
		return err
	}
	a.Prefix = values.Get("prefix")
	if _, err := h.may(w, r, a); err != nil {
		return err
	}
	for name := range values {
		if !slices.Contains([]string{"prefix", "stage", "asks", "after", "limit"}, name) {
			return badRequest("query", "there is no parameter "+strconv.Quote(name))
		}
	}
	q := durable.Query{Prefix: a.Prefix, After: values.Get("after")}
	if values.Has("asks") {
		if q.Asks, err = strconv.ParseBool(values.Get("asks")); err != nil {
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
	if values.Has("limit") {
		if limit, err = strconv.Atoi(values.Get("limit")); err != nil || limit < 1 {
			return badRequest("limit", "limit is no number above 0")
		}
		limit = min(limit, largestPage)
	}
	// One run after the other, into memory: while a client reads, the store waits for nobody.
	var page struct {
		Runs []json.RawMessage `json:"runs"`
		Next string            `json:"next,omitempty"` // the after of the next page
	}
	page.Runs = []json.RawMessage{}
	size, last := 0, ""
	for state, err := range h.svc.List(r.Context(), q) { //nolint:contextcheck // it is that of the request
		if err != nil && state.Run == "" {
			return err
		}
		one := runOf(&state)
		if err != nil {
			h.config.Logger.WarnContext(r.Context(), "a run cannot be read", "agentfsm.run.id", state.Run, "error", err)
			one.Unreadable = "the journal of this run cannot be read"
		}
		text, err := plainjson.Encode(one)
		if err != nil {
			return err
		}
		if size += len(text); len(page.Runs) == limit || len(page.Runs) > 0 && size > pageBytes {
			page.Next = last
			break
		}
		page.Runs, last = append(page.Runs, text), state.Run
	}
	return reply(w, http.StatusOK, page)
}

func (h *handler) get(w http.ResponseWriter, r *http.Request, a Action) error {
	if _, err := h.may(w, r, a); err != nil {
		return err
	}
	state, err := h.svc.Get(r.Context(), a.Run)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, runOf(&state))
}

func (h *handler) answer(w http.ResponseWriter, r *http.Request, a Action) error {
	by, err := h.may(w, r, a)
	if err != nil {
		return err
	}
	if r.PathValue("question") == "" {
		return badRequest("question", "the path names no question")
	}
	var body struct {
		Text     *string `json:"text"`
		Approved *bool   `json:"approved"`
	}
	if err := read(w, r, &body); err != nil {
		return err
	}
	answer := people.Answer{By: by}
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
	return reply(w, http.StatusOK, map[string]bool{"given": given})
}

func (h *handler) cancel(w http.ResponseWriter, r *http.Request, a Action) error {
	if _, err := h.may(w, r, a); err != nil {
		return err
	}
	var body struct {
		Reason string `json:"reason"`
	}
	if err := read(w, r, &body); err != nil {
		return err
	}
	cancelled, err := h.svc.Cancel(r.Context(), a.Run, body.Reason)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, map[string]bool{"cancelled": cancelled})
}

func (h *handler) retry(w http.ResponseWriter, r *http.Request, a Action) error {
	var body struct {
		MaxSteps       *int     `json:"max_steps"`
		MaxCalls       *int     `json:"max_calls"`
		MaxTransitions *int     `json:"max_transitions"`
		MaxTokens      *int     `json:"max_tokens"`
		MaxCost        *float64 `json:"max_cost"`
	}
	if err := read(w, r, &body); err != nil {
		return err
	}
	wants, most := round.Options{}, h.config.Bounds
	bounds := []error{
		set(&wants.MaxSteps, body.MaxSteps, most.MaxSteps),
		set(&wants.MaxCalls, body.MaxCalls, most.MaxCalls),
		set(&wants.MaxTransitions, body.MaxTransitions, most.MaxTransitions),
		set(&wants.MaxTokens, body.MaxTokens, most.MaxTokens),
		set(&wants.MaxCost, body.MaxCost, most.MaxCost),
	}
	var adjust func(*round.Options)
	if w := wants; w.MaxSteps != 0 || w.MaxCalls != 0 || w.MaxTransitions != 0 || w.MaxTokens != 0 || w.MaxCost != 0 {
		a.Bounds = &wants
		adjust = func(o *round.Options) {
			o.MaxSteps, o.MaxCalls = cmp.Or(w.MaxSteps, o.MaxSteps), cmp.Or(w.MaxCalls, o.MaxCalls)
			o.MaxTransitions, o.MaxTokens = cmp.Or(w.MaxTransitions, o.MaxTransitions), cmp.Or(w.MaxTokens, o.MaxTokens)
			o.MaxCost = cmp.Or(w.MaxCost, o.MaxCost)
		}
	}
	if _, err := h.may(w, r, a); err != nil { // who may not retry learns no ceiling
		return err
	}
	if err := errors.Join(bounds...); err != nil {
		return err
	}
	state, err := h.svc.Retry(r.Context(), a.Run, adjust)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, runOf(&state))
}

// set sets a bound as a client wants it. A bound of 0 or less would mean that there is another one, or none.
func set[T int | float64](to, wants *T, most T) error {
	if wants == nil {
		return nil
	}
	*to = *wants
	switch {
	case *wants <= 0:
		return badRequest("bounds", "a bound has to be above 0")
	case most == 0:
		return &problem{status: http.StatusForbidden, code: "bounds", detail: "clients cannot change this bound"}
	case most > 0 && *wants > most:
		return &problem{status: http.StatusForbidden, code: "bounds", detail: fmt.Sprintf("%v is above the highest bound, which is %v", *wants, most)}
	}
	return nil
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
	if err := read(w, r, &body); err != nil {
		return err
	}
	if err := checkID(&body.ID); err != nil {
		return err
	}
	needs := []Action{a, {Name: "get", Run: a.Run}, {Name: "start", Run: body.ID}}
	if body.Reply != "" {
		needs = append(needs, Action{Name: "rewrite", Run: a.Run}, Action{Name: "rewrite", Run: body.ID})
	}
	answer := people.Answer{Text: body.Answer.Text, Approved: body.Answer.Approved}
	if body.Question != "" {
		needs = append(needs, Action{Name: "answer", Run: a.Run}, Action{Name: "answer", Run: body.ID})
	}
	by, err := h.may(w, r, needs...)
	if err != nil {
		return err
	}
	if body.Question != "" {
		answer.By = by
	}
	err = h.svc.Fork(r.Context(), a.Run, body.ID, durable.Change{
		Seq: body.Seq, Reply: body.Reply, Question: body.Question, Answer: answer,
	})
	if err != nil {
		return err
	}
	state, err := h.svc.Get(r.Context(), body.ID)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "../"+url.PathEscape(body.ID))
	return reply(w, http.StatusCreated, runOf(&state))
}

func (h *handler) delete(w http.ResponseWriter, r *http.Request, a Action) error {
	if _, err := h.may(w, r, a); err != nil {
		return err
	}
	if err := h.svc.Delete(r.Context(), a.Run); err != nil {
		return err
	}
	send(w, http.StatusNoContent, "", nil)
	return nil
}
