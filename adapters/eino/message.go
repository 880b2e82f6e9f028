package eino

import (
	"encoding/base64"
	"slices"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

var roles = map[llm.Role]schema.RoleType{
	llm.System: schema.System, llm.User: schema.User, llm.Assistant: schema.Assistant, llm.ToolResult: schema.Tool,
}

// messages writes a request in the words of Eino. Nothing in it is shared with
// req.
func (m *chatModel) messages(req *llm.Request) ([]*schema.Message, error) {
	var out []*schema.Message
	for i, message := range req.Messages {
		parts := adapters.Joined(message.Parts)
		if len(parts) == 0 && len(message.Calls) == 0 && message.CallID == "" { // providers refuse a message of nothing
			continue
		}
		theirs := &schema.Message{Role: roles[message.Role], ToolCallID: message.CallID}
		if slices.ContainsFunc(parts, func(p llm.Part) bool { return p.Image != nil }) {
			theirs.UserInputMultiContent = userParts(parts)
		} else { // many providers know messages of one text alone
			theirs.Content = message.Text()
		}
		turn(theirs, &req.Messages[i])
		out = append(out, theirs)
	}
	if len(out) == 0 {
		return nil, adapters.Rejected(m.name, "there is nothing to ask")
	}
	if req.Schema != nil && m.options.Schema == nil {
		out = addSchema(out, req.Schema)
	}
	return out, nil
}

func userParts(parts []llm.Part) []schema.MessageInputPart {
	var out []schema.MessageInputPart
	for _, p := range parts {
		if p.Text != "" {
			out = append(out, schema.MessageInputPart{Type: schema.ChatMessagePartTypeText, Text: p.Text})
		}
		if p.Image != nil {
			out = append(out, schema.MessageInputPart{
				Type: schema.ChatMessagePartTypeImageURL,
				Image: &schema.MessageInputImage{MessagePartCommon: schema.MessagePartCommon{
					Base64Data: new(base64.StdEncoding.EncodeToString(p.Image.Data)), MIMEType: adapters.MediaType(p.Image),
				}},
			})
		}
	}
	return out
}

// addSchema writes the schema at the end of the system messages that a
// conversation begins with, or makes one: some providers want it first, and one.
func addSchema(messages []*schema.Message, s *llm.Schema) []*schema.Message {
	text := adapters.SchemaPrompt(s)
	if len(messages) > 0 && messages[0].Role == schema.System {
		messages[0].Content += "\n\n" + text
		return messages
	}
	return slices.Insert(messages, 0, schema.SystemMessage(text))
}

// callOptions are the options of one call: those that the adapter was made with,
// then those of the request.
func (m *chatModel) callOptions(req *llm.Request) []model.Option {
	out := slices.Clone(m.options.Options)
	if m.options.Name != "" {
		out = append(out, model.WithModel(m.options.Name))
	}
	if req.Schema != nil && m.options.Schema != nil {
		out = append(out, m.options.Schema(req.Schema)...)
	}
	if req.MaxTokens > 0 {
		out = append(out, model.WithMaxTokens(req.MaxTokens))
	}
	if req.Temperature != nil {
		out = append(out, model.WithTemperature(float32(*req.Temperature)))
	}
	return out
}

// response is what a message says as a reply. Reasoning is not part of it.
func (m *chatModel) response(reply *schema.Message) *llm.Response {
	if reply == nil {
		return nil
	}
	resp := &llm.Response{Text: reply.Content, Model: m.name}
	if resp.Text == "" {
		for _, part := range reply.AssistantGenMultiContent {
			if part.Type == schema.ChatMessagePartTypeText {
				resp.Text += part.Text
			}
		}
	}
	if meta := reply.ResponseMeta; meta != nil {
		resp.FinishReason = meta.FinishReason
		if u := meta.Usage; u != nil {
			// Some providers count reasoning in the total alone.
			resp.Usage = adapters.Usage(llm.Usage{
				InputTokens: u.PromptTokens, OutputTokens: max(u.CompletionTokens, u.TotalTokens-u.PromptTokens),
				CacheReadTokens: u.PromptTokenDetails.CachedTokens, CacheCreationTokens: u.PromptTokenDetails.CacheWriteTokens,
				ReasoningTokens: u.CompletionTokensDetails.ReasoningTokens,
			})
		}
	}
	return resp
}
