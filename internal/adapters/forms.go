package adapters

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"

	"github.com/agentfsm/agentfsm/internal/repair"
	"github.com/agentfsm/agentfsm/llm"
)

// Form is how a request says what the reply must look like.
type Form int

// The forms, from what binds most.
const (
	FormStrict Form = iota // the server holds the model to the schema
	FormLoose              // the model is shown the schema as a format
	FormPrompt             // the schema is a text of the prompt
)

// How is the way in which a request is sent. Its zero value forgoes nothing.
type How struct {
	Form     Form // of the schema
	Open     bool // the tools have their open forms
	Auto     bool // the model may also call nothing
	Uncached bool // the provider is not told what to cache
}

func (h How) plus(more How) How {
	return How{max(h.Form, more.Form), h.Open || more.Open, h.Auto || more.Auto, h.Uncached || more.Uncached}
}

// forgoing is what a request goes without after a refusal.
func (h How) forgoing(refusal Refusal, req *llm.Request) (more How) {
	switch refusal {
	case CacheRefused:
		more.Uncached = true
	case ChoiceRefused:
		more.Auto = true
	case SchemaRefused, ReplyRefused, FormatRefused:
		switch {
		case len(req.Tools) > 0:
			more.Open = closedTools(req) != nil
		case req.Schema != nil:
			more.Form = min(h.Form+1, FormPrompt)
		}
	case NotRefused, ToolsRefused:
	}
	return more
}

// Forms remembers what a model does not take. Its zero value has seen nothing refused.
type Forms struct {
	mu      sync.Mutex
	forgone How                       // by all requests
	schemas map[[sha256.Size]byte]How // by requests with these schemas
}

// maxSchemas bounds how many schemas are remembered that a server refuses. An agent has a few.
const maxSchemas = 100

// Complete sends a request, at first in the way how, and again without what the server refuses of it. A refusal is
// remembered when a later form is answered: only then it is known that the form was what was wrong. The Repairs of the
// response say what the request went without that was wanted.
func (f *Forms) Complete(req *llm.Request, wanted, how How, send func(How) (*llm.Response, Refusal, error)) (*llm.Response, error) {
	how = f.known(req, how)
	remember := func() {}
	for {
		resp, refusal, err := send(how)
		more := how.forgoing(refusal, req)
		if next := how.plus(more); next != how {
			before := remember
			remember = func() { before(); f.remember(req, refusal, more) }
			how = next
			continue
		}
		if err == nil || errors.Is(err, llm.ErrRefused) {
			remember()
		}
		if err == nil {
			note(resp, req, wanted, how)
		}
		return resp, saysTools(err, refusal, req)
	}
}

func note(resp *llm.Response, req *llm.Request, wanted, how How) {
	var kinds []string
	if how.Uncached && !wanted.Uncached && marked(req) {
		kinds = append(kinds, repair.NoCache)
	}
	switch {
	case req.Schema == nil || len(req.Tools) > 0 || how.Form == wanted.Form:
	case how.Form == FormLoose:
		kinds = append(kinds, repair.NotStrict)
	default:
		kinds = append(kinds, repair.InPrompt)
	}
	if how.Open && !wanted.Open && closedTools(req) != nil {
		kinds = append(kinds, repair.NotStrict)
	}
	if how.Auto && len(req.Tools) > 0 {
		kinds = append(kinds, repair.NotForced)
	}
	for _, kind := range kinds {
		resp.Repairs = append(resp.Repairs, llm.Repair{Kind: kind, Count: 1})
	}
}

func (f *Forms) known(req *llm.Request, how How) How {
	f.mu.Lock()
	defer f.mu.Unlock()
	return how.plus(f.forgone).plus(f.schemas[keyOf(req)])
}

func (f *Forms) remember(req *llm.Request, refusal Refusal, more How) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := keyOf(req)
	switch {
	case refusal == ReplyRefused: // the next reply may be better
	case refusal != SchemaRefused:
		f.forgone = f.forgone.plus(more)
	case key != [sha256.Size]byte{}: // it comes again in the next step
		if f.schemas == nil || len(f.schemas) >= maxSchemas {
			f.schemas = map[[sha256.Size]byte]How{}
		}
		f.schemas[key] = f.schemas[key].plus(more)
	}
}

// keyOf identifies the closed schemas of a request. It is zero if there are none.
func keyOf(req *llm.Request) (key [sha256.Size]byte) {
	switch closed := closedTools(req); {
	case closed != nil:
		return sha256.Sum256(closed)
	case len(req.Tools) == 0 && req.Schema != nil && req.Schema.Strict:
		return sha256.Sum256(req.Schema.JSON)
	}
	return key
}

// closedTools are the closed forms of the tools, nil if there are none.
func closedTools(req *llm.Request) (all []byte) {
	for i := range req.Tools {
		all = append(all, req.Tools[i].Strict...)
	}
	return all
}

// marked reports whether a request says what to cache.
func marked(req *llm.Request) bool {
	return slices.ContainsFunc(req.Messages, func(m llm.Message) bool {
		return slices.ContainsFunc(m.Parts, func(p llm.Part) bool { return p.CacheBreakpoint })
	})
}

// saysTools returns an error that says that the tools were refused.
func saysTools(err error, refusal Refusal, req *llm.Request) error {
	call, ok := errors.AsType[*llm.CallError](err)
	if !ok || refusal == NotRefused || refusal == CacheRefused || len(req.Tools) == 0 {
		return err
	}
	said := *call
	said.Message = "the server or its model does not take these tools"
	if call.Message != "" {
		said.Message += ": " + call.Message
	}
	return &said
}

// foreignFailure is what an error of another library says of the tools of a request. The words are those of the
// server; of most the status is known.
func foreignFailure(err error) *Failure {
	call, ok := errors.AsType[*llm.CallError](err)
	if !ok {
		return &Failure{}
	}
	f := &Failure{Status: call.Status, Message: call.Message}
	if call.Err != nil {
		f.Message += " " + call.Err.Error()
	}
	if call.Kind == nil { // nobody knows
		f.Status = cmp.Or(f.Status, 400)
	}
	return f
}

// CompleteForeign asks a model behind another library, which must call one of the tools of the request. If its server
// refuses that, it asks a model that may also call nothing (auto), and remembers it.
func (f *Forms) CompleteForeign(req *llm.Request, ask func(req *llm.Request, auto bool) (*llm.Response, error)) (*llm.Response, error) {
	sent := named(req)
	wanted := How{Form: FormPrompt, Open: true, Uncached: true} // the library decides that
	resp, err := f.Complete(sent, wanted, wanted, func(how How) (*llm.Response, Refusal, error) {
		resp, err := ask(sent, how.Auto)
		failure := foreignFailure(err)
		if len(req.Tools) == 0 {
			return resp, NotRefused, err
		}
		if failure.Malformed() {
			return failure.Reply("", ""), aboutTools(failure), nil
		}
		return resp, aboutTools(failure), err
	})
	return unnamed(resp, req), err
}
