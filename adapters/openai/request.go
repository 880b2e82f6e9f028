package openai

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/llm"
)

// protocol is how a model is asked.
type protocol struct {
	model                        string
	schemaInPrompt, oldMaxTokens bool
	own                          bool // the server is OpenAI's
	chat                         sdk.ChatCompletionService
}

func (p *protocol) how(req *llm.Request) (wanted, first adapters.How) {
	how := adapters.How{Form: adapters.FormLoose, Uncached: true}
	switch {
	case p.schemaInPrompt:
		how.Form = adapters.FormPrompt
	case req.Schema != nil && req.Schema.Strict:
		how.Form = adapters.FormStrict
	}
	return how, how
}

func (p *protocol) send(ctx context.Context, req *llm.Request, how adapters.How) error {
	params, err := p.params(req, how)
	if err != nil {
		return err
	}
	var body []byte // which the SDK takes whatever its media type is
	_, err = p.chat.New(ctx, params, option.WithResponseBodyInto(&body))
	return err
}

// params writes a request in the words of the protocol.
func (p *protocol) params(req *llm.Request, how adapters.How) (sdk.ChatCompletionNewParams, error) {
	out := sdk.ChatCompletionNewParams{Model: p.model}
	schema := req.Schema
	note := ""
	if schema != nil && how.Form == adapters.FormPrompt {
		note = adapters.SchemaPrompt(schema)
	}
	for _, m := range req.Messages {
		said, ok := message(&m, note)
		switch {
		case len(m.Calls) > 0:
			said = turn(&m)
		case !ok: // servers refuse a message of nothing
			continue
		case m.Role == llm.System:
			note = ""
		}
		out.Messages = append(out.Messages, said)
	}
	if len(out.Messages) == 0 {
		return out, adapters.Rejected(p.model, "there is nothing to ask")
	}
	if note != "" {
		out.Messages = slices.Insert(out.Messages, 0, sdk.SystemMessage(note))
	}
	if len(req.Tools) > 0 {
		out.Tools = p.functions(req, !how.Open)
		if !how.Auto { // auto is what servers do by themselves
			out.ToolChoice.OfAuto = sdk.String("required")
		}
	}
	if schema != nil && how.Form != adapters.FormPrompt {
		out.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: p.responseSchema(schema, how.Form)}
	}
	switch {
	case req.MaxTokens <= 0:
	case p.oldMaxTokens:
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
func (p *protocol) responseSchema(s *llm.Schema, form adapters.Form) shared.ResponseFormatJSONSchemaJSONSchemaParam {
	raw := slices.Clone(s.JSON) // as JSON: in a map its properties would lose their order
	if s.Strict {
		raw = p.spelt(raw)
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
func (p *protocol) spelt(raw json.RawMessage) json.RawMessage {
	if p.own {
		return raw
	}
	return closed.ForGrammars(raw)
}

// message returns a message, or false for one of nothing. A note is added to a system message.
func message(message *llm.Message, note string) (out sdk.ChatCompletionMessageParamUnion, ok bool) {
	var parts []sdk.ChatCompletionContentPartUnionParam
	images := false
	for _, part := range adapters.Joined(message.Parts) {
		if part.Text != "" {
			parts = append(parts, sdk.TextContentPart(part.Text))
		}
		if part.Image != nil {
			images = true
			parts = append(parts, sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{
				URL: "data:" + adapters.MediaType(part.Image) + ";base64," + base64.StdEncoding.EncodeToString(part.Image.Data),
			}))
		}
	}
	ok = len(parts) > 0
	text := message.Text() // a plain text where that will do: many servers know nothing else
	switch {
	case message.Role == llm.System:
		if note != "" && ok {
			text += "\n\n" + note
		}
		return sdk.SystemMessage(text), ok
	case message.Role == llm.Assistant:
		return sdk.AssistantMessage(text), ok
	case message.Role == llm.ToolResult:
		return sdk.ToolMessage(text, message.CallID), true
	case images:
		return sdk.UserMessage(parts), ok
	}
	return sdk.UserMessage(text), ok
}
