package openai

import (
	"encoding/json"
	"strings"

	sdk "github.com/openai/openai-go/v3"

	"github.com/agentfsm/agentfsm/llm"
)

// refusal is the finish reason of a message that says that the model would not
// answer: servers call that a stop.
const refusal = "refusal"

// reply reads what a server answered with success.
func (m *chatModel) reply(body []byte, req *llm.Request) (*llm.Response, error) {
	var answer sdk.ChatCompletion
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, &llm.CallError{Kind: llm.ErrUnavailable, Model: m.cfg.Model, Message: "the answer is not the JSON of a chat completion"}
	}
	resp := &llm.Response{Model: answer.Model, Usage: usage(answer.Usage)}
	if resp.Model == "" {
		resp.Model = m.cfg.Model
	}
	if len(answer.Choices) == 0 {
		if failed := parseFailure(body); failed.said() { // a router answers so for the server behind it
			return spent(resp), m.statusError(failed, req)
		}
		return spent(resp), &llm.CallError{Kind: llm.ErrEmpty, Model: resp.Model, Message: "the answer has no choice"}
	}
	// llm.Complete says what a finish reason and an empty text mean.
	first := &answer.Choices[0]
	resp.Text, resp.FinishReason = content(&first.Message), first.FinishReason
	if first.Message.Refusal != "" && strings.TrimSpace(resp.Text) == "" {
		resp.Text, resp.FinishReason = first.Message.Refusal, refusal
	}
	return resp, nil
}

// spent is what a call used that failed, or nil.
func spent(resp *llm.Response) *llm.Response {
	if resp == nil || resp.Usage == (llm.Usage{}) {
		return nil
	}
	return &llm.Response{Usage: resp.Usage, Model: resp.Model}
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

// usage counts thoughts as output, as the protocol does.
func usage(u sdk.CompletionUsage) llm.Usage {
	input, output := max(0, int(u.PromptTokens)), max(0, int(u.CompletionTokens))
	if output == 0 { // some say only how many there were together
		output = max(0, int(u.TotalTokens)-input)
	}
	return llm.Usage{InputTokens: input, OutputTokens: output}
}
