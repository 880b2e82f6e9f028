package adk

import (
	"context"
	"fmt"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/llm"
)

// ModelOptions configure [Model]. Nil and the zero value mean the defaults.
type ModelOptions struct {
	// SchemaInPrompt writes the schema of a reply into the system instruction, for
	// models that know no response schema or refuse this one.
	SchemaInPrompt bool
	// Config is what every request starts with, such as safety settings or a budget
	// for thinking. It is copied. What a request says itself (system instruction,
	// schema, tokens, temperature) takes its place.
	Config *genai.GenerateContentConfig
}

// Model returns an ADK model as an [llm.Model]. It is safe for concurrent use
// if the LLM is, as those of the ADK are. A nil LLM is [llm.ErrNoModel].
//
// Its errors are those of the context, when that is done, and else an
// *[llm.CallError]. The LLM gets a request of its own, which it may change.
func Model(of model.LLM, opts *ModelOptions) (llm.Model, error) {
	if nilcheck.IsNil(of) {
		return nil, fmt.Errorf("adk: %w", llm.ErrNoModel)
	}
	m := &chatModel{llm: of, name: of.Name()}
	if opts != nil {
		m.options = *opts
	}
	m.options.Config = cloneConfig(m.options.Config)
	return m, nil
}

type chatModel struct {
	llm     model.LLM
	name    string // for errors and responses that have none
	options ModelOptions
	forms   adapters.Forms
}

// Complete asks the LLM once, and once more if its provider refuses that it must call a tool.
func (m *chatModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if err := adapters.Refuse(ctx, "adk", m.name, req); err != nil {
		return nil, err
	}
	return m.forms.CompleteForeign(req, func(req *llm.Request, auto bool) (*llm.Response, error) { return m.ask(ctx, req, auto) })
}

// ask asks the LLM once.
func (m *chatModel) ask(ctx context.Context, req *llm.Request, auto bool) (*llm.Response, error) {
	theirs, err := m.request(req, auto)
	if err != nil {
		return nil, err
	}
	r := reply{Response: llm.Response{Model: m.name}}
	replies := m.llm.GenerateContent(ctx, theirs, false)
	if replies == nil {
		return r.response(req)
	}
	// Left early, the loop tells the LLM to stop, which returns before the loop
	// does: no goroutine is left behind.
	for resp, err := range replies {
		switch {
		case ctx.Err() == nil && err != nil:
			return adapters.Spent(&r.Response), adapters.Foreign(m.name, err, apiError, "StatusCode", "HTTPStatusCode")
		case err == nil:
			r.add(resp)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if ctx.Err() != nil { // what came may be a part of a reply
		return adapters.Spent(&r.Response), adapters.Ended(ctx, "adk")
	}
	return r.response(req)
}
