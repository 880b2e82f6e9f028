package adk

import (
	"bytes"
	"maps"
	"math"
	"slices"

	"google.golang.org/adk/v2/model"
	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/internal/closed"
	"github.com/agentfsm/agentfsm/llm"
)

const jsonMediaType = "application/json"

// request writes a request in the words of the ADK. Nothing in it is shared
// with req or with another call: models of the ADK add headers, and
// contents, to what they get.
func (m *chatModel) request(req *llm.Request, auto bool) (*model.LLMRequest, error) {
	config := cloneConfig(m.options.Config)
	addTools(config, req, auto)
	var system []*genai.Part
	var contents []*genai.Content
	for i, message := range req.Messages {
		parts := convertParts(adapters.Joined(message.Parts))
		if len(message.Calls) > 0 {
			parts = turn(&req.Messages[i])
		}
		switch message.Role {
		case llm.ToolResult:
			part := result(&req.Messages[i], req.Messages[:i])
			if req.Messages[i-1].Role == llm.ToolResult { // providers want all results of a turn in one
				last := contents[len(contents)-1]
				last.Parts = append(last.Parts, part)
				continue
			}
			contents = append(contents, &genai.Content{Role: genai.RoleUser, Parts: []*genai.Part{part}})
		case llm.System:
			system = append(system, parts...)
		default:
			role := genai.RoleUser
			if message.Role == llm.Assistant {
				role = genai.RoleModel
			}
			if len(parts) > 0 { // providers refuse a message of nothing
				contents = append(contents, &genai.Content{Role: role, Parts: parts})
			}
		}
	}
	if len(contents) == 0 { // no provider takes a system instruction alone
		if len(system) == 0 {
			return nil, adapters.Rejected(m.name, "there is nothing to ask")
		}
		contents, system = []*genai.Content{{Role: genai.RoleUser, Parts: system}}, nil
	}
	if s := req.Schema; s != nil {
		if m.options.SchemaInPrompt {
			system = append(system, &genai.Part{Text: adapters.SchemaPrompt(s)})
		} else {
			config.ResponseMIMEType = jsonMediaType
			config.ResponseSchema = nil
			config.ResponseJsonSchema = closed.ForGrammars(slices.Clone(s.JSON)) // as JSON: in a map its properties would lose their order
		}
	}
	if len(system) > 0 {
		config.SystemInstruction = &genai.Content{Role: genai.RoleUser, Parts: system}
	}
	if req.MaxTokens > 0 {
		config.MaxOutputTokens = int32(min(req.MaxTokens, math.MaxInt32))
	}
	if req.Temperature != nil {
		config.Temperature = new(float32(*req.Temperature))
	}
	return &model.LLMRequest{Contents: contents, Config: config}, nil
}

func convertParts(parts []llm.Part) []*genai.Part {
	var out []*genai.Part
	for _, part := range parts {
		if part.Text != "" {
			out = append(out, &genai.Part{Text: part.Text})
		}
		if part.Image != nil {
			out = append(out, &genai.Part{InlineData: &genai.Blob{
				MIMEType: adapters.MediaType(part.Image),
				Data:     bytes.Clone(part.Image.Data),
			}})
		}
	}
	return out
}

// cloneConfig copies what a model may write to.
func cloneConfig(c *genai.GenerateContentConfig) *genai.GenerateContentConfig {
	if c == nil {
		return &genai.GenerateContentConfig{}
	}
	out := *c
	out.Tools = slices.Clone(c.Tools)
	out.Labels = maps.Clone(c.Labels)
	if c.HTTPOptions != nil {
		options := *c.HTTPOptions
		options.Headers = c.HTTPOptions.Headers.Clone()
		out.HTTPOptions = &options
	}
	return &out
}
