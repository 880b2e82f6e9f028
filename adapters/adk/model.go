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
	// Name is the model to ask for. "": the one that the LLM was made for.
	Name string
	// Stream asks for the reply in pieces, which are put together. A caller that
	// gives up is then noticed between two of them, also by an LLM that does not
	// look at its context.
	Stream bool
	// SchemaInPrompt writes the schema of a reply into the system instruction, for
	// models that know no response schema or refuse this one.
	SchemaInPrompt bool
	// Config is what every request starts with, such as safety settings or a budget
	// for thinking. It is copied. What a request says itself (system instruction,
	// schema, tokens, temperature) takes its place.
	Config *genai.GenerateContentConfig
	// Classify says what an error of the LLM means, before this package looks at it.
	// It may leave Model and Err empty. Nil, or a nil result: as the package
	// comment says.
	Classify func(err error) *llm.CallError
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
	m := &chatModel{llm: of}
	if opts != nil {
		m.options = *opts
		m.options.Config = cloneConfig(opts.Config)
	}
	if m.name = m.options.Name; m.name == "" {
		m.name = of.Name()
	}
	return m, nil
}

type chatModel struct {
	llm     model.LLM
	name    string // for errors and responses that have none
	options ModelOptions
	forced  adapters.ForcedCall
}

// Complete asks the LLM once, and once more where its provider refuses that it must call a tool.
func (m *chatModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	return m.forced.Ask(req, func(auto bool) (*llm.Response, error) { return m.ask(ctx, req, auto) })
}

// ask asks the LLM once.
func (m *chatModel) ask(ctx context.Context, req *llm.Request, auto bool) (*llm.Response, error) {
	if ctx.Err() != nil {
		return nil, adapters.Ended(ctx, "adk")
	}
	theirs, err := m.request(req, auto)
	if err != nil {
		return nil, err
	}
	replies := m.llm.GenerateContent(ctx, theirs, m.options.Stream)
	if replies == nil {
		return nil, &llm.CallError{Kind: llm.ErrEmpty, Model: m.name}
	}
	// Left early, the loop tells the LLM to stop, which returns before the loop
	// does: no goroutine is left behind.
	var r reply
	for resp, err := range replies {
		if err != nil {
			return r.spent(m.name), m.failed(ctx, err)
		}
		r.add(resp)
		if ctx.Err() != nil {
			break
		}
	}
	if ctx.Err() != nil { // what came may be a part of a reply
		return r.spent(m.name), adapters.Ended(ctx, "adk")
	}
	return r.response(m.name, req)
}
