package anthropic

import (
	"cmp"
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// reply reads what a server answered with success, and says whether that is an error
// about the output format.
func (m *messagesModel) reply(body []byte, req *llm.Request, how asked) (*llm.Response, adapters.FormatRefusal, error) {
	var object map[string]json.RawMessage
	var answer sdk.Message // takes anything, and leaves out what does not fit
	if json.Unmarshal(body, &object) != nil || json.Unmarshal(body, &answer) != nil {
		return nil, adapters.FormatTaken, &llm.CallError{Kind: llm.ErrUnavailable, Model: m.cfg.Model, Message: "the answer is not the JSON of a message"}
	}
	// llm.Complete says what a stop reason and an empty text mean.
	resp := &llm.Response{Text: text(answer.Content), Model: answer.Model, Usage: usage(&answer.Usage), FinishReason: string(answer.StopReason)}
	plain := json.Unmarshal(object["content"], &resp.Text) == nil && object["content"] != nil && resp.Text != "" // of servers that speak almost like it
	if resp.Model == "" {
		resp.Model = m.cfg.Model
	}
	if len(req.Tools) > 0 {
		resp.Calls, resp.Reasoning = calls(answer.Content, adapters.NamesOf(req))
	}
	if len(resp.Calls) == 0 && strings.TrimSpace(resp.Text) == "" {
		if failed := adapters.ParseFailure(body); failed.Said() { // a router answers so for the server behind it
			failed.Status = cmp.Or(failed.Status, statuses[failed.Kind])
			said, refusal, err := m.failed(failed, req, how)
			return adapters.Paid(said, resp), refusal, err
		}
	}
	if said := refusal(&answer); said.Said() {
		return adapters.Spent(resp), adapters.FormatTaken, &llm.CallError{Kind: llm.ErrRefused, Model: resp.Model, Message: said.Public("refusal", m.key, req)}
	}
	if !answer.JSON.Content.Valid() && !plain {
		return adapters.Spent(resp), adapters.FormatTaken, &llm.CallError{Kind: llm.ErrEmpty, Model: resp.Model, Message: "the answer has no content"}
	}
	return resp, adapters.FormatTaken, nil
}

// refusal is what a server says of why a reply was refused, and its word for the kind of
// harm. Mostly it says nothing.
func refusal(answer *sdk.Message) *adapters.Failure {
	if answer.StopReason != sdk.StopReasonRefusal {
		return &adapters.Failure{}
	}
	category, why := string(answer.StopDetails.Category), answer.StopDetails.Explanation
	if category != "" && why != "" {
		category += ": "
	}
	return &adapters.Failure{Message: category + why}
}

// text is the text of a reply. Blocks that are none are thoughts, or the use of
// tools that the server has.
func text(blocks []sdk.ContentBlockUnion) string {
	var b strings.Builder
	for i := range blocks {
		if blocks[i].Type == "text" {
			b.WriteString(blocks[i].Text)
		}
	}
	return b.String()
}

// usage counts what was written into a cache and read from it as input: the
// protocol's input has neither.
func usage(u *sdk.Usage) llm.Usage {
	read, written := adapters.Tokens(u.CacheReadInputTokens), adapters.Tokens(u.CacheCreationInputTokens)
	input := adapters.Tokens(int64(adapters.Tokens(u.InputTokens)) + int64(read) + int64(written))
	return adapters.Usage(llm.Usage{
		InputTokens: input, OutputTokens: adapters.Tokens(u.OutputTokens), CacheReadTokens: read, CacheCreationTokens: written,
		ReasoningTokens: adapters.Tokens(u.OutputTokensDetails.ThinkingTokens),
	})
}
