package adk

import (
	"encoding/json"
	"regexp"
	"slices"

	"google.golang.org/genai"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// addTools gives a request its tools, of which the model must call one, unless it may call none.
func addTools(config *genai.GenerateContentConfig, req *llm.Request, auto bool) {
	if len(req.Tools) == 0 {
		return
	}
	tool := &genai.Tool{}
	for _, t := range req.Tools {
		tool.FunctionDeclarations = append(tool.FunctionDeclarations, &genai.FunctionDeclaration{
			Name: t.Name, Description: t.Description,
			ParametersJsonSchema: slices.Clone(t.Parameters), // as JSON: in a map its properties would lose their order
		})
	}
	config.Tools = append(config.Tools, tool)
	own := genai.ToolConfig{}
	if config.ToolConfig != nil {
		own = *config.ToolConfig
	}
	own.FunctionCallingConfig = &genai.FunctionCallingConfig{Mode: genai.FunctionCallingConfigModeAny}
	if auto {
		own.FunctionCallingConfig.Mode = genai.FunctionCallingConfigModeAuto
	}
	config.ToolConfig = &own
}

// turn are the parts of a message that has calls: as the model made them, where it wants to be shown its thoughts.
func turn(message *llm.Message) []*genai.Part {
	var parts []*genai.Part
	if json.Unmarshal(message.Reasoning, &parts) != nil || slices.Contains(parts, nil) { // of another adapter, or none
		parts = nil
	}
	made := parts[:0:0]
	for _, part := range parts {
		if part.FunctionCall != nil {
			made = append(made, part)
		}
	}
	if len(made) != len(message.Calls) {
		parts, made = convertParts(adapters.Joined(message.Parts)), nil
	}
	for i, call := range message.Calls {
		args := map[string]any{}
		_ = json.Unmarshal(adapters.Object(call.Args), &args) // it is an object
		called := &genai.FunctionCall{ID: given(call.ID), Name: call.Name, Args: args}
		if made != nil {
			made[i].FunctionCall = called
			continue
		}
		parts = append(parts, &genai.Part{FunctionCall: called})
	}
	return parts
}

// filledIn matches the id of a call whose model gave it none: models that know no ids take none.
var filledIn = regexp.MustCompile(`^call_\d{1,4}$`)

func given(id string) string {
	if filledIn.MatchString(id) {
		return ""
	}
	return id
}

// result is what came of a call, one of those before it.
func result(message *llm.Message, before []llm.Message) *genai.Part {
	name := ""
	for _, m := range before {
		for _, call := range m.Calls {
			if call.ID == message.CallID {
				name = call.Name
			}
		}
	}
	return &genai.Part{FunctionResponse: &genai.FunctionResponse{
		ID: given(message.CallID), Name: name, Response: map[string]any{"output": message.Text()},
	}}
}

// readCalls reads the calls of a reply to a request that has tools, with what its model wants to be shown with them.
func (r *reply) readCalls(req *llm.Request) {
	if len(req.Tools) == 0 {
		return
	}
	signed := false
	for _, part := range r.parts {
		signed = signed || len(part.ThoughtSignature) > 0
		call := part.FunctionCall
		if call == nil {
			continue
		}
		made := llm.Call{ID: call.ID, Name: call.Name}
		if raw, err := json.Marshal(call.Args); err == nil && len(call.Args) > 0 {
			made.Args = raw
		}
		r.Calls = append(r.Calls, made)
	}
	if len(r.Calls) > 0 && signed {
		r.Reasoning, _ = json.Marshal(r.parts) //nolint:errchkjson // they were made of JSON
	}
}
