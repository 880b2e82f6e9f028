package adk_test

import (
	"context"
	"fmt"
	"iter"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/adapters/adk"
	"github.com/agentfsm/agentfsm/llm"
)

// parrot is a model of the ADK that always says the same.
type parrot string

func (p parrot) Name() string { return "parrot" }

func (p parrot) GenerateContent(context.Context, *model.LLMRequest, bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		yield(&model.LLMResponse{
			Content:       genai.NewContentFromText(string(p), genai.RoleModel),
			UsageMetadata: &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: 7, CandidatesTokenCount: 3, TotalTokenCount: 10},
			FinishReason:  genai.FinishReasonStop,
		}, nil)
	}
}

// A model of the ADK answers a request of agentfsm. Here it is a parrot.
func ExampleModel() {
	model, err := adk.Model(parrot("forty-two"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := llm.Complete(context.Background(), model, &llm.Request{
		Messages: []llm.Message{llm.Text(llm.User, "What is six times seven?")},
	})
	if err != nil {
		fmt.Println(err, llm.Retryable(err))
		return
	}
	fmt.Println(resp.Text, resp.Usage.Total())
	// Output: forty-two 10
}
