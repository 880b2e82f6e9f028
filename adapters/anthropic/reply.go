package anthropic

import (
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// read reads what a server answered with success.
func (p *protocol) read(body []byte, req *llm.Request) *adapters.Reply {
	var object map[string]json.RawMessage
	var answer sdk.Message // takes anything, and leaves out what does not fit
	if json.Unmarshal(body, &object) != nil || json.Unmarshal(body, &answer) != nil {
		return &adapters.Reply{Broken: "the answer is not the JSON of a message"}
	}
	// llm.Complete says what a stop reason and an empty text mean.
	r := &adapters.Reply{Response: llm.Response{
		Text: text(answer.Content), Model: answer.Model, Usage: usage(&answer.Usage), FinishReason: string(answer.StopReason),
	}}
	if len(req.Tools) > 0 {
		r.Calls, r.Reasoning = calls(answer.Content)
	}
	var plain string // of servers that speak almost like it
	if json.Unmarshal(object["content"], &plain) == nil && plain != "" {
		r.Text = plain
	} else if !answer.JSON.Content.Valid() {
		r.Missing = "the answer has no content"
	}
	if answer.StopReason == sdk.StopReasonRefusal { // mostly the server does not say why
		category, why := string(answer.StopDetails.Category), answer.StopDetails.Explanation
		if category != "" && why != "" {
			category += ": "
		}
		r.Refusal = category + why
	}
	return r
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
