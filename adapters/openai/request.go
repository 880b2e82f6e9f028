package openai

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/llm"
)

// params writes a request in the words of the protocol.
func (m *chatModel) params(req *llm.Request, how asked) (sdk.ChatCompletionNewParams, error) {
	out := sdk.ChatCompletionNewParams{Model: m.cfg.Model}
	if req == nil {
		return out, m.rejected("there is no request")
	}
	schema := req.Schema
	if schema != nil && !json.Valid(schema.JSON) {
		return out, m.rejected("the schema is not JSON")
	}
	if problem := adapters.WrongTools(req); problem != "" {
		return out, m.rejected(problem)
	}
	names := adapters.NamesOf(req)
	note := ""
	if schema != nil && how.form == adapters.FormPrompt {
		note = adapters.SchemaPrompt(schema)
	}
	for i, message := range req.Messages {
		said, ok, err := m.message(message, note)
		if len(message.Calls) > 0 && err == "" {
			said, ok = turn(&message, names), true
		}
		switch {
		case err != "":
			return out, m.rejected(fmt.Sprintf("message %d %s", i+1, err))
		case !ok: // servers refuse a message of nothing
			continue
		case message.Role == llm.System:
			note = ""
		}
		out.Messages = append(out.Messages, said)
	}
	if len(out.Messages) == 0 {
		return out, m.rejected("there is nothing to ask")
	}
	if note != "" {
		out.Messages = slices.Insert(out.Messages, 0, sdk.SystemMessage(note))
	}
	if len(req.Tools) > 0 {
		out.Tools = m.functions(req, names, how.Strict)
		if !how.Auto { // auto is what servers do by themselves
			out.ToolChoice.OfAuto = sdk.String("required")
		}
	}
	if schema != nil && how.form != adapters.FormPrompt {
		out.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: m.responseSchema(schema, how.form)}
	}
	switch {
	case req.MaxTokens <= 0:
	case m.cfg.OldMaxTokens:
		out.MaxTokens = sdk.Int(int64(req.MaxTokens))
	default:
		out.MaxCompletionTokens = sdk.Int(int64(req.MaxTokens))
	}
	if req.Temperature != nil {
		out.Temperature = sdk.Float(*req.Temperature)
	}
	return out, nil
}

// responseSchema is strict where the schema is closed, and says so. Strict wants every property
// to be required, and no object to be open.
func (m *chatModel) responseSchema(s *llm.Schema, form adapters.Form) shared.ResponseFormatJSONSchemaJSONSchemaParam {
	raw := slices.Clone(s.JSON) // as JSON: in a map its properties would lose their order
	if s.Strict {
		raw = m.spelt(raw)
	}
	out := shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: s.Name, Schema: raw}
	if strict := form == adapters.FormStrict; strict || !s.Strict { // of a closed one the server may have refused the word
		out.Strict = sdk.Bool(strict)
	}
	if s.Description != "" {
		out.Description = sdk.String(s.Description)
	}
	return out
}

// spelt is a closed schema as the server reads a reference in it.
func (m *chatModel) spelt(raw json.RawMessage) json.RawMessage {
	if m.own {
		return raw
	}
	return closed.ForGrammars(raw)
}

// message returns a message, or false for one of nothing, or what is wrong with
// it. A note is added to a system message.
func (m *chatModel) message(message llm.Message, note string) (out sdk.ChatCompletionMessageParamUnion, ok bool, problem string) {
	var parts []sdk.ChatCompletionContentPartUnionParam
	images := 0
	for _, part := range adapters.Joined(message.Parts) {
		if part.Text != "" {
			parts = append(parts, sdk.TextContentPart(part.Text))
		}
		if part.Image != nil {
			if len(part.Image.Data) == 0 {
				return out, false, "has an image without data"
			}
			media := adapters.MediaType(part.Image)
			if media == "" {
				return out, false, "has an image that is none"
			}
			images++
			parts = append(parts, sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{
				// A data URL of RFC 2397.
				URL: "data:" + media + ";base64," + base64.StdEncoding.EncodeToString(part.Image.Data), Detail: m.cfg.ImageDetail,
			}))
		}
	}
	// A plain text where that will do: many servers know nothing else.
	text := message.Text()
	switch message.Role {
	case llm.System:
		if note != "" && len(parts) > 0 {
			text += "\n\n" + note
		}
		out = sdk.SystemMessage(text)
	case llm.Assistant:
		out = sdk.AssistantMessage(text)
	case llm.ToolResult:
		out = sdk.ToolMessage(text, message.CallID)
		return out, true, noImages(images, message.Role)
	case llm.User:
		if images > 0 {
			return sdk.UserMessage(parts), true, ""
		}
		out = sdk.UserMessage(text)
	default:
		return out, false, fmt.Sprintf("has the unknown role %q", message.Role)
	}
	return out, len(parts) > 0, noImages(images, message.Role)
}

// noImages says what is wrong with images of anybody but the user.
func noImages(images int, role llm.Role) string {
	if images == 0 {
		return ""
	}
	return fmt.Sprintf("has an image, which the protocol allows of a user and not of %q", role)
}

func (m *chatModel) rejected(message string) error {
	return &llm.CallError{Kind: llm.ErrRejected, Model: m.cfg.Model, Message: message}
}
