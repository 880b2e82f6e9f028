package anthropic

import (
	"encoding/json"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"github.com/agentfsm/agentfsm/llm"
)

// reply reads what a server answered with success.
func (m *messagesModel) reply(body []byte, req *llm.Request) (*llm.Response, error) {
	var object map[string]json.RawMessage
	var answer sdk.Message // takes anything, and leaves out what does not fit
	if json.Unmarshal(body, &object) != nil || json.Unmarshal(body, &answer) != nil {
		return nil, &llm.CallError{Kind: llm.ErrUnavailable, Model: m.cfg.Model, Message: "the answer is not the JSON of a message"}
	}
	resp := &llm.Response{Model: answer.Model, Usage: usage(&answer.Usage), FinishReason: string(answer.StopReason)}
	if resp.Model == "" {
		resp.Model = m.cfg.Model
	}
	if !answer.JSON.Content.Valid() {
		if failed := parseFailure(body); failed.said() { // a router answers so for the server behind it
			return spent(resp), m.statusError(failed, req)
		}
		return spent(resp), &llm.CallError{Kind: llm.ErrEmpty, Model: resp.Model, Message: "the answer has no content"}
	}
	// llm.Complete says what a stop reason and an empty text mean.
	resp.Text = text(answer.Content)
	return resp, nil
}

// spent is what a call used that failed, or nil.
func spent(resp *llm.Response) *llm.Response {
	if resp == nil || resp.Usage == (llm.Usage{}) {
		return nil
	}
	return &llm.Response{Usage: resp.Usage, Model: resp.Model}
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
	input := max(0, u.InputTokens) + max(0, u.CacheCreationInputTokens) + max(0, u.CacheReadInputTokens)
	return llm.Usage{InputTokens: int(input), OutputTokens: int(max(0, u.OutputTokens))}
}
