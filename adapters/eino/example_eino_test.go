package eino_test

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/agentfsm/agentfsm/adapters/eino"
	"github.com/agentfsm/agentfsm/llm"
)

// parrot is a chat model of Eino that always says the same.
type parrot string

func (p parrot) Generate(context.Context, []*schema.Message, ...model.Option) (*schema.Message, error) {
	m := schema.AssistantMessage(string(p), nil)
	m.ResponseMeta = &schema.ResponseMeta{
		FinishReason: "stop",
		Usage:        &schema.TokenUsage{PromptTokens: 7, CompletionTokens: 3, TotalTokens: 10},
	}
	return m, nil
}

func (p parrot) Stream(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	m, err := p.Generate(ctx, input, opts...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]*schema.Message{m}), nil
}

// A chat model of Eino answers a request of agentfsm. Here it is a parrot.
func ExampleModel() {
	model, err := eino.Model(parrot("forty-two"), nil)
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
