package eino_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/eino"
	"github.com/agentfsm/agentfsm/llm"
)

// fake is a chat model of Eino made of a func. What it generates is all messages that the func returns.
type fake struct {
	answer func(ctx context.Context, input []*schema.Message, opts *model.Options) ([]*schema.Message, error)

	mu      sync.Mutex
	inputs  [][]*schema.Message
	options []*model.Options
}

var _ model.ToolCallingChatModel = (*fake)(nil)

func (f *fake) GetType() string { return "Fake" }

func (f *fake) WithTools([]*schema.ToolInfo) (model.ToolCallingChatModel, error) { return f, nil }

func (f *fake) ask(ctx context.Context, input []*schema.Message, opts []model.Option) ([]*schema.Message, error) {
	options := model.GetCommonOptions(nil, opts...)
	f.mu.Lock()
	f.inputs, f.options = append(f.inputs, input), append(f.options, options)
	f.mu.Unlock()
	return f.answer(ctx, input, options)
}

func (f *fake) Generate(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	pieces, err := f.ask(ctx, input, opts)
	if err != nil || len(pieces) == 0 {
		return nil, err
	}
	return schema.ConcatMessages(pieces)
}

// Stream is not asked.
func (f *fake) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	return nil, errors.New("no stream")
}

// last is what it was asked last.
func (f *fake) last(t *testing.T) ([]*schema.Message, *model.Options) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	require.NotEmpty(t, f.inputs)
	return f.inputs[len(f.inputs)-1], f.options[len(f.options)-1]
}

// says answers with these pieces.
func says(pieces ...*schema.Message) *fake { return fails(nil, pieces...) }

// fails answers with these pieces and then an error.
func fails(err error, pieces ...*schema.Message) *fake {
	return &fake{answer: func(context.Context, []*schema.Message, *model.Options) ([]*schema.Message, error) {
		return pieces, err
	}}
}

// script gives its texts one after another, whoever asks.
func script(texts ...string) *fake {
	var mu sync.Mutex
	return &fake{answer: func(context.Context, []*schema.Message, *model.Options) ([]*schema.Message, error) {
		mu.Lock()
		defer mu.Unlock()
		if len(texts) == 0 {
			return nil, errors.New("the script is at its end")
		}
		next := texts[0]
		texts = texts[1:]
		return []*schema.Message{text(next, "stop")}, nil
	}}
}

// text is a whole reply.
func text(s, finish string) *schema.Message {
	m := piece(s)
	m.ResponseMeta = &schema.ResponseMeta{
		FinishReason: finish,
		Usage:        &schema.TokenUsage{PromptTokens: 7, CompletionTokens: 3, TotalTokens: 10},
	}
	return m
}

// piece is a part of a streamed reply.
func piece(s string) *schema.Message { return schema.AssistantMessage(s, nil) }

// adapt returns a chat model as an llm.Model.
func adapt(t testing.TB, of model.BaseChatModel, opts *eino.ModelOptions) llm.Model {
	t.Helper()
	m, err := eino.Model(of, opts)
	require.NoError(t, err)
	return m
}

func ask(texts ...string) *llm.Request {
	req := &llm.Request{}
	for _, s := range texts {
		req.Messages = append(req.Messages, llm.Text(llm.User, s))
	}
	return req
}
