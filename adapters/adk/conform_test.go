package adk_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/adapters/adk"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// clientError is what the client of a provider returns that has no error type of
// the ADK.
type clientError struct {
	StatusCode int
	Response   *http.Response
}

func (e *clientError) Error() string { return fmt.Sprint("status ", e.StatusCode) }

func TestModelConformance(t *testing.T) {
	const key = "key-of-the-conformance-test"
	for name, opts := range map[string]*adk.ModelOptions{
		"defaults": nil,
		"options":  {SchemaInPrompt: true, Config: &genai.GenerateContentConfig{HTTPOptions: &genai.HTTPOptions{}}},
	} {
		t.Run(name, func(t *testing.T) {
			of := func(llmOf *fake) func(testing.TB) llm.Model {
				return func(t testing.TB) llm.Model { return adapt(t, llmOf, opts) }
			}
			finished := func(reason genai.FinishReason, s string) *fake {
				r := text(s)
				r.FinishReason = reason
				return says(r)
			}
			llmtest.Run(t, llmtest.Backend{
				Good:  func(t testing.TB) llm.Model { return adapt(t, good(), opts) },
				Calls: func(t testing.TB) llm.Model { return adapt(t, says(called(adapterstest.Answer, "s")), opts) },
				Slow: of(&fake{yield: func(ctx context.Context, _ *model.LLMRequest, yield func(*model.LLMResponse, error) bool) {
					<-ctx.Done()
					yield(nil, ctx.Err())
				}}),
				RateLimited: of(fails(fmt.Errorf("failed to call model: %w", genai.APIError{
					Code:    http.StatusTooManyRequests,
					Details: []map[string]any{{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "7s"}},
				}))),
				ServerError: of(fails(&clientError{StatusCode: http.StatusBadGateway})),
				Rejected:    of(fails(genai.APIError{Code: http.StatusUnauthorized, Message: llmtest.ErrorMessage(key)})),
				Unavailable: of(fails(&net.OpError{Op: "read", Err: io.ErrUnexpectedEOF})),
				Refusal:     of(finished(genai.FinishReasonSafety, "I")),
				Empty:       of(finished(genai.FinishReasonStop, "")),
				Cut:         of(finished(genai.FinishReasonMaxTokens, `{"Answer": "for`)),
				Key:         key,
			})
		})
	}
}

// good answers, and behaves as badly towards its request as those of the ADK do.
func good() *fake {
	return &fake{yield: func(_ context.Context, req *model.LLMRequest, yield func(*model.LLMResponse, error) bool) {
		req.Contents = append(req.Contents, genai.NewContentFromText("go on", genai.RoleUser))
		if req.Config.HTTPOptions == nil {
			req.Config.HTTPOptions = &genai.HTTPOptions{}
		}
		if req.Config.HTTPOptions.Headers == nil {
			req.Config.HTTPOptions.Headers = http.Header{}
		}
		req.Config.HTTPOptions.Headers.Set("User-Agent", "test")
		for _, c := range req.Contents {
			for _, p := range c.Parts {
				if p.InlineData != nil {
					clear(p.InlineData.Data)
				}
			}
		}
		yield(text(llmtest.GoodReply), nil)
	}}
}
