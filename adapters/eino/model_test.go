package eino_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/agentfsm/agentfsm/adapters/eino"
	"github.com/agentfsm/agentfsm/llm"
)

func TestNoModel(t *testing.T) {
	for _, of := range []model.BaseChatModel{nil, (*fake)(nil)} {
		_, err := eino.Model(of, nil)
		assert.ErrorIs(t, err, llm.ErrNoModel)
	}
}

func TestRequest(t *testing.T) {
	picture := llm.Part{Image: &llm.Image{MediaType: "image/png", Data: []byte("png")}}
	req := &llm.Request{
		Messages: []llm.Message{
			llm.Text(llm.System, "be brief"),
			{Role: llm.User, Parts: []llm.Part{{Text: "what\n"}, {Text: "is this?"}}},
			{Role: llm.User, Parts: []llm.Part{{Text: "look:"}, picture}},
			llm.Text(llm.Assistant, "a cat"),
			{Role: llm.Assistant, Parts: []llm.Part{{Text: "so:"}, picture}},
			{Role: llm.User, Parts: []llm.Part{{}}},
		},
		Schema:      &llm.Schema{Name: "reply", Description: "an animal", JSON: json.RawMessage(`{"type":"object"}`)},
		MaxTokens:   99,
		Temperature: new(0.5),
	}
	f := says(text("yes", "stop"))
	_, err := adapt(t, f, &eino.ModelOptions{Name: "big", Options: []model.Option{model.WithTopP(0.25), model.WithMaxTokens(7)}}).Complete(t.Context(), req)
	require.NoError(t, err)

	input, options := f.last(t)
	require.Len(t, input, 5)
	assert.Equal(t, schema.System, input[0].Role)
	assert.Regexp(t, `(?s)^be brief\n\n.*an animal.*\{"type":"object"\}`, input[0].Content)
	assert.Equal(t, schema.UserMessage("what\nis this?"), input[1])
	common := schema.MessagePartCommon{MIMEType: "image/png", Base64Data: new("cG5n")}
	assert.Equal(t, &schema.Message{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{
		{Type: schema.ChatMessagePartTypeText, Text: "look:"},
		{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: common}},
	}}, input[2])
	assert.Equal(t, piece("a cat"), input[3])
	assert.Equal(t, &schema.Message{Role: schema.Assistant, AssistantGenMultiContent: []schema.MessageOutputPart{
		{Type: schema.ChatMessagePartTypeText, Text: "so:"},
		{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageOutputImage{MessagePartCommon: common}},
	}}, input[4])
	assert.Equal(t, &model.Options{
		Model: new("big"), MaxTokens: new(99), Temperature: new(float32(0.5)), TopP: new(float32(0.25)),
	}, options)
	assert.Zero(t, f.streams)
}

func TestSchema(t *testing.T) {
	req := ask("hello")
	req.Schema = &llm.Schema{Name: "reply", JSON: json.RawMessage(`{"type":"object"}`)}
	f := says(text("{}", "stop"))
	_, err := adapt(t, f, nil).Complete(t.Context(), req)
	require.NoError(t, err)
	input, _ := f.last(t)
	require.Len(t, input, 2)
	assert.Equal(t, schema.System, input[0].Role)
	assert.Contains(t, input[0].Content, `{"type":"object"}`)
	assert.Equal(t, schema.UserMessage("hello"), input[1])

	_, err = adapt(t, f, &eino.ModelOptions{Schema: func(s *llm.Schema) []model.Option {
		return []model.Option{model.WithStop([]string{s.Name})}
	}}).Complete(t.Context(), req)
	require.NoError(t, err)
	input, options := f.last(t)
	assert.Equal(t, []*schema.Message{schema.UserMessage("hello")}, input)
	assert.Equal(t, []string{"reply"}, options.Stop)
}

func TestRejectedHere(t *testing.T) {
	f := says(text("never", "stop"))
	picture := []llm.Part{{Image: &llm.Image{MediaType: "image/png", Data: []byte("png")}}}
	for name, req := range map[string]*llm.Request{
		"nil":               nil,
		"empty":             {},
		"unknown role":      {Messages: []llm.Message{llm.Text("function", "x")}},
		"picture to system": {Messages: []llm.Message{{Role: llm.System, Parts: picture}}},
	} {
		_, err := adapt(t, f, nil).Complete(t.Context(), req)
		assert.ErrorIs(t, err, llm.ErrRejected, name)
	}
	assert.Empty(t, f.inputs)
}

func TestReply(t *testing.T) {
	thinking := piece("yes")
	thinking.ReasoningContent = "hm"
	thinking.ResponseMeta = &schema.ResponseMeta{Usage: &schema.TokenUsage{PromptTokens: 10, CompletionTokens: 4, TotalTokens: 20, CompletionTokensDetails: schema.CompletionTokensDetails{ReasoningTokens: 6}}}
	cached := piece("yes")
	cached.ResponseMeta = &schema.ResponseMeta{Usage: &schema.TokenUsage{
		PromptTokens: 2006, CompletionTokens: 4, TotalTokens: 2010,
		PromptTokenDetails: schema.PromptTokenDetails{CachedTokens: 1920, CacheWriteTokens: 50},
	}}
	parts := piece("")
	parts.AssistantGenMultiContent = []schema.MessageOutputPart{
		{Type: schema.ChatMessagePartTypeReasoning, Text: "hm"},
		{Type: schema.ChatMessagePartTypeText, Text: "y"},
		{Type: schema.ChatMessagePartTypeText, Text: "es"},
	}
	whole := llm.Response{Text: "yes", Model: "Fake", FinishReason: "stop", Usage: llm.Usage{InputTokens: 7, OutputTokens: 3}}
	for name, c := range map[string]struct {
		pieces []*schema.Message
		want   llm.Response
	}{
		"whole":     {[]*schema.Message{text("yes", "stop")}, whole},
		"pieces":    {[]*schema.Message{piece("y"), text("es", "stop")}, whole},
		"bare":      {[]*schema.Message{piece("yes")}, llm.Response{Text: "yes", Model: "Fake"}},
		"reasoning": {[]*schema.Message{thinking}, llm.Response{Text: "yes", Model: "Fake", Usage: llm.Usage{InputTokens: 10, OutputTokens: 10, ReasoningTokens: 6}}},
		"a cache":   {[]*schema.Message{cached}, llm.Response{Text: "yes", Model: "Fake", Usage: llm.Usage{InputTokens: 2006, OutputTokens: 4, CacheReadTokens: 1920, CacheCreationTokens: 50}}},
		"parts":     {[]*schema.Message{parts}, llm.Response{Text: "yes", Model: "Fake"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, opts := range []*eino.ModelOptions{nil, {Stream: true}} {
				got, err := adapt(t, says(c.pieces...), opts).Complete(t.Context(), ask("?"))
				require.NoError(t, err)
				assert.Equal(t, &c.want, got)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		want llm.CallError
	}{
		"client":             {&clientError{HTTPStatusCode: 429}, llm.CallError{Kind: llm.ErrRateLimited, Status: 429, Model: "Fake"}},
		"client with a code": {codeError{Code: 503}, llm.CallError{Kind: llm.ErrOverloaded, Status: 503, Model: "Fake"}},
		"nothing":            {nil, llm.CallError{Kind: llm.ErrEmpty, Model: "Fake"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, opts := range []*eino.ModelOptions{nil, {Stream: true}} {
				_, err := adapt(t, fails(c.err), opts).Complete(t.Context(), ask("?"))
				call, ok := errors.AsType[*llm.CallError](err)
				require.True(t, ok, "%v", err)
				c.want.Err = call.Err
				assert.Equal(t, c.want, *call)
			}
		})
	}
}

// codeError is an error of another client.
type codeError struct{ Code int }

func (e codeError) Error() string { return "code" }

func TestClassify(t *testing.T) {
	busy := errors.New("busy")
	m := adapt(t, fails(busy), &eino.ModelOptions{Classify: func(error) *llm.CallError { return &llm.CallError{Kind: llm.ErrOverloaded} }})
	_, err := m.Complete(t.Context(), ask("?"))
	require.ErrorIs(t, err, llm.ErrOverloaded)
	require.ErrorIs(t, err, busy)
}

// What was used before a stream broke is counted.
func TestSpent(t *testing.T) {
	odd := errors.New("odd")
	resp, err := adapt(t, fails(odd, text("yes", "")), &eino.ModelOptions{Stream: true}).Complete(t.Context(), ask("?"))
	require.ErrorIs(t, err, odd)
	assert.Equal(t, &llm.Response{Model: "Fake", Usage: llm.Usage{InputTokens: 7, OutputTokens: 3}}, resp)
}

// A connection that ends in the middle of a reply says so with an io.EOF of its
// own: what came before it is no reply, however whole it looks.
func TestBrokenStream(t *testing.T) {
	for _, err := range []error{fmt.Errorf("connection lost: %w", io.EOF), io.ErrUnexpectedEOF} {
		resp, got := adapt(t, fails(err, text(`{"a":1}`, "")), &eino.ModelOptions{Stream: true}).Complete(t.Context(), ask("?"))
		require.ErrorIs(t, got, err)
		require.ErrorIs(t, got, llm.ErrUnavailable)
		assert.Equal(t, &llm.Response{Model: "Fake", Usage: llm.Usage{InputTokens: 7, OutputTokens: 3}}, resp, "what it used, and no text")
	}
	resp, err := adapt(t, fails(io.EOF, text("yes", "stop")), &eino.ModelOptions{Stream: true}).Complete(t.Context(), ask("?"))
	require.NoError(t, err)
	assert.Equal(t, "yes", resp.Text)
}

// Pieces that do not fit together are no reply.
func TestPiecesOfTwoMessages(t *testing.T) {
	_, err := adapt(t, says(piece("a"), schema.UserMessage("b")), &eino.ModelOptions{Stream: true}).Complete(t.Context(), ask("?"))
	_, ok := errors.AsType[*llm.CallError](err)
	assert.True(t, ok, "%v", err)
}

// A model that does not look at its context is left between two pieces, and what
// came is not taken for a reply.
func TestDeafModel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("no time")
	chat := &endless{begin: func() { cancel(why) }, stopped: make(chan struct{})}
	_, err := adapt(t, chat, &eino.ModelOptions{Stream: true}).Complete(ctx, ask("?"))
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, why)
	<-chat.stopped
}

// endless sends pieces until nobody reads them.
type endless struct {
	fake
	begin   func()
	stopped chan struct{}
}

func (e *endless) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	e.begin()
	reader, writer := schema.Pipe[*schema.Message](0)
	go func() {
		defer close(e.stopped)
		defer writer.Close()
		for !writer.Send(piece("again "), nil) {
		}
	}()
	return reader, nil
}
