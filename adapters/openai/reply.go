package openai

import (
	"cmp"
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// read reads what a server answered with success.
func (p *protocol) read(body []byte, req *llm.Request) *adapters.Reply {
	var answer sdk.ChatCompletion
	if json.Unmarshal(body, &answer) != nil {
		return &adapters.Reply{Broken: "the answer is not the JSON of a chat completion"}
	}
	r := &adapters.Reply{Response: llm.Response{Model: answer.Model, Usage: usage(answer.Usage)}}
	if len(answer.Choices) == 0 {
		r.Missing = "the answer has no choice"
		return r
	}
	// llm.Complete says what a finish reason and an empty text mean.
	first := chosen(answer.Choices, req)
	r.Text, r.FinishReason, r.Failure = content(&first.Message), first.FinishReason, choiceFailure(first)
	if len(req.Tools) > 0 {
		r.Calls, r.Reasoning = calls(&first.Message)
		if r.Text == "" && first != &answer.Choices[0] {
			r.Text = content(&answer.Choices[0].Message)
		}
	}
	if len(r.Calls) == 0 && strings.TrimSpace(r.Text) == "" {
		r.Refusal = first.Message.Refusal // servers call that a stop
	}
	if strings.EqualFold(first.FinishReason, "error") { // what came may look like a whole reply
		r.Broken = "finish reason error"
	}
	return r
}

// chosen is the choice that is the reply: the first one. Some servers write the calls, or all of the reply, into another
// one, and say of the first that it is whole.
func chosen(choices []sdk.ChatCompletionChoice, req *llm.Request) *sdk.ChatCompletionChoice {
	says := func(choice *sdk.ChatCompletionChoice) bool {
		if len(req.Tools) > 0 {
			return hasCalls(&choice.Message)
		}
		return strings.TrimSpace(content(&choice.Message)) != ""
	}
	switch choices[0].FinishReason {
	case "", "stop", "tool_calls":
		for i := range choices {
			if says(&choices[i]) && choiceFailure(&choices[0]) == nil && choices[0].Message.Refusal == "" {
				return &choices[i]
			}
		}
	}
	return &choices[0]
}

// choiceFailure is the error that routers write into a choice, or nil.
func choiceFailure(choice *sdk.ChatCompletionChoice) *adapters.Failure {
	f := adapters.ParseFailure([]byte(`{"error":` + cmp.Or(choice.JSON.ExtraFields["error"].Raw(), "null") + `}`))
	if !f.Said() {
		return nil
	}
	return f
}

// content is the text of a message. Some servers write it as a list of parts, of
// which those that are no text are thoughts.
func content(message *sdk.ChatCompletionMessage) string {
	raw := message.JSON.Content.Raw()
	if !strings.HasPrefix(raw, "[") {
		return message.Content
	}
	var parts []struct {
		Type string          `json:"type"`
		Text json.RawMessage `json:"text"`
	}
	if json.Unmarshal([]byte(raw), &parts) != nil {
		return ""
	}
	var b strings.Builder
	for _, part := range parts {
		var text string
		if part.Type == "text" && json.Unmarshal(part.Text, &text) == nil {
			b.WriteString(text)
		}
	}
	return b.String()
}

// usage counts thoughts as output, as the protocol does. Some servers leave them out of
// the output, and some have no output, but all of it is in the total. What was cached is among the input.
func usage(u sdk.CompletionUsage) llm.Usage {
	input := adapters.Tokens(u.PromptTokens)
	output := max(adapters.Tokens(u.CompletionTokens), adapters.Tokens(u.TotalTokens)-input)
	cache := u.PromptTokensDetails
	return adapters.Usage(llm.Usage{
		InputTokens: input, OutputTokens: output,
		CacheReadTokens: adapters.Tokens(cache.CachedTokens), CacheCreationTokens: adapters.Tokens(cache.CacheWriteTokens),
		ReasoningTokens: adapters.Tokens(u.CompletionTokensDetails.ReasoningTokens),
	})
}
