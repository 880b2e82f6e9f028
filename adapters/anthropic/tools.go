package anthropic

import (
	"encoding/json"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// tools writes the tools of a request as JSON: in the SDK's maps their parameters would lose their order.
func tools(req *llm.Request, strict bool) (list []sdk.ToolUnionParam) {
	type tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		InputSchema json.RawMessage `json:"input_schema"`
		Strict      bool            `json:"strict,omitempty"`
	}
	for _, t := range req.Tools {
		shown := tool{t.Name, t.Description, t.Parameters, strict && t.Strict != nil}
		if shown.Strict {
			shown.InputSchema = t.Strict
		}
		list = append(list, param.Override[sdk.ToolUnionParam](shown))
	}
	return list
}

// thoughts are the blocks that a reply with calls began with: the protocol wants them back as they were.
func thoughts(message *llm.Message) (blocks []sdk.ContentBlockParamUnion) {
	var raw []json.RawMessage
	if len(message.Calls) == 0 || json.Unmarshal(message.Reasoning, &raw) != nil { // of another adapter, or none
		return nil
	}
	for _, block := range raw {
		blocks = append(blocks, param.Override[sdk.ContentBlockParamUnion](block))
	}
	return blocks
}

// uses are the calls of a message.
func uses(message *llm.Message) (blocks []sdk.ContentBlockParamUnion) {
	for _, call := range message.Calls {
		blocks = append(blocks, sdk.NewToolUseBlock(call.ID, adapters.Object(call.Args), call.Name))
	}
	return blocks
}

// result is what came of a call.
func result(message *llm.Message) sdk.ContentBlockParamUnion {
	block := sdk.ToolResultBlockParam{ToolUseID: message.CallID}
	if text := message.Text(); !blank(text) {
		block.Content = []sdk.ToolResultBlockParamContentUnion{{OfText: &sdk.TextBlockParam{Text: text}}}
	}
	return sdk.ContentBlockParamUnion{OfToolResult: &block}
}

// calls are those of a reply, with the thoughts that the protocol wants to be shown with them again.
func calls(content []sdk.ContentBlockUnion) (list []llm.Call, back json.RawMessage) {
	var kept []json.RawMessage
	for i := range content {
		block := &content[i]
		switch block.Type {
		case "thinking", "redacted_thinking":
			kept = append(kept, json.RawMessage(block.RawJSON()))
		case "tool_use":
			list = append(list, llm.Call{ID: block.ID, Name: block.Name, Args: adapters.Arguments(string(block.Input))})
		}
	}
	if len(list) == 0 || len(kept) == 0 {
		return list, nil
	}
	back, err := json.Marshal(kept)
	if err != nil { // it was read from JSON
		return list, nil
	}
	return list, back
}
