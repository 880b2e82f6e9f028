package adk_test

import (
	"context"
	"errors"
	"iter"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/adapters/adk"
	"github.com/agentfsm/agentfsm/llm"
)

// fake is a model.LLM made of a func. It keeps copies of what it was asked.
type fake struct {
	yield func(ctx context.Context, req *model.LLMRequest, yield func(*model.LLMResponse, error) bool)

	mu       sync.Mutex
	requests []*model.LLMRequest
}

func (f *fake) Name() string { return "fake" }

func (f *fake) GenerateContent(ctx context.Context, req *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	f.mu.Lock()
	f.requests = append(f.requests, req)
	f.mu.Unlock()
	return func(yield func(*model.LLMResponse, error) bool) { f.yield(ctx, req, yield) }
}

// last is what it was asked last.
func (f *fake) last(t *testing.T) *model.LLMRequest {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	require.NotEmpty(t, f.requests)
	return f.requests[len(f.requests)-1]
}

// says yields these responses.
func says(responses ...*model.LLMResponse) *fake {
	return &fake{yield: func(_ context.Context, _ *model.LLMRequest, yield func(*model.LLMResponse, error) bool) {
		for _, r := range responses {
			if !yield(r, nil) {
				return
			}
		}
	}}
}

// fails yields these responses and then an error.
func fails(err error, responses ...*model.LLMResponse) *fake {
	return &fake{yield: func(_ context.Context, _ *model.LLMRequest, yield func(*model.LLMResponse, error) bool) {
		for _, r := range responses {
			if !yield(r, nil) {
				return
			}
		}
		yield(nil, err)
	}}
}

// script gives its texts one after another, whoever asks.
func script(texts ...string) *fake {
	var mu sync.Mutex
	return &fake{yield: func(_ context.Context, _ *model.LLMRequest, yield func(*model.LLMResponse, error) bool) {
		mu.Lock()
		defer mu.Unlock()
		if len(texts) == 0 {
			yield(nil, errors.New("the script is at its end"))
			return
		}
		next := texts[0]
		texts = texts[1:]
		yield(text(next), nil)
	}}
}

// text is a whole reply.
func text(s string) *model.LLMResponse {
	return &model.LLMResponse{
		Content:       genai.NewContentFromText(s, genai.RoleModel),
		UsageMetadata: &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: 7, CandidatesTokenCount: 3, TotalTokenCount: 10},
		ModelVersion:  "fake-2",
		FinishReason:  genai.FinishReasonStop,
	}
}

// piece is a part of a streamed reply.
func piece(s string) *model.LLMResponse {
	return &model.LLMResponse{Content: genai.NewContentFromText(s, genai.RoleModel), Partial: true}
}

// adapt returns a model.LLM as an llm.Model.
func adapt(t testing.TB, of model.LLM, opts *adk.ModelOptions) llm.Model {
	t.Helper()
	m, err := adk.Model(of, opts)
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

// silent has no sequence at all.
type silent struct{}

func (silent) Name() string { return "silent" }

func (silent) GenerateContent(context.Context, *model.LLMRequest, bool) iter.Seq2[*model.LLMResponse, error] {
	return nil
}
