package openai_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/agentfsm/agentfsm/adapters/openai"
	"github.com/agentfsm/agentfsm/llm"
)

// A server that speaks the protocol is asked for a decision. Here it is one of the
// test, with one reply; a real one is named by BaseURL, or by the environment.
func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{
			"model": "parrot-2",
			"choices": [{"message": {"role": "assistant", "content": "{\"Plan\": [\"read\", \"add up\"]}"}, "finish_reason": "stop"}],
			"usage": {"prompt_tokens": 31, "completion_tokens": 9}
		}`)
	}))
	defer server.Close()

	model, err := openai.New(openai.Config{Model: "parrot", BaseURL: server.URL + "/v1"})
	if err != nil {
		fmt.Println(err)
		return
	}
	type decision struct {
		Plan []string `json:"Plan" desc:"what to do, in order"`
	}
	schema, err := llm.SchemaOf[decision]("decision")
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := llm.Complete(context.Background(), llm.Retry(model, nil), &llm.Request{
		Messages: []llm.Message{llm.Text(llm.User, "Add up the invoices.")},
		Schema:   schema,
	})
	if err != nil {
		fmt.Println(err, llm.Retryable(err))
		return
	}
	next, _, err := llm.Decode[decision](resp.Text)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(next.Plan, resp.Model, resp.Usage.Total())
	// Output: [read add up] parrot-2 40
}
