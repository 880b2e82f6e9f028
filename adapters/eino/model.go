package eino

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/llm"
)

// ModelOptions configure [Model]. Nil and the zero value mean the defaults.
type ModelOptions struct {
	// Name is the model to ask for. "": the one that the chat model was made for;
	// responses and errors then carry the name of its type.
	Name string
	// Schema turns the schema of a reply into options of the provider's package:
	// Eino has none that all of them know. Nil: the schema is written into the
	// system message.
	Schema func(*llm.Schema) []model.Option
	// Options are passed with every request, before those that the request makes.
	Options []model.Option
}

// Model returns a chat model of Eino as an [llm.Model]; a ToolCallingChatModel
// is one. It is safe for concurrent use if the chat model is. A nil chat model is
// [llm.ErrNoModel].
//
// Its errors are those of the context, when that is done, and else an
// *[llm.CallError]. The chat model gets messages of its own, which it may change.
func Model(of model.BaseChatModel, opts *ModelOptions) (llm.Model, error) {
	if nilcheck.IsNil(of) {
		return nil, fmt.Errorf("eino: %w", llm.ErrNoModel)
	}
	m := &chatModel{of: of}
	if opts != nil {
		m.options = *opts
	}
	if m.name = m.options.Name; m.name == "" {
		m.name, _ = components.GetType(of)
	}
	return m, nil
}

type chatModel struct {
	of      model.BaseChatModel
	name    string // for errors and responses; may be empty
	options ModelOptions
	forms   adapters.Forms
}

// Complete asks the chat model once, and once more if its provider refuses that it must call a tool.
func (m *chatModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	if err := adapters.Refuse(ctx, "eino", m.name, req); err != nil {
		return nil, err
	}
	return m.forms.CompleteForeign(req, func(req *llm.Request, auto bool) (*llm.Response, error) { return m.ask(ctx, req, auto) })
}

// ask asks the chat model once.
func (m *chatModel) ask(ctx context.Context, req *llm.Request, auto bool) (*llm.Response, error) {
	messages, err := m.messages(req)
	if err != nil {
		return nil, err
	}
	of, opts, err := m.tooled(req, auto)
	if err != nil {
		return nil, err
	}
	reply, err := of.Generate(ctx, messages, opts...)
	resp := m.response(reply)
	switch {
	case ctx.Err() != nil:
		return adapters.Spent(resp), adapters.Ended(ctx, "eino")
	case err != nil:
		return adapters.Spent(resp), m.failed(err)
	case reply == nil:
		return nil, &llm.CallError{Kind: llm.ErrEmpty, Model: m.name}
	}
	calls(reply, req, resp)
	return resp, nil
}

// failed says what kind of error the chat model returned.
func (m *chatModel) failed(err error) error {
	return adapters.Foreign(m.name, err, nil, "HTTPStatusCode", "StatusCode", "Code")
}
