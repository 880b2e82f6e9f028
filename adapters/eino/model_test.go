package eino_test

import (
	"encoding/json"
	"errors"
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
	require.Len(t, input, 4)
	assert.Equal(t, schema.System, input[0].Role)
	assert.Regexp(t, `(?s)^be brief\n\n.*an animal.*\{"type":"object"\}`, input[0].Content)
	assert.Equal(t, schema.UserMessage("what\nis this?"), input[1])
	common := schema.MessagePartCommon{MIMEType: "image/png", Base64Data: new("cG5n")}
	assert.Equal(t, &schema.Message{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{
		{Type: schema.ChatMessagePartTypeText, Text: "look:"},
		{Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageInputImage{MessagePartCommon: common}},
	}}, input[2])
	assert.Equal(t, piece("a cat"), input[3])
	assert.Equal(t, &model.Options{
		Model: new("big"), MaxTokens: new(99), Temperature: new(float32(0.5)), TopP: new(float32(0.25)),
	}, options)
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
		reply *schema.Message
		want  llm.Response
	}{
		"whole":     {text("yes", "stop"), whole},
		"bare":      {piece("yes"), llm.Response{Text: "yes", Model: "Fake"}},
		"reasoning": {thinking, llm.Response{Text: "yes", Model: "Fake", Usage: llm.Usage{InputTokens: 10, OutputTokens: 10, ReasoningTokens: 6}}},
		"a cache":   {cached, llm.Response{Text: "yes", Model: "Fake", Usage: llm.Usage{InputTokens: 2006, OutputTokens: 4, CacheReadTokens: 1920, CacheCreationTokens: 50}}},
		"parts":     {parts, llm.Response{Text: "yes", Model: "Fake"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := adapt(t, says(c.reply), nil).Complete(t.Context(), ask("?"))
			require.NoError(t, err)
			assert.Equal(t, &c.want, got)
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
			_, err := adapt(t, fails(c.err), nil).Complete(t.Context(), ask("?"))
			call, ok := errors.AsType[*llm.CallError](err)
			require.True(t, ok, "%v", err)
			c.want.Err = call.Err
			assert.Equal(t, c.want, *call)
		})
	}
}

// codeError is an error of another client.
type codeError struct{ Code int }

func (e codeError) Error() string { return "code" }
