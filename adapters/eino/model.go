package eino

import (
	"context"
	"fmt"
	"io"

	"github.com/cloudwego/eino/components"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/nilcheck"
	"github.com/agentfsm/agentfsm/llm"
)

// ModelOptions configure [Model]. Nil and the zero value mean the defaults.
type ModelOptions struct {
	// Name is the model to ask for. "": the one that the chat model was made for;
	// responses and errors then carry the name of its type.
	Name string
	// Stream asks for the reply in pieces, which are put together. A caller that
	// gives up is then noticed between two of them.
	Stream bool
	// Schema turns the schema of a reply into options of the provider's package:
	// Eino has none that all of them know. Nil: the schema is written into the
	// system message.
	Schema func(*llm.Schema) []model.Option
	// Options are passed with every request, before those that the request makes.
	Options []model.Option
	// Classify says what an error of the chat model means, before this package
	// looks at it. It may leave Model and Err empty. Nil, or a nil result: as the
	// package comment says.
	Classify func(err error) *llm.CallError
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
	forced  adapters.ForcedCall
}

// Complete asks the chat model once, and once more where its provider refuses that it must call a tool.
func (m *chatModel) Complete(ctx context.Context, req *llm.Request) (*llm.Response, error) {
	return m.forced.Ask(req, func(auto bool) (*llm.Response, error) { return m.ask(ctx, req, auto) })
}

// ask asks the chat model once.
func (m *chatModel) ask(ctx context.Context, req *llm.Request, auto bool) (*llm.Response, error) {
	if ctx.Err() != nil {
		return nil, adapters.Ended(ctx, "eino")
	}
	messages, err := m.messages(req)
	if err != nil {
		return nil, err
	}
	of, opts, err := m.tooled(req, adapters.NamesOf(req), auto)
	if err != nil {
		return nil, err
	}
	var reply *schema.Message
	if m.options.Stream {
		reply, err = stream(ctx, of, messages, opts)
	} else {
		reply, err = of.Generate(ctx, messages, opts...)
	}
	switch {
	case ctx.Err() != nil: // what came may be a part of a reply
		return adapters.Spent(m.response(reply)), adapters.Ended(ctx, "eino")
	case err != nil:
		return adapters.Spent(m.response(reply)), m.failed(err)
	case reply == nil:
		return nil, &llm.CallError{Kind: llm.ErrEmpty, Model: m.name}
	}
	resp := m.response(reply)
	calls(reply, req, resp)
	return resp, nil
}

// failed says what kind of error the chat model returned.
func (m *chatModel) failed(err error) error {
	return adapters.Foreign(m.name, err, []string{"HTTPStatusCode", "StatusCode", "Code"}, m.options.Classify)
}

// stream puts the pieces of a reply together. With an error it returns those that
// came before it, if they fit together.
func stream(ctx context.Context, of model.BaseChatModel, messages []*schema.Message, opts []model.Option) (*schema.Message, error) {
	pieces, err := of.Stream(ctx, messages, opts...)
	if err != nil || pieces == nil {
		return nil, err
	}
	defer pieces.Close() // left early, it tells the model to stop
	var got []*schema.Message
	for ctx.Err() == nil {
		piece, err := pieces.Recv()
		switch {
		case err == io.EOF: //nolint:errorlint // the end is that very value; what wraps it is a connection that broke
			return concat(got)
		case err != nil:
			reply, _ := concat(got)
			return reply, err
		case piece != nil:
			got = append(got, piece)
		}
	}
	return concat(got)
}

func concat(pieces []*schema.Message) (*schema.Message, error) {
	if len(pieces) == 0 {
		return nil, nil
	}
	return schema.ConcatMessages(pieces)
}
