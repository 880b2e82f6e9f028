package eino_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/agentfsm/agentfsm/adapters/eino"
	"github.com/agentfsm/agentfsm/internal/adapters/adapterstest"
	"github.com/agentfsm/agentfsm/llm"
	"github.com/agentfsm/agentfsm/llm/llmtest"
)

// clientError is what the client of a provider returns.
type clientError struct {
	HTTPStatusCode int
	Message        string
	Response       *http.Response
}

func (e *clientError) Error() string { return fmt.Sprint("status ", e.HTTPStatusCode, ": ", e.Message) }

func TestModelConformance(t *testing.T) {
	const key = "key-of-the-conformance-test"
	for name, opts := range map[string]*eino.ModelOptions{
		"defaults": nil,
		"options": {Name: "other", Schema: func(*llm.Schema) []model.Option {
			return []model.Option{model.WithStop([]string{"\n\n"})}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			of := func(chat *fake) func(testing.TB) llm.Model {
				return func(t testing.TB) llm.Model { return adapt(t, chat, opts) }
			}
			llmtest.Run(t, llmtest.Backend{
				Good: of(&fake{answer: func(_ context.Context, input []*schema.Message, _ *model.Options) ([]*schema.Message, error) {
					for _, m := range input { // what it gets is its own
						m.Content, m.UserInputMultiContent = "", nil
					}
					return []*schema.Message{piece(""), text(llmtest.GoodReply, "stop")}, nil
				}}),
				Calls: func(t testing.TB) llm.Model {
					return adapt(t, &toolUser{fake: says(called(adapterstest.Answer))}, opts)
				},
				Slow: of(&fake{answer: func(ctx context.Context, _ []*schema.Message, _ *model.Options) ([]*schema.Message, error) {
					<-ctx.Done()
					return nil, ctx.Err()
				}}),
				RateLimited: of(fails(fmt.Errorf("generate: %w", &clientError{
					HTTPStatusCode: http.StatusTooManyRequests,
					Response:       &http.Response{Header: http.Header{"Retry-After": {"7"}}},
				}))),
				ServerError: of(fails(&clientError{HTTPStatusCode: http.StatusBadGateway})),
				Rejected:    of(fails(&clientError{HTTPStatusCode: http.StatusUnauthorized, Message: llmtest.ErrorMessage(key)})),
				Unavailable: of(fails(&net.OpError{Op: "read", Err: io.ErrUnexpectedEOF})),
				Refusal:     of(says(text("I", "content_filter"))),
				Empty:       of(says(text("", "stop"))),
				Cut:         of(says(text(`{"Answer": "for`, "length"))),
				Key:         key,
			})
		})
	}
}
