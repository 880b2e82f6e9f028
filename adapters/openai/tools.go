package openai

import (
	"encoding/json"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"

	"github.com/agentfsm/agentfsm/internal/adapters"
	"github.com/agentfsm/agentfsm/llm"
)

// functions writes the tools of a request as JSON: in the SDK's maps their parameters would lose their order.
func (p *protocol) functions(req *llm.Request, strict bool) (list []sdk.ChatCompletionToolUnionParam) {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      bool            `json:"strict,omitempty"`
	}
	for _, tool := range req.Tools {
		f := function{tool.Name, tool.Description, tool.Parameters, strict && tool.Strict != nil}
		if f.Strict {
			f.Parameters = p.spelt(tool.Strict)
		}
		list = append(list, param.Override[sdk.ChatCompletionToolUnionParam](struct {
			Type     string   `json:"type"`
			Function function `json:"function"`
		}{"function", f}))
	}
	return list
}

// call is a call in a message of the assistant. Some servers put more into it, and want that back.
type call struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content,omitempty"`
}

// reasoning is what servers want back with calls: thoughts, of reasoning models, and what stands beside each call.
type reasoning struct {
	Content json.RawMessage            `json:"reasoning_content,omitempty"`
	Details json.RawMessage            `json:"reasoning_details,omitempty"`
	Extra   map[string]json.RawMessage `json:"extra_content,omitempty"` // by the id of the call
}

// turn is a message of the assistant that has calls.
func turn(message *llm.Message) sdk.ChatCompletionMessageParamUnion {
	out := struct {
		Role    string `json:"role"`
		Content string `json:"content,omitempty"`
		Calls   []call `json:"tool_calls"`

		ReasoningContent json.RawMessage `json:"reasoning_content,omitempty"`
		ReasoningDetails json.RawMessage `json:"reasoning_details,omitempty"`
	}{Role: "assistant", Content: message.Text()}
	var thoughts reasoning
	if json.Unmarshal(message.Reasoning, &thoughts) != nil { // of another adapter, or none
		thoughts = reasoning{}
	}
	out.ReasoningContent, out.ReasoningDetails = thoughts.Content, thoughts.Details
	for _, c := range message.Calls {
		made := call{ID: c.ID, Type: "function", Extra: thoughts.Extra[c.ID]}
		made.Function.Name, made.Function.Arguments = c.Name, string(adapters.Object(c.Args))
		out.Calls = append(out.Calls, made)
	}
	return param.Override[sdk.ChatCompletionMessageParamUnion](out)
}

// hasCalls reports whether a message has calls, in any form.
func hasCalls(message *sdk.ChatCompletionMessage) bool {
	return extra(message.JSON.ToolCalls.Raw()) != nil || extra(message.JSON.FunctionCall.Raw()) != nil
}

// calls are those of a reply, with what the server wants to be shown with them again. A call that nobody can read has
// no name: the model is told of it.
func calls(message *sdk.ChatCompletionMessage) (list []llm.Call, back json.RawMessage) {
	thoughts := reasoning{Content: extra(message.JSON.ExtraFields["reasoning_content"].Raw()), Details: extra(message.JSON.ExtraFields["reasoning_details"].Raw())}
	var raw []json.RawMessage
	if all := extra(message.JSON.ToolCalls.Raw()); all != nil && json.Unmarshal(all, &raw) != nil {
		raw = []json.RawMessage{all} // no list
	}
	if old := extra(message.JSON.FunctionCall.Raw()); old != nil && len(raw) == 0 { // of the protocol before tools
		raw = []json.RawMessage{old}
	}
	for _, one := range raw {
		made, more := readCall(one)
		list = append(list, made)
		if more != nil {
			if thoughts.Extra == nil {
				thoughts.Extra = map[string]json.RawMessage{}
			}
			thoughts.Extra[made.ID] = more
		}
	}
	if len(list) == 0 || thoughts.Content == nil && thoughts.Details == nil && thoughts.Extra == nil {
		return list, nil
	}
	back, err := json.Marshal(thoughts)
	if err != nil { // it was read from JSON
		return list, nil
	}
	return list, back
}

// readCall reads a call, whose name and arguments may also stand beside its id.
func readCall(raw json.RawMessage) (made llm.Call, more json.RawMessage) {
	var fields, inner map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // else it has no name
	if json.Unmarshal(fields["function"], &inner) != nil || inner == nil {
		inner = fields
	}
	_ = json.Unmarshal(fields["id"], &made.ID)
	_ = json.Unmarshal(inner["name"], &made.Name)
	if made.Name == "" {
		made.Args = adapters.Arguments(string(raw))
		return made, nil
	}
	args := string(inner["arguments"])
	var text string
	if json.Unmarshal(inner["arguments"], &text) == nil { // as the protocol has it
		args = text
	}
	made.Args = adapters.Arguments(args)
	return made, extra(string(fields["extra_content"]))
}

// extra is a field that is there and says something.
func extra(raw string) json.RawMessage {
	if raw == "" || raw == "null" || raw == `""` || raw == "[]" {
		return nil
	}
	return json.RawMessage(raw)
}
