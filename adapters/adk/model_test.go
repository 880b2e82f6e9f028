package adk_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/adapters/adk"
	"github.com/agentfsm/agentfsm/llm"
)

func TestNoModel(t *testing.T) {
	for _, of := range []model.LLM{nil, (*fake)(nil)} {
		_, err := adk.Model(of, nil)
		assert.ErrorIs(t, err, llm.ErrNoModel)
	}
}

func TestRequest(t *testing.T) {
	picture := []byte{1, 2, 3}
	req := &llm.Request{
		Messages: []llm.Message{
			llm.Text(llm.System, "be brief"),
			{Role: llm.User, Parts: []llm.Part{{Text: "what is this?"}, {Image: &llm.Image{MediaType: "image/png", Data: picture}}}},
			llm.Text(llm.Assistant, "a cat"),
			llm.Text(llm.System, "be kind"),
			{Role: llm.User},
			llm.Text(llm.User, "sure?"),
		},
		Schema:      &llm.Schema{Name: "reply", JSON: json.RawMessage(`{"type":"object","properties":{"z":{},"a":{}}}`)},
		MaxTokens:   99,
		Temperature: new(0.5),
	}
	config := &genai.GenerateContentConfig{
		TopK: new(float32(4)), MaxOutputTokens: 7,
		HTTPOptions: &genai.HTTPOptions{Headers: http.Header{"X-A": {"b"}}},
	}
	f := says(text("yes"))
	m := adapt(t, f, &adk.ModelOptions{Config: config})
	_, err := m.Complete(t.Context(), req)
	require.NoError(t, err)

	got := f.last(t)
	assert.Equal(t, []*genai.Content{
		{Role: "user", Parts: []*genai.Part{{Text: "what is this?"}, {InlineData: &genai.Blob{MIMEType: "image/png", Data: picture}}}},
		{Role: "model", Parts: []*genai.Part{{Text: "a cat"}}},
		{Role: "user", Parts: []*genai.Part{{Text: "sure?"}}},
	}, got.Contents)
	assert.Equal(t, []*genai.Part{{Text: "be brief"}, {Text: "be kind"}}, got.Config.SystemInstruction.Parts)
	assert.Equal(t, "application/json", got.Config.ResponseMIMEType)
	assert.JSONEq(t, string(req.Schema.JSON), marshal(t, got.Config.ResponseJsonSchema))
	assert.Regexp(t, `"z".*"a"`, marshal(t, got.Config.ResponseJsonSchema), "the order of the properties")
	assert.Equal(t, int32(99), got.Config.MaxOutputTokens)
	assert.Equal(t, float32(0.5), *got.Config.Temperature)
	assert.Equal(t, float32(4), *got.Config.TopK)

	got.Contents[0].Parts[1].InlineData.Data[0] = 9
	got.Config.HTTPOptions.Headers.Set("X-A", "c")
	assert.Equal(t, []byte{1, 2, 3}, picture)
	assert.Equal(t, "b", config.HTTPOptions.Headers.Get("X-A"))
	assert.Equal(t, int32(7), config.MaxOutputTokens)
	assert.Nil(t, config.SystemInstruction)
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}

func TestSchemaInPrompt(t *testing.T) {
	f := says(text("{}"))
	req := ask("hello")
	req.Schema = &llm.Schema{Name: "reply", Description: "a greeting", JSON: json.RawMessage(`{"type":"object"}`)}
	_, err := adapt(t, f, &adk.ModelOptions{SchemaInPrompt: true}).Complete(t.Context(), req)
	require.NoError(t, err)
	got := f.last(t)
	assert.Nil(t, got.Config.ResponseJsonSchema)
	assert.Empty(t, got.Config.ResponseMIMEType)
	instruction := got.Config.SystemInstruction.Parts[0].Text
	assert.Contains(t, instruction, `{"type":"object"}`)
	assert.Contains(t, instruction, "a greeting")
}

func TestSystemAlone(t *testing.T) {
	f := says(text("hello"))
	_, err := adapt(t, f, nil).Complete(t.Context(), &llm.Request{Messages: []llm.Message{llm.Text(llm.System, "greet")}})
	require.NoError(t, err)
	got := f.last(t)
	assert.Equal(t, []*genai.Content{{Role: "user", Parts: []*genai.Part{{Text: "greet"}}}}, got.Contents)
	assert.Nil(t, got.Config.SystemInstruction)
}

func TestRejectedHere(t *testing.T) {
	f := says(text("never"))
	for name, req := range map[string]*llm.Request{
		"nil":          nil,
		"empty":        {},
		"unknown role": {Messages: []llm.Message{llm.Text("function", "x")}},
	} {
		_, err := adapt(t, f, nil).Complete(t.Context(), req)
		assert.ErrorIs(t, err, llm.ErrRejected, name)
	}
	assert.Empty(t, f.requests)
}

func TestReply(t *testing.T) {
	thoughts := &model.LLMResponse{Content: &genai.Content{Parts: []*genai.Part{{Text: "hm", Thought: true}, nil, {Text: "yes"}}}}
	counted := func(u genai.GenerateContentResponseUsageMetadata) *model.LLMResponse {
		return &model.LLMResponse{Content: genai.NewContentFromText("x", "model"), UsageMetadata: &u}
	}
	blocked := &model.LLMResponse{ErrorCode: "SAFETY", FinishReason: genai.FinishReasonSafety}
	cut := &model.LLMResponse{ErrorCode: "MAX_TOKENS", FinishReason: genai.FinishReasonMaxTokens}
	unspecified := string(genai.FinishReasonUnspecified)
	whole := llm.Response{Text: "yes", Model: "fake-2", FinishReason: "STOP", Usage: llm.Usage{InputTokens: 7, OutputTokens: 3}}
	for name, c := range map[string]struct {
		responses []*model.LLMResponse
		want      llm.Response
	}{
		"whole":                {[]*model.LLMResponse{text("yes")}, whole},
		"pieces and the whole": {[]*model.LLMResponse{piece("y"), piece("es"), nil, text("yes")}, whole},
		"several wholes":       {[]*model.LLMResponse{text("y"), {Content: genai.NewContentFromText("es", "model")}}, whole},
		"thoughts":             {[]*model.LLMResponse{thoughts}, llm.Response{Text: "yes", Model: "fake"}},
		"thoughts beside the candidates": {[]*model.LLMResponse{counted(genai.GenerateContentResponseUsageMetadata{
			PromptTokenCount: 10, ToolUsePromptTokenCount: 1, CandidatesTokenCount: 4, ThoughtsTokenCount: 5, TotalTokenCount: 20,
		})}, llm.Response{Text: "x", Model: "fake", Usage: llm.Usage{InputTokens: 11, OutputTokens: 9, ReasoningTokens: 5}}},
		"thoughts among the candidates": {[]*model.LLMResponse{counted(genai.GenerateContentResponseUsageMetadata{
			PromptTokenCount: 10, CandidatesTokenCount: 9, ThoughtsTokenCount: 5, TotalTokenCount: 19,
		})}, llm.Response{Text: "x", Model: "fake", Usage: llm.Usage{InputTokens: 10, OutputTokens: 9, ReasoningTokens: 5}}},
		"a cache": {[]*model.LLMResponse{counted(genai.GenerateContentResponseUsageMetadata{
			PromptTokenCount: 2006, CachedContentTokenCount: 1920, CandidatesTokenCount: 4, TotalTokenCount: 2010,
		})}, llm.Response{Text: "x", Model: "fake", Usage: llm.Usage{InputTokens: 2006, OutputTokens: 4, CacheReadTokens: 1920}}},
		"no total": {[]*model.LLMResponse{counted(genai.GenerateContentResponseUsageMetadata{
			PromptTokenCount: 10, CandidatesTokenCount: 4, ThoughtsTokenCount: 5,
		})}, llm.Response{Text: "x", Model: "fake", Usage: llm.Usage{InputTokens: 10, OutputTokens: 9, ReasoningTokens: 5}}},
		"filtered":          {[]*model.LLMResponse{blocked}, llm.Response{Model: "fake", FinishReason: "SAFETY"}},
		"cut, twice told":   {[]*model.LLMResponse{{Content: genai.NewContentFromText("y", "model")}, cut, cut}, llm.Response{Text: "y", Model: "fake", FinishReason: "MAX_TOKENS"}},
		"no reason told":    {[]*model.LLMResponse{{ErrorCode: unspecified, FinishReason: genai.FinishReasonUnspecified, Partial: true}, text("yes")}, whole},
		"a picture instead": {[]*model.LLMResponse{{FinishReason: genai.FinishReasonImageRecitation}}, llm.Response{Model: "fake", FinishReason: "content_filter"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := adapt(t, says(c.responses...), nil).Complete(t.Context(), ask("?"))
			require.NoError(t, err)
			assert.Equal(t, &c.want, got)
		})
	}
}

func TestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		of   *fake
		want llm.CallError
		text string
	}{
		"not known": {of: fails(errors.New("odd")), want: llm.CallError{Model: "fake"}, text: "odd"},
		"api":       {of: fails(&genai.APIError{Code: 503}), want: llm.CallError{Kind: llm.ErrOverloaded, Status: 503, Model: "fake"}},
		"client":    {of: fails(&clientError{StatusCode: 429}), want: llm.CallError{Kind: llm.ErrRateLimited, Status: 429, Model: "fake"}},
		"blocked prompt": {
			of:   says(&model.LLMResponse{ErrorCode: "PROHIBITED_CONTENT", ErrorMessage: "no"}),
			want: llm.CallError{Kind: llm.ErrRefused, Model: "fake", Message: "PROHIBITED_CONTENT: no"},
		},
		"a status as code": {
			of:   says(&model.LLMResponse{ErrorCode: "500"}),
			want: llm.CallError{Kind: llm.ErrUnavailable, Status: 500, Model: "fake", Message: "500"},
		},
		"another code": {of: says(&model.LLMResponse{ErrorCode: "ODD"}), want: llm.CallError{Model: "fake", Message: "ODD"}},
		"interrupted":  {of: says(&model.LLMResponse{Interrupted: true}), want: llm.CallError{Model: "fake"}, text: "interrupted"},
		"nothing":      {of: says(), want: llm.CallError{Kind: llm.ErrEmpty, Model: "fake"}},
		"half a reply": {of: fails(errors.New("odd"), piece("y")), want: llm.CallError{Model: "fake"}, text: "odd"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := adapt(t, c.of, nil).Complete(t.Context(), ask("?"))
			call, ok := errors.AsType[*llm.CallError](err)
			require.True(t, ok, "%v", err)
			if c.want.Message == "" {
				c.want.Message = call.Message
			}
			c.want.Err = call.Err
			assert.Equal(t, c.want, *call)
			assert.ErrorContains(t, err, c.text)
		})
	}
}

// A reply that looks whole is none if the model says that something failed.
func TestRepliesThatFailed(t *testing.T) {
	used := &llm.Response{Model: "fake-2", Usage: llm.Usage{InputTokens: 7, OutputTokens: 3}}
	interrupted := text(`{"a":1}`)
	interrupted.Interrupted = true
	for name, c := range map[string]struct {
		responses []*model.LLMResponse
		kind      error
		message   string
		resp      *llm.Response
	}{
		"a code behind the whole":   {[]*model.LLMResponse{text("yes"), {ErrorCode: "500", ErrorMessage: "broken"}}, llm.ErrUnavailable, "500: broken", used},
		"a code before the whole":   {[]*model.LLMResponse{{ErrorCode: "503", Partial: true}, text("yes")}, llm.ErrOverloaded, "503", used},
		"a code behind pieces":      {[]*model.LLMResponse{piece("y"), {ErrorCode: "INTERNAL", ErrorMessage: "broken"}}, nil, "INTERNAL: broken", nil},
		"a code with the whole":     {[]*model.LLMResponse{{ErrorCode: "500", FinishReason: genai.FinishReasonStop}}, llm.ErrUnavailable, "500", nil},
		"a code before a cut":       {[]*model.LLMResponse{{ErrorCode: "500"}, {ErrorCode: "MAX_TOKENS", FinishReason: genai.FinishReasonMaxTokens}}, llm.ErrUnavailable, "500", nil},
		"a filter before the whole": {[]*model.LLMResponse{{ErrorCode: "SAFETY", FinishReason: genai.FinishReasonSafety, Partial: true}, text("yes")}, llm.ErrRefused, "SAFETY", used},
		"a message without a code":  {[]*model.LLMResponse{text("yes"), {ErrorMessage: "broken"}}, nil, "broken", used},
		"a message alone":           {[]*model.LLMResponse{{ErrorMessage: "broken"}}, nil, "broken", nil},
		"interrupted":               {[]*model.LLMResponse{interrupted}, nil, "INTERRUPTED: the model was interrupted", used},
		"interrupted and a code":    {[]*model.LLMResponse{{Interrupted: true, ErrorCode: "STOP", FinishReason: genai.FinishReasonStop}}, nil, "INTERRUPTED: the model was interrupted", nil},
	} {
		t.Run(name, func(t *testing.T) {
			resp, err := adapt(t, says(c.responses...), nil).Complete(t.Context(), ask("?"))
			call, ok := errors.AsType[*llm.CallError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, c.kind, call.Kind)
			assert.Equal(t, c.message, call.Message)
			assert.Equal(t, c.resp, resp, "what it used, and no text")
		})
	}
}

// What was used before a call failed is counted.
func TestSpent(t *testing.T) {
	resp, err := adapt(t, fails(errors.New("odd"), text("yes")), nil).Complete(t.Context(), ask("?"))
	require.Error(t, err)
	assert.Equal(t, &llm.Response{Model: "fake-2", Usage: llm.Usage{InputTokens: 7, OutputTokens: 3}}, resp)
}

// A model that does not look at its context is left between two responses, and what
// came is not taken for a reply.
func TestDeafModel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("no time")
	stopped := false
	f := &fake{yield: func(_ context.Context, _ *model.LLMRequest, yield func(*model.LLMResponse, error) bool) {
		cancel(why)
		for yield(piece("again "), nil) {
		}
		stopped = true
	}}
	_, err := adapt(t, f, nil).Complete(ctx, ask("?"))
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, err, why)
	assert.True(t, stopped)
}

func TestNilSequence(t *testing.T) {
	_, err := adapt(t, silent{}, nil).Complete(t.Context(), ask("?"))
	assert.ErrorIs(t, err, llm.ErrEmpty)
}
