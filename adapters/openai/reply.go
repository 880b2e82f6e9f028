package openai

import (
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// reply reads what a server answered with success, and says whether that is an error
// about the response format.
func (m *chatModel) reply(body []byte, req *llm.Request, how asked) (*llm.Response, adapters.FormatRefusal, error) {
	var answer sdk.ChatCompletion
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, adapters.FormatTaken, m.unavailable("the answer is not the JSON of a chat completion")
	}
	resp := &llm.Response{Model: answer.Model, Usage: usage(answer.Usage)}
	if resp.Model == "" {
		resp.Model = m.cfg.Model
	}
	broke, refused := false, ""
	if len(answer.Choices) > 0 {
		// llm.Complete says what a finish reason and an empty text mean.
		first := chosen(answer.Choices, req)
		resp.Text, resp.FinishReason = content(&first.Message), first.FinishReason
		if len(req.Tools) > 0 {
			resp.Calls, resp.Reasoning = calls(&first.Message, adapters.NamesOf(req))
			if resp.Text == "" && first != &answer.Choices[0] {
				resp.Text = content(&answer.Choices[0].Message)
			}
		}
		if len(resp.Calls) == 0 && strings.TrimSpace(resp.Text) == "" {
			refused = first.Message.Refusal // servers call that a stop
		}
		broke = strings.EqualFold(first.FinishReason, "error")
		if failed := choiceFailure(first); failed.Said() { // it broke in the middle
			said, refusal, err := m.failed(failed, req, how)
			return adapters.Paid(said, resp), refusal, err
		}
	}
	if broke || len(resp.Calls) == 0 && strings.TrimSpace(resp.Text+refused) == "" {
		if failed := adapters.ParseFailure(body); failed.Said() { // a router answers so for the server behind it
			said, refusal, err := m.failed(failed, req, how)
			return adapters.Paid(said, resp), refusal, err
		}
	}
	switch {
	case broke: // what came may look like a whole reply
		return adapters.Spent(resp), adapters.FormatTaken, m.unavailable("finish reason error")
	case refused != "":
		said := adapters.Failure{Message: refused}
		return adapters.Spent(resp), adapters.FormatTaken, &llm.CallError{Kind: llm.ErrRefused, Model: resp.Model, Message: said.Public("refusal", m.key, req)}
	case len(answer.Choices) == 0:
		return adapters.Spent(resp), adapters.FormatTaken, &llm.CallError{Kind: llm.ErrEmpty, Model: resp.Model, Message: "the answer has no choice"}
	}
	return resp, adapters.FormatTaken, nil
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
			if says(&choices[i]) && !choiceFailure(&choices[0]).Said() && choices[0].Message.Refusal == "" {
				return &choices[i]
			}
		}
	}
	return &choices[0]
}

// choiceFailure is the error that routers write into a choice.
func choiceFailure(choice *sdk.ChatCompletionChoice) *adapters.Failure {
	raw := choice.JSON.ExtraFields["error"].Raw()
	if raw == "" {
		return &adapters.Failure{}
	}
	return adapters.ParseFailure([]byte(`{"error":` + raw + `}`))
}

func (m *chatModel) unavailable(message string) error {
	return &llm.CallError{Kind: llm.ErrUnavailable, Model: m.cfg.Model, Message: message}
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
